//! `@schema/validate`: rules as keywords and functions, and the rule that every string has.

use super::rules::{no_effect, unanchored_pattern, validate_arguments};
use super::wrong_argument::WrongArgument;
use super::{ProposalReader, at, found, is_sure, nearest, note};
use lofting_diagnostic::Fix;
use lofting_document::{NodeValue, Note, Notes, Span, from_expression};
use lofting_eval::{Callable, Expr, ExprKind, Keyword};
use lofting_overlay::{Called, Function};
use lofting_schema::{CodeRule, Constraint, ConstraintKind, Kinds, Pattern, PatternDialect, SchemaNode, format};

/// The keywords.
pub(super) const KEYWORDS: [&str; 12] = [
    "min",
    "max",
    "min_len",
    "max_len",
    "enum",
    "regexp",
    "format",
    "not_null",
    "unique",
    "prefix",
    "starts_with",
    "ends_with",
];

impl ProposalReader<'_> {
    /// The rules of a node.
    pub(super) fn rules(&mut self, node: &mut SchemaNode, notes: &Notes) {
        let note = note(notes, "schema/validate");
        let mut own_length = note.is_some_and(|note| note.arguments.keyword("min_len").is_some());
        if let Some(note) = note.filter(|note| is_sure(note)) {
            if note.arguments.is_empty() {
                self.found(validate_arguments::finding(note.name_span, "`@schema/validate` needs a rule"));
            }
            for argument in &note.arguments.positional {
                self.function(node, note, argument);
            }
            for keyword in &note.arguments.keywords {
                self.keyword(node, note, keyword);
            }
        }
        own_length |= node.constraints.iter().any(measures_strings);
        if node.known && node.kinds != Kinds::ANY && node.kinds.has(Kinds::STRING) && !own_length {
            let kind = ConstraintKind::MinLength(1);
            node.constraints.push(Constraint { on: Kinds::STRING, ..Constraint::new(kind, node.declared.name) });
        }
        // A missing value is reported first, whatever else is broken.
        if !node.constraints.is_empty() {
            node.constraints.sort_by_key(|constraint| !matches!(constraint.kind, ConstraintKind::NotNull));
        }
    }

    fn function(&mut self, node: &mut SchemaNode, note: &Note, argument: &Expr) {
        let span = at(note, &argument.range);
        let assertion = match (&argument.kind, argument.type_name()) {
            (ExprKind::Callable(callable), _) if as_keyword(callable).is_some() => {
                if let Some((name, value)) = as_keyword(callable) {
                    self.bound(node, note, (name, value), (span, span));
                }
                return;
            }
            (ExprKind::Callable(callable), _) if is_rule(callable) => Some(callable.clone()),
            (ExprKind::Lambda { .. }, _) | (_, None) => None,
            (_, Some(found)) => {
                let message = format!("a rule is a function of the value or a keyword, but this is a {found}");
                self.found(validate_arguments::finding(span, &message));
                return;
            }
        };
        let description = Some(match &assertion {
            Some(assertion) => self.documented(assertion, note, argument),
            None => format!("Validation: {}", self.host.source(span).unwrap_or_else(|| "a function".to_owned())),
        });
        node.rules.push(CodeRule { description, span, assertion });
    }

    /// The description that a function returns when called without a value, or else its name.
    fn documented(&self, callable: &Callable, note: &Note, argument: &Expr) -> String {
        let span = at(note, &argument.range);
        let function = Function { span, callable: Some(callable.clone()) };
        if let Some(Called::Value(returned)) = self.host.call(&function, &[Vec::new()]).pop()
            && let NodeValue::String(text) = returned.node.value
        {
            return text.to_string();
        }
        let name = match callable.text.as_str() {
            "" | "lambda" => self.host.source(span).unwrap_or_else(|| "a function".to_owned()),
            name => name.to_owned(),
        };
        format!("Validation: {name}")
    }

    fn keyword(&mut self, node: &mut SchemaNode, note: &Note, keyword: &Keyword) {
        let name = keyword.name.as_str();
        if !KEYWORDS.contains(&name) {
            let place = at(note, &keyword.name_range);
            let finding = validate_arguments::finding(place, &unknown_keyword(name));
            self.found(match meant(name) {
                Some(known) => finding.fix(Fix::replace(format!("Rename to `{known}`"), place, known)),
                None => finding,
            });
            return;
        }
        let span = lofting_document::Span::new(note.span.file, keyword.name_range.start..keyword.value.range.end);
        if !self.bound(node, note, (name, &keyword.value), (span, at(note, &keyword.value.range))) {
            return;
        }
        let (value, _) = pair(name, &keyword.value);
        if let (Some(source), "regexp") = (value.as_str(), name) {
            self.faults.extend(unanchored_pattern::look(at(note, &value.range), source).map(found));
        }
    }

    /// Adds what a keyword with an argument says of a value, if the argument is a right one. The places are those of both,
    /// and of the argument.
    fn bound(
        &mut self,
        node: &mut SchemaNode,
        note: &Note,
        keyword: (&str, &Expr),
        (span, place): (Span, Span),
    ) -> bool {
        let (name, argument) = keyword;
        let constraints = match worded_constraints(name, argument, note, span) {
            Ok(constraints) => constraints,
            Err(wrong) => {
                self.found(validate_arguments::finding(place, &wrong.to_string()));
                return false;
            }
        };
        let takes = |on: Kinds| node.kinds.and(on) != Kinds::NONE || !node.known;
        if name != "not_null" && !constraints.is_empty() && !constraints.iter().any(|constraint| takes(constraint.on)) {
            let message = format!("`{name}=` can never apply: the value is never {}", applies_to(name));
            self.found(no_effect::finding(note.span, &message));
        }
        node.constraints.extend(constraints);
        true
    }
}

/// Whether it bounds the length of strings from below, as every string has it unless something else is asked for.
pub(super) fn measures_strings(constraint: &Constraint) -> bool {
    constraint.on.has(Kinds::STRING) && matches!(constraint.kind, ConstraintKind::MinLength(_))
}

/// The keyword and the argument that a function of `@ytt:validations` was made with.
fn as_keyword(callable: &Callable) -> Option<(&str, &Expr)> {
    if callable.type_name != "builtin_function_or_method" {
        return None;
    }
    let name = callable.text.strip_prefix("validations.")?;
    match callable.made_with.as_slice() {
        [only] if KEYWORDS.contains(&name) => Some((name, only)),
        _ => None,
    }
}

/// What a function of `@ytt:validations` with a literal argument says of a value.
pub(super) fn module_constraints(name: &str, argument: &Expr, note: &Note) -> Option<Vec<Constraint>> {
    let constraints = worded_constraints(name, argument, note, note.span).ok()?;
    KEYWORDS.contains(&name).then_some(constraints)
}

/// Whether it is a function, or an object with one.
fn is_rule(callable: &Callable) -> bool {
    callable.has_check || matches!(callable.type_name.as_str(), "function" | "builtin_function_or_method" | "struct")
}

/// The argument of a keyword, and the message if it is written as a pair.
fn pair<'e>(name: &str, value: &'e Expr) -> (&'e Expr, Option<&'e str>) {
    if let ExprKind::Tuple(parts) = &value.kind
        && let [first, second] = parts.as_slice()
        && let Some(message) = second.as_str()
        && (name != "enum" || matches!(first.kind, ExprKind::List(_) | ExprKind::Tuple(_)))
    {
        return (first, Some(message));
    }
    (value, None)
}

/// What a keyword with an argument says of a value, with the message if the argument is a pair.
fn worded_constraints(name: &str, argument: &Expr, note: &Note, span: Span) -> Result<Vec<Constraint>, WrongArgument> {
    let (value, message) = pair(name, argument);
    let message = message.map(str::to_owned);
    let constraint = |(on, kind)| Constraint { on, message: message.clone(), ..Constraint::new(kind, span) };
    Ok(constraints(name, value, note)?.into_iter().map(constraint).collect())
}

const LENGTHS: Kinds = Kinds::STRING.or(Kinds::COLLECTIONS);

/// The bounds that a keyword sets, each with the kinds it applies to; none if the argument needs evaluation.
fn constraints(name: &str, value: &Expr, note: &Note) -> Result<Vec<(Kinds, ConstraintKind)>, WrongArgument> {
    let Some(found) = value.type_name() else { return Ok(Vec::new()) };
    let wrong = |expected| Err(WrongArgument::of_type(name, expected, found));
    let node = || from_expression(note.span.file, value);
    let text = || value.as_str().map(str::to_owned);
    Ok(match name {
        "min" | "max" => {
            let (bound, count) = match value.kind {
                ExprKind::Int(number) => (node(), number),
                ExprKind::Float(number) if name == "min" => (node(), number.ceil() as i128),
                ExprKind::Float(number) => (node(), number.floor() as i128),
                _ => return wrong("a number"),
            };
            let (of_number, of_count) = match name {
                "min" => (ConstraintKind::Min(bound), ConstraintKind::MinLength(count)),
                _ => (ConstraintKind::Max(bound), ConstraintKind::MaxLength(count)),
            };
            vec![(Kinds::NUMBER, of_number), (Kinds::COLLECTIONS, of_count)]
        }
        "min_len" | "max_len" => match value.kind {
            ExprKind::Int(length) if name == "min_len" => vec![(LENGTHS, ConstraintKind::MinLength(length))],
            ExprKind::Int(length) => vec![(LENGTHS, ConstraintKind::MaxLength(length))],
            _ => return wrong("an int"),
        },
        "enum" => match (&value.kind, node().value) {
            (ExprKind::List(_) | ExprKind::Tuple(_), NodeValue::Array(items)) => {
                vec![(Kinds::ANY, ConstraintKind::OneOf(items.into_iter().map(|item| item.value).collect()))]
            }
            _ => return wrong("a list"),
        },
        "regexp" => match text() {
            Some(source) => {
                let pattern = Pattern::new(source.clone(), PatternDialect::Re2);
                if !pattern.is_valid() {
                    return Err(WrongArgument::Pattern(source));
                }
                vec![(Kinds::STRING, ConstraintKind::Pattern(pattern))]
            }
            None => return wrong("a regular expression"),
        },
        "format" => match text() {
            Some(name) if format::PROPOSED.contains(&name.as_str()) => {
                let on = if name == "port" { Kinds::STRING | Kinds::INT } else { Kinds::STRING };
                vec![(on, ConstraintKind::Format(name))]
            }
            Some(name) => return Err(WrongArgument::Format(name)),
            None => return wrong("the name of a format"),
        },
        "not_null" | "unique" => match (&value.kind, name) {
            (ExprKind::Bool(true), "not_null") => vec![(Kinds::ANY, ConstraintKind::NotNull)],
            (ExprKind::Bool(true), _) => vec![(Kinds::ARRAY, ConstraintKind::UniqueItems)],
            (ExprKind::Bool(false), _) => Vec::new(),
            _ => return wrong("True or False"),
        },
        _ => match text() {
            Some(text) if name == "ends_with" => vec![(Kinds::STRING, ConstraintKind::EndsWith(text))],
            Some(text) => vec![(Kinds::STRING, ConstraintKind::StartsWith(text))],
            None => return wrong("a string"),
        },
    })
}

fn applies_to(name: &str) -> &'static str {
    match name {
        "min" | "max" => "a number, map or array",
        "min_len" | "max_len" => "a string, map or array",
        "unique" => "an array",
        _ => "a string",
    }
}

fn unknown_keyword(name: &str) -> String {
    if matches!(name, "when" | "one_not_null") {
        return format!("`{name}=` exists in ytt's own `@schema/validation` only: write a function");
    }
    let meant = meant(name).map(|known| format!(": did you mean `{known}=`?")).unwrap_or_default();
    format!("`@schema/validate` has no argument `{name}=`{meant}")
}

/// The keyword that another one most likely means.
fn meant(name: &str) -> Option<&'static str> {
    match name {
        "when" | "one_not_null" => None,
        "one_of" => Some("enum"),
        "pattern" => Some("regexp"),
        "minimum" => Some("min"),
        "maximum" => Some("max"),
        _ => nearest(name, &KEYWORDS),
    }
}
