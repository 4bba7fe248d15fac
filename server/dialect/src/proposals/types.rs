//! Types: inferred from values, listed by `@schema/type`, or extended with null by `@schema/nullable`.

use super::rules::{annotation_arguments, array_items, below_any, no_effect, type_arguments, type_excludes_value};
use super::{ProposalReader, at, is_sure, nearest, note};
use crate::ytt::{self, Problem, ProblemKind};
use lofting_diagnostic::words::with_article;
use lofting_diagnostic::{Diagnostic, Fix};
use lofting_document::{Node, NodeValue, Note, Notes, Span};
use lofting_eval::{Expr, ExprKind};
use lofting_schema::{ArrayShape, Declared, DefaultValue, Facet, Kinds, SchemaNode};

/// The names of types.
pub(super) const NAMES: [(&str, Kinds); 6] = [
    ("string", Kinds::STRING),
    ("float", Kinds::NUMBER),
    ("int", Kinds::INT),
    ("bool", Kinds::BOOL),
    ("null", Kinds::NULL),
    ("any", Kinds::ANY),
];

/// The content of `@schema/type`.
enum Listed {
    /// No types: the type is inferred.
    Inferred,
    Any,
    /// It is wrong or needs evaluation.
    Unknown,
    Union {
        kinds: Kinds,
        or_inferred: bool,
    },
}

impl ProposalReader<'_> {
    /// A node with its type, and the default that follows from its value.
    pub(super) fn typed(&mut self, value: &Node, notes: &Notes, declared: Declared) -> SchemaNode {
        let listed = self.listed(value, notes, declared);
        let nullable = self.nullable(notes, declared);
        let given =
            |value: &Node| DefaultValue { span: value.span, value: value.clone(), explicit: false, keyword: None };
        let mut node = SchemaNode::new(Facet::Unknown, declared);
        match listed {
            Listed::Any => {
                node.set(Facet::Any);
                node.default = Some(Box::new(given(value)));
                if let Some(note) = notes.get("schema/type") {
                    self.below_any(value, note.span);
                }
            }
            Listed::Unknown => drop(self.infer(value, notes, declared)),
            Listed::Inferred => {
                let (facet, default) = self.infer(value, notes, declared);
                node.set(facet);
                node.default = default.as_ref().map(given).map(Box::new);
            }
            Listed::Union { kinds, or_inferred } => {
                let (facet, default) = self.infer(value, notes, declared);
                let mut inferred = SchemaNode::new(facet, declared);
                let look = || type_excludes_value::look(value, kinds, notes, declared);
                let excluded = if or_inferred { None } else { look() };
                if or_inferred || excluded.is_some() {
                    node.known = inferred.known;
                    (node.map, node.array) = (inferred.map.take(), inferred.array.take());
                    node.kinds = kinds | inferred.kinds;
                } else {
                    (node.known, node.kinds) = (true, kinds);
                }
                // Floats include integers.
                if node.kinds.has(Kinds::FLOAT) {
                    node.kinds = node.kinds | Kinds::INT;
                }
                node.nullable = kinds.has(Kinds::NULL);
                if node.kinds != Kinds::NULL && node.kinds != Kinds::ANY {
                    node.kinds = node.kinds.without(Kinds::NULL);
                }
                node.default = default.as_ref().map(given).map(Box::new);
                self.faults.extend(excluded.map(super::found));
            }
        }
        if let (true, Some(note)) = (nullable, notes.get("schema/nullable")) {
            if node.known && node.says_nothing() {
                self.found(no_effect::finding(
                    note.span,
                    "null is allowed already, and `@schema/nullable` adds nothing",
                ));
            }
            node.nullable = true;
            let null = Node::new(NodeValue::Null, note.span);
            node.default = Some(Box::new(DefaultValue { value: null, span: note.span, explicit: true, keyword: None }));
        }
        node
    }

    /// Reads `@schema/type`.
    fn listed(&mut self, value: &Node, notes: &Notes, declared: Declared) -> Listed {
        let Some(note) = notes.get("schema/type") else { return Listed::Inferred };
        if !is_sure(note) {
            return Listed::Unknown;
        }
        let mut wrong = |message: &str, span: Span, meant: Option<&str>| {
            let finding = type_arguments::finding(declared.name, message).blames(span, "the argument");
            let fix = meant.map(|meant| Fix::replace(format!("Change to `{meant}`"), span, format!("\"{meant}\"")));
            self.found(fix.into_iter().fold(finding, Diagnostic::fix));
        };
        let (mut kinds, mut listed, mut any_listed) = (Kinds::NONE, 0, false);
        let (mut unknown, mut failed) = (false, false);
        let mut names: Vec<&Expr> = note.arguments.positional.iter().collect();
        let (mut or_inferred, mut any) = (false, None);
        for keyword in &note.arguments.keywords {
            match (keyword.name.as_str(), &keyword.value.kind) {
                ("one_of", ExprKind::List(items) | ExprKind::Tuple(items)) => names.extend(items),
                ("one_of", _) => names.push(&keyword.value),
                ("or_inferred", ExprKind::Bool(value)) => or_inferred = *value,
                ("any", ExprKind::Bool(value)) => any = Some(*value),
                ("or_inferred" | "any", _) => match keyword.value.type_name() {
                    Some(found) => {
                        failed = true;
                        let found = with_article(found);
                        let message = format!("`{}=` takes `True` or `False`, but is {found}", keyword.name);
                        wrong(&message, at(note, &keyword.value.range), None);
                    }
                    None => unknown = true,
                },
                (name, _) => {
                    failed = true;
                    let meant = nearest(name, &["one_of", "or_inferred", "any"]);
                    let meant = meant.map(|known| format!(": did you mean `{known}=`?")).unwrap_or_default();
                    wrong(
                        &format!("`@schema/type` takes no argument `{name}`{meant}"),
                        at(note, &keyword.name_range),
                        None,
                    );
                }
            }
        }
        for name in names {
            let word = match (&name.kind, name.as_str()) {
                (ExprKind::None, _) => "null",
                (_, Some(word)) => word,
                (_, None) if name.type_name().is_none() => {
                    unknown = true;
                    continue;
                }
                (_, None) => {
                    failed = true;
                    wrong("a type is named by a string", at(note, &name.range), None);
                    continue;
                }
            };
            listed += 1;
            match NAMES.iter().find(|(known, _)| *known == word) {
                Some((_, Kinds::ANY)) => any_listed = true,
                Some((_, kind)) => kinds = kinds | *kind,
                None => {
                    failed = true;
                    let (message, meant) = unknown_name(word);
                    wrong(&message, at(note, &name.range), meant);
                }
            }
        }
        let beside = listed > usize::from(any_listed) || note.arguments.keyword("or_inferred").is_some();
        let named_any = any.is_some() && (listed > 0 || note.arguments.keyword("or_inferred").is_some());
        if (any_listed && (beside || any.is_some())) || named_any {
            failed = true;
            wrong("any allows everything: leave out the rest", note.name_span, None);
        } else if !failed && !unknown && listed == 0 && !or_inferred && any.is_none() {
            failed = true;
            wrong("`@schema/type` names no type: list names or write `or_inferred=True`", note.name_span, None);
        }
        let is_scalar =
            !matches!(value.value, NodeValue::Map(_) | NodeValue::Array(_) | NodeValue::Null | NodeValue::Unknown);
        if or_inferred && is_scalar && !self.form.allows_inferred_scalar() {
            failed = true;
            let finding = type_arguments::finding(declared.name, "the type of a scalar has a name: write it");
            self.found(finding.related(note.span, "instead of `or_inferred=True`"));
        }
        match (failed || unknown, any_listed || any == Some(true)) {
            (true, _) => Listed::Unknown,
            (false, true) => Listed::Any,
            (false, false) if any == Some(false) => Listed::Inferred,
            (false, false) => Listed::Union { kinds, or_inferred },
        }
    }

    /// Whether `@schema/nullable` is there.
    fn nullable(&mut self, notes: &Notes, declared: Declared) -> bool {
        let Some(note) = notes.get("schema/nullable") else { return false };
        if is_sure(note) && !note.arguments.is_empty() {
            self.found(annotation_arguments::finding(declared.name, note, "`@schema/nullable` takes no argument"));
        }
        true
    }

    /// The type that the value implies, and the default that it gives.
    fn infer(&mut self, value: &Node, notes: &Notes, declared: Declared) -> (Facet, Option<Node>) {
        let made = match &value.value {
            NodeValue::Map(_) => Some("dict"),
            NodeValue::Array(_) => Some("list"),
            _ => None,
        };
        if let Some(made) = made.filter(|_| notes.computed.is_some() || value.raw) {
            let kind = ProblemKind::ComputedCollection { found: made.into() };
            self.faults.push(Problem { node: declared, annotation: None, span: value.span, kind }.into());
            return (Facet::Unknown, None);
        }
        let facet = match &value.value {
            NodeValue::Map(items) => return (Facet::Map(self.map(items, value.partial)), None),
            NodeValue::Array(items) => {
                let ids: Vec<_> = items.iter().map(|item| self.array_item(item)).collect();
                // If nothing describes the items, the array's own place is used.
                let here = Declared { span: value.span, name: value.span };
                let item = match ids.as_slice() {
                    [only] => *only,
                    _ if value.partial => self.anything(here, false),
                    [] => self.anything(here, true),
                    [_, ..] => {
                        self.found(array_items::finding(declared.name));
                        self.anything(here, false)
                    }
                };
                let empty = Node::new(NodeValue::Array(Vec::new()), value.span);
                return (Facet::Array(ArrayShape::of(item)), Some(empty));
            }
            NodeValue::Null => Facet::Any,
            NodeValue::Unknown => Facet::Unknown,
            NodeValue::Bool(_) => Facet::Bool,
            NodeValue::Int(_) => Facet::Int,
            NodeValue::Float(_) => Facet::Float,
            NodeValue::String(_) => Facet::String,
        };
        (facet, Some(value.clone()))
    }

    /// Below `any`, no annotation may say anything about types, defaults or keys.
    fn below_any(&mut self, value: &Node, any: Span) {
        let mut open = vec![value];
        while let Some(node) = open.pop() {
            match &node.value {
                NodeValue::Map(items) => {
                    for item in items {
                        self.nested(&item.notes, ytt::declared_item(item), any);
                        open.push(&item.value);
                    }
                }
                NodeValue::Array(items) => {
                    for item in items {
                        self.nested(&item.notes, ytt::declared_array_item(item), any);
                        open.push(&item.value);
                    }
                }
                _ => {}
            }
        }
    }

    fn nested(&mut self, notes: &Notes, declared: Declared, any: Span) {
        const NAMES: [&str; 7] = ["type", "nullable", "default", "any-key", "key-may-be-present", "key", "removed"];
        let of_types = |note: &&Note| note.name.strip_prefix("schema/").is_some_and(|name| NAMES.contains(&name));
        if let Some(first) = notes.annotations.iter().find(of_types) {
            self.found(below_any::finding(declared.name, first, any));
        }
        if let Some(note) = note(notes, "schema/validate") {
            self.found(no_effect::finding(
                note.span,
                "nothing is checked below a value of any type: this rule has no effect",
            ));
        }
    }
}

fn unknown_name(word: &str) -> (String, Option<&'static str>) {
    let meant = match word {
        "map" | "array" | "list" | "dict" | "object" => {
            let message = "maps and arrays are described by the value, with `or_inferred=True`";
            return (format!("there is no type `{word}`: {message}"), None);
        }
        "integer" => Some("int"),
        "boolean" => Some("bool"),
        "number" => Some("float"),
        "str" => Some("string"),
        _ => nearest(word, &NAMES.map(|(name, _)| name)),
    };
    let message = match meant {
        Some(meant) => format!("there is no type `{word}`: did you mean `{meant}`?"),
        None => format!("there is no type `{word}`: write string, float, int, bool, null or any"),
    };
    (message, meant)
}
