//! Which keys a map has: `@schema/any-key`, `@schema/key-may-be-present`, `@schema/key`.

use super::rules::{key_arguments, unanchored_pattern};
use super::wrong_argument::WrongArgument;
use super::{ProposalReader, at, found, is_sure, nearest};
use lofting_document::{Integer, Key, Map, MapItem, NodeValue, Note, Span};
use lofting_eval::{Expr, ExprKind};
use lofting_overlay::{Argument, Called, Function};
use lofting_schema::{Admits, Asked, DeclaredKey, Expected, FreeKeys, MapShape, Pattern, PatternDialect, Rest};
use rustc_hash::FxHashMap;

/// What an item of a map in a schema declares.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Role {
    /// A key that is always present.
    Declared,
    /// A key that may be left out.
    Optional,
    /// Undeclared keys.
    Free { admits: Box<Admits>, expects: Vec<Expected>, span: Span },
}

/// The keys of a map.
pub(super) fn read(reader: &mut ProposalReader<'_>, items: &Map, partial: bool) -> MapShape {
    let (mut keys, mut free) = (Vec::new(), Vec::<FreeKeys>::new());
    let mut any_key: Option<Span> = None;
    for item in items {
        let role = role(reader, item);
        let schema = reader.item(item, &role);
        if let Some(note) = item.notes.get("schema/any-key")
            && let Some(first) = any_key.replace(note.span)
        {
            let finding = key_arguments::finding(item.key_span, note, "a map can have only one `@schema/any-key`");
            reader.found(finding.related(first, "the first"));
        }
        match role {
            Role::Free { admits, expects, span } => free.push(FreeKeys { admits: *admits, schema, expects, span }),
            Role::Declared | Role::Optional => {
                keys.push(DeclaredKey { key: item.key.clone(), schema, required: false })
            }
        }
    }
    let rest = if partial { Rest::Open } else { Rest::Closed };
    MapShape { free, rest, ..MapShape::closed(keys) }
}

const NAMES: [&str; 3] = ["schema/any-key", "schema/key-may-be-present", "schema/key"];

fn role(reader: &mut ProposalReader<'_>, item: &MapItem) -> Role {
    let of_keys = |note: &&Note| NAMES.contains(&note.name.as_str());
    let mut notes = item.notes.annotations.iter().filter(of_keys);
    let Some(first) = notes.next() else { return Role::Declared };
    if let Some(second) = notes.find(|note| note.name != first.name) {
        let message = "only one annotation can say which keys this item stands for";
        reader.found(key_arguments::finding(item.key_span, second, message).related(first.span, "the other"));
    }
    if first.name == "schema/key" {
        return key(reader, item, first);
    }
    if is_sure(first) && !first.arguments.is_empty() {
        let message = format!("`@{}` takes no argument", first.name);
        reader.found(key_arguments::finding(item.key_span, first, &message));
    }
    match first.name.as_str() {
        "schema/any-key" => Role::Free { admits: Box::new(Admits::All), expects: Vec::new(), span: first.span },
        _ => Role::Optional,
    }
}

/// `@schema/key allowed=, expects=, missing_ok=`
fn key(reader: &mut ProposalReader<'_>, item: &MapItem, note: &Note) -> Role {
    let anything = Role::Free { admits: Box::new(Admits::All), expects: Vec::new(), span: note.span };
    if !is_sure(note) {
        return anything;
    }
    let mut messages = Vec::new();
    if !note.arguments.positional.is_empty() {
        messages.push("`@schema/key` takes keyword arguments: `allowed=`, `expects=`, `missing_ok=`".to_owned());
    }
    let known = ["allowed", "expects", "missing_ok"];
    for keyword in note.arguments.keywords.iter().filter(|keyword| !known.contains(&keyword.name.as_str())) {
        let meant =
            nearest(&keyword.name, &known).map(|known| format!(": did you mean `{known}=`?")).unwrap_or_default();
        messages.push(format!("`@schema/key` has no argument `{}=`{meant}", keyword.name));
    }
    let value = |name: &str| note.arguments.keyword(name).map(|keyword| &keyword.value);
    let allowed = value("allowed").map(|value| admits(value, note, &item.key)).transpose();
    let expects = match (value("expects"), value("missing_ok")) {
        (Some(_), Some(_)) => Err(WrongArgument::TwoCounts),
        (Some(value), None) => expected(value, note),
        (None, Some(value)) => match value.kind {
            ExprKind::Bool(true) => Ok(vec![Expected::AtLeast(0)]),
            ExprKind::Bool(false) => Ok(vec![Expected::Exactly(1)]),
            _ => match value.type_name() {
                Some(found) => Err(WrongArgument::of_type("missing_ok", "`True` or `False`", found)),
                None => Ok(Vec::new()),
            },
        },
        (None, None) => Ok(vec![Expected::Exactly(1)]),
    };
    let has_pattern = value("allowed").is_some();
    messages.extend(allowed.as_ref().err().map(WrongArgument::to_string));
    messages.extend(expects.as_ref().err().map(WrongArgument::to_string));
    let is_wrong = !messages.is_empty();
    for message in messages {
        reader.found(key_arguments::finding(item.key_span, note, &message));
    }
    match (allowed, expects) {
        _ if is_wrong => anything,
        (Ok(Some(admits)), Ok(expects)) => {
            if let (Admits::Pattern(pattern), Some(value)) = (&admits, value("allowed")) {
                let finding = unanchored_pattern::look(at(note, &value.range), &pattern.source);
                reader.faults.extend(finding.map(found));
            }
            Role::Free { admits: Box::new(admits), expects, span: note.span }
        }
        (_, Ok(expects)) if !has_pattern => named(reader, item, note, expects),
        _ => anything,
    }
}

/// A declared key: its number can only be 0 or 1.
fn named(reader: &mut ProposalReader<'_>, item: &MapItem, note: &Note, mut expects: Vec<Expected>) -> Role {
    for expected in &mut expects {
        if let Expected::Function(asked) = expected {
            let function = Function { span: asked.span, callable: asked.function.clone() };
            let calls = [0, 1].map(|count| vec![Argument::Number(count)]);
            for (count, answer) in reader.host.call(&function, &calls).into_iter().enumerate() {
                if let Called::Value(returned) = answer {
                    let is_false = matches!(
                        returned.node.value,
                        NodeValue::Bool(false) | NodeValue::Null | NodeValue::Int(Integer::ZERO)
                    );
                    asked.answers.insert(count, !is_false);
                }
            }
        }
    }
    let counted = FreeKeys { admits: Admits::All, schema: lofting_schema::SchemaId(0), expects, span: note.span };
    match (counted.allows(0), counted.allows(1)) {
        (Some(false), Some(false)) => {
            let message = format!("a key can be present at most once: {} can never hold", counted.expected_words());
            reader.found(key_arguments::finding(item.key_span, note, &message));
            Role::Declared
        }
        (Some(true), Some(false)) => {
            let pattern = Pattern::new(format!("^{}$", regex::escape(&item.key.to_string())), PatternDialect::Re2);
            Role::Free { admits: Box::new(Admits::Pattern(pattern)), expects: counted.expects, span: note.span }
        }
        (Some(true), _) => Role::Optional,
        _ => Role::Declared,
    }
}

/// The keys that `allowed=` admits.
fn admits(value: &Expr, note: &Note, own: &Key) -> Result<Admits, WrongArgument> {
    match (&value.kind, value.as_str()) {
        (_, Some("any")) => Ok(Admits::All),
        (_, Some(source)) => {
            let pattern = Pattern::new(source, PatternDialect::Re2);
            if pattern.is_valid() {
                Ok(Admits::Pattern(pattern))
            } else {
                Err(WrongArgument::Pattern(source.to_owned()))
            }
        }
        (ExprKind::Lambda { .. } | ExprKind::Callable(_) | ExprKind::Code | ExprKind::Missing, None) => {
            Ok(Admits::Function(function(value, note, Some(own.clone()))))
        }
        (_, None) => Err(WrongArgument::Allowed),
    }
}

fn function<K: std::hash::Hash + Eq>(value: &Expr, note: &Note, own_key: Option<Key>) -> Asked<K> {
    let function = match &value.kind {
        ExprKind::Callable(callable) => Some(callable.clone()),
        _ => None,
    };
    Asked { span: at(note, &value.range), function, own_key, answers: FxHashMap::default() }
}

/// The numbers that `expects=` allows.
fn expected(value: &Expr, note: &Note) -> Result<Vec<Expected>, WrongArgument> {
    if let ExprKind::List(items) | ExprKind::Tuple(items) = &value.kind {
        return if items.is_empty() {
            Err(WrongArgument::NoCount)
        } else {
            items.iter().map(|item| one_expected(item, note)).collect()
        };
    }
    one_expected(value, note).map(|expected| vec![expected])
}

fn one_expected(value: &Expr, note: &Note) -> Result<Expected, WrongArgument> {
    match (&value.kind, value.as_str()) {
        (ExprKind::Int(number), _) => match usize::try_from(*number) {
            Ok(number) => Ok(Expected::Exactly(number)),
            Err(_) => Err(WrongArgument::Negative),
        },
        (_, Some(text)) => match text.strip_suffix('+').and_then(|number| number.parse().ok()) {
            Some(number) => Ok(Expected::AtLeast(number)),
            None => Err(WrongArgument::Count(text.to_owned())),
        },
        (ExprKind::Lambda { .. } | ExprKind::Callable(_) | ExprKind::Code | ExprKind::Missing, None) => {
            Ok(Expected::Function(function(value, note, None)))
        }
        _ => Err(WrongArgument::Expects),
    }
}
