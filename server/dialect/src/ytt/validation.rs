//! `@schema/validation` (docs/ytt.md 13.2).

use super::problem::{ProblemKind, ValidationArgument};
use super::{YttReader, in_order};
use lofting_document::{Key, Node, NodeValue, Note, Span, from_expression, key_from_expression};
use lofting_eval::{Callable, Expr, ExprKind, Keyword};
use lofting_schema::{CodeRule, Condition, Constraint, ConstraintKind, SchemaNode};

type Wrong = (ValidationArgument, Span);

impl YttReader {
    /// Adds the rules of an annotation to a node: `@schema/validation` or, on values, `@assert/validate`.
    pub(super) fn validation(&mut self, node: &mut SchemaNode, note: &Note) {
        let arguments = &note.arguments;
        if !arguments.errors.is_empty() {
            return;
        }
        if arguments.is_empty() && !arguments.starred {
            let kind = ProblemKind::Validation { wrong: ValidationArgument::Missing };
            self.problem(node.declared, Some(note), note.name_span, kind);
            return;
        }
        for argument in &arguments.positional {
            match rule(note, argument) {
                Ok(rule) => node.rules.push(rule),
                Err(wrong) => self.wrong_validation(node, note, wrong),
            }
        }
        if let Some(when) = arguments.keyword("when") {
            let span = Span::new(note.span.file, when.value.range.clone());
            node.condition = Some(Box::new(Condition { span, function: callable(&when.value) }));
        }
        let conditional = arguments.keyword("when").is_some() || arguments.starred;
        let mut constraints = Vec::new();
        for keyword in &arguments.keywords {
            let span = Span::new(note.span.file, keyword.name_range.start..keyword.value.range.end);
            match constraint(note, keyword) {
                Ok(Some((rank, kind))) => {
                    constraints.push((rank, Constraint { conditional, ..Constraint::new(kind, span) }))
                }
                Ok(None) => {}
                Err(wrong) => self.wrong_validation(node, note, wrong),
            }
        }
        node.constraints = in_order(constraints).into();
    }

    fn wrong_validation(&mut self, node: &SchemaNode, note: &Note, (wrong, span): Wrong) {
        self.problem(node.declared, Some(note), span, ProblemKind::Validation { wrong });
    }
}

/// Reads a `(description, assertion)` tuple. One that needs evaluation becomes a rule without description.
fn rule(note: &Note, argument: &Expr) -> Result<CodeRule, Wrong> {
    let at = |expression: &Expr| Span::new(note.span.file, expression.range.clone());
    let span = at(argument);
    let parts = match (&argument.kind, argument.type_name()) {
        (ExprKind::Tuple(parts), _) => parts,
        (_, Some(found)) => return Err((ValidationArgument::NotTuple(found.into()), span)),
        (_, None) => return Ok(CodeRule { description: None, span, assertion: None }),
    };
    let [description, assertion] = parts.as_slice() else {
        return Err((ValidationArgument::Length(parts.len()), span));
    };
    if description.as_str().is_none()
        && let Some(found) = description.type_name()
    {
        return Err((ValidationArgument::Description(found.into()), at(description)));
    }
    let rule = CodeRule { description: description.as_str().map(str::to_owned), span, assertion: callable(assertion) };
    match (&assertion.kind, assertion.type_name()) {
        // An object with a rule in it, or a struct, which stands for the rule itself.
        (ExprKind::Callable(callable), _) if callable.has_check || callable.type_name == "struct" => Ok(rule),
        (_, None | Some("function" | "builtin_function_or_method")) => Ok(rule),
        (_, Some(found)) => Err((ValidationArgument::Assertion(found.into()), at(assertion))),
    }
}

/// The function or object that evaluation left.
fn callable(expression: &Expr) -> Option<Callable> {
    match &expression.kind {
        ExprKind::Callable(callable) => Some(callable.clone()),
        _ => None,
    }
}

/// The bound that a keyword sets, with its place in ytt's fixed order of checks.
fn constraint(note: &Note, keyword: &Keyword) -> Result<Option<(u8, ConstraintKind)>, Wrong> {
    let value = &keyword.value;
    let span = Span::new(note.span.file, value.range.clone());
    let found = value.type_name();
    let kind_error = |keyword, expected| match found {
        Some(found) => Err((ValidationArgument::Kind { keyword, expected, found: found.into() }, span)),
        None => Ok(None),
    };
    let node = || from_expression(note.span.file, value);
    // Limits and allowed values are compared after they were written as YAML. Where that fails, the rule fails for
    // every value.
    let nothing = || ConstraintKind::OneOf([].into_iter().collect());
    match keyword.name.as_str() {
        "not_null" => match &value.kind {
            ExprKind::Bool(true) => Ok(Some((0, ConstraintKind::NotNull))),
            ExprKind::Bool(false) => Ok(None),
            _ => kind_error("not_null", "boolean"),
        },
        "min_len" => match length(value) {
            Some(length) => Ok(Some((1, ConstraintKind::MinLength(length)))),
            None => kind_error("min_len", "number"),
        },
        "max_len" => match length(value) {
            Some(length) => Ok(Some((2, ConstraintKind::MaxLength(length)))),
            None => kind_error("max_len", "number"),
        },
        "min" if !can_be_written(value) => Ok(Some((3, nothing()))),
        "max" if !can_be_written(value) => Ok(Some((4, nothing()))),
        "min" => Ok(found.map(|_| (3, ConstraintKind::Min(node())))),
        "max" => Ok(found.map(|_| (4, ConstraintKind::Max(node())))),
        "one_not_null" => match &value.kind {
            ExprKind::Bool(true) => Ok(Some((5, ConstraintKind::OneNotNull(None)))),
            ExprKind::Bool(false) => Err((ValidationArgument::OneNotNullFalse, span)),
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                let keys: Option<Vec<Key>> = items.iter().map(key_from_expression).collect();
                Ok(keys.map(|keys| (5, ConstraintKind::OneNotNull(Some(keys)))))
            }
            // Iterating over a dict gives its keys.
            ExprKind::Dict(entries) => {
                let keys: Option<Vec<Key>> = entries.iter().map(|(key, _)| key_from_expression(key)).collect();
                Ok(keys.map(|keys| (5, ConstraintKind::OneNotNull(Some(keys)))))
            }
            // ytt finds no key in a range.
            ExprKind::Callable(callable) if callable.type_name == "range" => {
                Ok(Some((5, ConstraintKind::OneNotNull(Some(Vec::new())))))
            }
            _ => kind_error("one_not_null", "True or a sequence of keys"),
        },
        "one_of" => match &value.kind {
            ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Dict(_) if !can_be_written(value) => {
                Ok(Some((6, nothing())))
            }
            ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Dict(_) => {
                Ok(Some((6, ConstraintKind::OneOf(members(node()).into()))))
            }
            // A range is a sequence as well.
            ExprKind::Callable(callable) if callable.type_name == "range" => Ok(Some((6, nothing()))),
            _ => kind_error("one_of", "sequence"),
        },
        "when" => match found {
            Some("function" | "builtin_function_or_method") | None => Ok(None),
            Some(_) => kind_error("when", "function"),
        },
        name => {
            let span = Span::new(note.span.file, keyword.name_range.clone());
            Err((ValidationArgument::UnknownKeyword(name.to_owned()), span))
        }
    }
}

/// Whether YAML can be written of a value, as far as that is known: not of functions, ranges and integers of more than
/// 64 bits, also inside collections.
fn can_be_written(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Lambda { .. } => false,
        ExprKind::Callable(callable) => {
            !matches!(callable.type_name.as_str(), "function" | "builtin_function_or_method" | "range" | "module")
        }
        ExprKind::Int(number) => i64::try_from(*number).is_ok() || u64::try_from(*number).is_ok(),
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().all(can_be_written),
        ExprKind::Dict(entries) => entries.iter().all(|(key, value)| can_be_written(key) && can_be_written(value)),
        _ => true,
    }
}

/// Lengths are integers; floats are truncated.
fn length(value: &Expr) -> Option<i128> {
    match value.kind {
        ExprKind::Int(length) => Some(length),
        ExprKind::Float(length) => Some(length as i128),
        _ => None,
    }
}

/// The allowed values: items of a sequence, keys of a dict.
fn members(node: Node) -> Vec<Node> {
    match node.value {
        NodeValue::Array(items) => items.into_iter().map(|item| item.value).collect(),
        NodeValue::Map(items) => items.into_iter().map(|item| Node::new(key_value(&item.key), item.key_span)).collect(),
        // A dict with a computed key: the allowed values are unknown.
        _ => vec![Node::unknown(node.span)],
    }
}

fn key_value(key: &Key) -> NodeValue {
    match key {
        Key::Null => NodeValue::Null,
        Key::Bool(value) => NodeValue::Bool(*value),
        Key::Int(value) => NodeValue::Int(*value),
        Key::Float(bits) => NodeValue::Float(f64::from_bits(*bits)),
        Key::String(text) => NodeValue::String(text.clone()),
        Key::Collection(text) => NodeValue::String(text.as_ref().into()),
    }
}
