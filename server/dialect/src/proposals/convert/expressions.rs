//! Expresses the rules of a schema as Starlark expressions.

use super::names::{Helper, Names};
use lofting_document::{Node, NodeValue};
use lofting_eval::write_string;
use lofting_schema::{Admits, Constraint, ConstraintKind, Expected, FreeKeys, Kinds, MapShape, Schema, SchemaId};
use std::ops::Range;

/// Deeper parts of a value are not checked.
const DEPTH: usize = 12;

/// Code under construction.
pub(super) struct Code<'t> {
    /// The text of the schema, from which functions are copied.
    pub text: &'t str,
    /// The names of functions that the code calls.
    pub names: &'t mut Names,
}

impl Code<'_> {
    fn at(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or("True")
    }
}

/// A Starlark literal. Values of schemas have bounded depth, and so has this recursion.
pub(super) fn literal(value: &Node) -> String {
    match &value.value {
        NodeValue::Null | NodeValue::Unknown => "None".to_owned(),
        NodeValue::Bool(true) => "True".to_owned(),
        NodeValue::Bool(false) => "False".to_owned(),
        NodeValue::Int(number) => number.to_string(),
        NodeValue::Float(number) => format!("{number:?}"),
        NodeValue::String(text) => write_string(text),
        NodeValue::Array(items) => {
            format!("[{}]", items.iter().map(|item| literal(&item.value)).collect::<Vec<_>>().join(", "))
        }
        NodeValue::Map(items) => {
            let entry = |item: &lofting_document::MapItem| {
                format!("{}: {}", write_string(&item.key.to_string()), literal(&item.value))
            };
            format!("{{{}}}", items.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A Starlark list of values.
pub(super) fn list(values: &[Node]) -> String {
    format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", "))
}

/// An expression that is true if `value` is of one of these kinds.
pub(super) fn kinds_hold(kinds: Kinds, value: &str) -> String {
    let names = [
        (Kinds::STRING, "string"),
        (Kinds::INT, "int"),
        (Kinds::FLOAT, "float"),
        (Kinds::BOOL, "bool"),
        (Kinds::NULL, "NoneType"),
        (Kinds::MAP, "dict"),
        (Kinds::ARRAY, "list"),
    ];
    let names: Vec<String> =
        names.into_iter().filter(|(kind, _)| kinds.has(*kind)).map(|(_, name)| write_string(name)).collect();
    format!("(type({value}) in [{}])", names.join(", "))
}

/// An expression that is true if a bound holds; None if there is none.
pub(super) fn holds(constraint: &Constraint, value: &str, code: &mut Code<'_>) -> Option<String> {
    let mut matches = |pattern: &str, value: &str| {
        format!("{}.match({}, {value})", code.names.module("regexp"), write_string(pattern))
    };
    Some(match &constraint.kind {
        ConstraintKind::Min(bound) => format!("{value} >= {}", literal(bound)),
        ConstraintKind::Max(bound) => format!("{value} <= {}", literal(bound)),
        ConstraintKind::MinLength(length) => format!("len({value}) >= {length}"),
        ConstraintKind::MaxLength(length) => format!("len({value}) <= {length}"),
        ConstraintKind::OneOf(values) => format!("{value} in {}", list(values)),
        ConstraintKind::NotNull => format!("{value} != None"),
        ConstraintKind::Pattern(pattern) => matches(&pattern.source, value),
        ConstraintKind::StartsWith(text) => format!("{value}.startswith({})", write_string(text)),
        ConstraintKind::EndsWith(text) => format!("{value}.endswith({})", write_string(text)),
        ConstraintKind::UniqueItems => {
            let yaml = code.names.module("yaml");
            format!("len({value}) == len({{{yaml}.encode(item): None for item in {value}}})")
        }
        ConstraintKind::Format(name) => {
            let digits = "^[0-9]+$";
            match name.as_str() {
                "ip" | "ipv4" | "ipv6" => {
                    let (decodable, ip) = (code.names.function(Helper::Decodable), code.names.module("ip"));
                    let family = match name.as_str() {
                        "ipv4" => format!(" and \":\" not in {value}"),
                        "ipv6" => format!(" and \":\" in {value}"),
                        _ => String::new(),
                    };
                    format!("({decodable}({ip}.parse_addr, {value}){family})")
                }
                "port" => {
                    let is_number = matches(digits, &format!("str({value})"));
                    format!("({is_number} and int({value}) <= 65535)")
                }
                name => matches(pattern_of(name)?, value),
            }
        }
        _ => return None,
    })
}

/// An expression that is true if a bound holds for a value of several kinds; None if there is none, or if the bound
/// applies to none of them.
pub(super) fn guarded(constraint: &Constraint, kinds: Kinds, value: &str, code: &mut Code<'_>) -> Option<String> {
    let on = kinds.and(constraint.on);
    let condition = holds(constraint, value, code).filter(|_| on != Kinds::NONE)?;
    Some(if on == kinds { condition } else { format!("(not {} or {condition})", kinds_hold(on, value)) })
}

/// A pattern for the texts of a format, without checks that need a calendar.
fn pattern_of(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => {
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[-+][0-9]{2}:[0-9]{2})$"
        }
        "time" => "^[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[-+][0-9]{2}:[0-9]{2})$",
        "date" => "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "email" => "^[^@ ]+@[^@ ]+$",
        "hostname" => {
            "^([a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)([.][a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*$"
        }
        "uri" => "^[a-zA-Z][-+.a-zA-Z0-9]*:[^ ]*$",
        "percent" => "^[0-9]+%$",
        "duration" => "^[-+]?(0|(([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$",
        _ => return None,
    })
}

/// An expression that is true if plain data fits a node.
pub(super) fn fits(schema: &Schema, id: SchemaId, value: &str, depth: usize, code: &mut Code<'_>) -> String {
    let node = schema.node(id);
    if depth > DEPTH || (node.kinds == Kinds::ANY && node.constraints.is_empty() && node.rules.is_empty()) {
        return "True".to_owned();
    }
    let mut all = Vec::new();
    if node.kinds != Kinds::ANY {
        all.push(kinds_hold(node.kinds, value));
    }
    all.extend(node.constraints.iter().filter_map(|constraint| guarded(constraint, node.kinds, value, code)));
    for rule in &node.rules {
        let typed = if node.kinds == Kinds::ANY { ", typed=False" } else { "" };
        let made = code.names.function(Helper::Rule);
        all.push(format!("{made}({}{typed})({value})", code.at(rule.span.range())));
    }
    if let Some(map) = &node.map {
        let keys = keys(schema, map, value, depth, code);
        all.push(format!("(type({value}) != \"dict\" or ({keys}))"));
    }
    if let Some(array) = &node.array {
        let item = code.names.local(&format!("i{depth}"));
        let below = fits(schema, array.item, &item, depth + 1, code);
        all.push(format!("(type({value}) != \"list\" or all([{below} for {item} in {value}]))"));
    }
    let all = all.join(" and ");
    if node.nullable { format!("({value} == None or ({all}))") } else { format!("({all})") }
}

fn keys(schema: &Schema, map: &MapShape, value: &str, depth: usize, code: &mut Code<'_>) -> String {
    let key = code.names.local(&format!("k{depth}"));
    let item = format!("{value}[{key}]");
    let mut condition = String::new();
    for declared in &map.keys {
        let below = fits(schema, declared.schema, &item, depth + 1, code);
        condition.push_str(&format!("{below} if {key} == {} else ", write_string(&declared.key.to_string())));
    }
    let mut counts = Vec::new();
    for free in &map.free {
        let admits = admits(free, &key, code);
        let below = fits(schema, free.schema, &item, depth + 1, code);
        condition.push_str(&format!("{below} if {admits} else "));
        let named: Vec<String> = map.keys.iter().map(|declared| write_string(&declared.key.to_string())).collect();
        let count = format!("len([{key} for {key} in {value} if {key} not in [{}] and {admits}])", named.join(", "));
        let fine: Vec<String> = free.expects.iter().map(|expected| expects(expected, &count, code)).collect();
        if !fine.is_empty() && !free.expects.contains(&Expected::AtLeast(0)) {
            counts.push(format!("({})", fine.join(" or ")));
        }
    }
    let mut all = vec![format!("all([({condition}False) for {key} in {value}])")];
    all.extend(counts);
    all.join(" and ")
}

fn admits(free: &FreeKeys, key: &str, code: &mut Code<'_>) -> String {
    match &free.admits {
        Admits::Pattern(pattern) => {
            format!("{}.match({}, str({key}))", code.names.module("regexp"), write_string(&pattern.source))
        }
        Admits::All => "True".to_owned(),
        Admits::Function(asked) => {
            let own =
                asked.own_key.iter().map(|key| format!(", {}", write_string(&key.to_string()))).collect::<String>();
            format!("({})({key}{own})", code.at(asked.span.range()))
        }
    }
}

fn expects(expected: &Expected, count: &str, code: &Code<'_>) -> String {
    match expected {
        Expected::Exactly(number) => format!("{count} == {number}"),
        Expected::AtLeast(number) => format!("{count} >= {number}"),
        Expected::Function(asked) => format!("({})({count})", code.at(asked.span.range())),
    }
}
