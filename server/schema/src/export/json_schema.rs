//! JSON Schema (2020-12), with everything that the OpenAPI export leaves out: validations as keywords where possible,
//! every example, deprecation texts, defaults of maps.
//!
//! The result never refuses what ytt accepts, with one deliberate exception: lengths count characters instead of bytes.

use super::{DEPTH, NOWHERE, Object, known_default, list, text};
use crate::semantics::{Formats, Semantics};
use crate::{Admits, Constraint, ConstraintKind, Expected, Kinds, MapShape, Rest, Schema, SchemaId, SchemaNode, Shape};
use lofting_document::{Key, Node, NodeValue, Span};

/// The whole schema.
pub fn json_schema(schema: &Schema) -> Node {
    let mut out = Object::default();
    out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    write_node(schema, schema.root(), 0, &mut out);
    out.finish()
}

/// A node with a limited number of levels below it; anything deeper is any value.
pub fn json_schema_of(schema: &Schema, id: SchemaId, levels: usize) -> Node {
    node(schema, id, DEPTH.saturating_sub(levels))
}

fn node(schema: &Schema, id: SchemaId, depth: usize) -> Node {
    let mut out = Object::default();
    write_node(schema, id, depth, &mut out);
    out.finish()
}

fn write_node(schema: &Schema, id: SchemaId, depth: usize, out: &mut Object) {
    let node = schema.node(id);
    if depth > DEPTH {
        return;
    }
    if let Some(removed) = &node.docs.removed {
        out.set("not", Object::default().finish());
        if !removed.text.is_empty() {
            out.text("description", &removed.text);
        }
        return;
    }
    documentation(node, out);
    let not_null = node.constraints.iter().any(|one| matches!(one.kind, ConstraintKind::NotNull) && !one.conditional);
    let null = node.nullable && !not_null;
    let names = type_names(node);
    match (names.as_slice(), null) {
        ([name], false) => out.text("type", name),
        ([_, ..], _) => {
            let null = null.then_some(&"null");
            out.set("type", list(names.iter().chain(null).map(|name| text(name))));
        }
        ([], _) if not_null => {
            let mut is_null = Object::default();
            is_null.text("type", "null");
            out.set("not", is_null.finish());
        }
        ([], _) => {}
    }
    match node.shape() {
        Shape::Map(map) => {
            // Keys of JSON are strings.
            let mut properties = Object::default();
            for key in &map.keys {
                properties.set(key.key.to_string().as_str(), self::node(schema, key.schema, depth + 1));
            }
            out.set("properties", properties.finish());
            let required = map.keys.iter().filter(|key| key.required).map(|key| text(&key.key.to_string()));
            let required: Vec<Node> = required.collect();
            if !required.is_empty() {
                out.set("required", list(required));
            }
            let admitted = free_keys(schema, map, depth, out);
            match map.rest {
                Rest::Closed if admitted => {}
                Rest::Closed => out.flag("additionalProperties", false),
                Rest::Open | Rest::Unread => {}
                Rest::Schema(rest) => out.set("additionalProperties", self::node(schema, rest, depth + 1)),
            }
        }
        Shape::Array(array) if schema.node(array.item).says_nothing() && schema.node(array.item).known => {}
        Shape::Array(array) => out.set("items", self::node(schema, array.item, depth + 1)),
        Shape::Union(members) => {
            out.set("anyOf", list(members.iter().map(|member| self::node(schema, *member, depth + 1))));
        }
        _ => {}
    }
    for constraint in &node.constraints {
        keyword(schema, node, constraint, null, out);
    }
    let rules: Vec<Node> = node.rules.iter().filter_map(|rule| rule.description.as_deref().map(text)).collect();
    if !rules.is_empty() {
        out.set("x-ytt-validation", list(rules));
    }
    let default = if node.left_out { None } else { known_default(schema, id) };
    if let Some(default) = default.filter(is_json) {
        out.set("default", default);
    }
}

/// Writes the rules for undeclared keys. Returns whether any further key is decided by them.
fn free_keys(schema: &Schema, map: &MapShape, depth: usize, out: &mut Object) -> bool {
    let mut patterns = Object::default();
    let mut any = None;
    for free in &map.free {
        match &free.admits {
            Admits::Pattern(pattern) => patterns.set(pattern.source.as_str(), node(schema, free.schema, depth + 1)),
            Admits::All | Admits::Function(_) => any = any.or(Some(free.schema)),
        }
    }
    if map.free.iter().any(|free| matches!(free.admits, Admits::Pattern(_))) {
        out.set("patternProperties", patterns.finish());
    }
    if let ([only], true) = (map.free.as_slice(), map.keys.is_empty()) {
        let number = |number: usize| Node::new(NodeValue::int(number as i128), NOWHERE);
        let least = only.expects.iter().map(|expected| match expected {
            Expected::Exactly(number) | Expected::AtLeast(number) => Some(*number),
            Expected::Function(_) => None,
        });
        let most = only.expects.iter().map(|expected| match expected {
            Expected::Exactly(number) => Some(*number),
            Expected::AtLeast(_) | Expected::Function(_) => None,
        });
        if let Some(least) = least.collect::<Option<Vec<usize>>>().and_then(|all| all.into_iter().min()) {
            out.set("minProperties", number(least));
        }
        if let Some(most) = most.collect::<Option<Vec<usize>>>().and_then(|all| all.into_iter().max()) {
            out.set("maxProperties", number(most));
        }
    }
    if let Some(any) = any {
        out.set("additionalProperties", node(schema, any, depth + 1));
    }
    any.is_some()
}

/// Whether JSON can express the value: it has no infinity.
fn is_json(value: &Node) -> bool {
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        match &node.value {
            NodeValue::Float(number) if !number.is_finite() => return false,
            NodeValue::Map(items) => open.extend(items.iter().map(|item| &item.value)),
            NodeValue::Array(items) => open.extend(items.iter().map(|item| &item.value)),
            _ => {}
        }
    }
    true
}

fn documentation(node: &SchemaNode, out: &mut Object) {
    let docs = &node.docs;
    if let Some(title) = docs.title.as_ref().filter(|title| !title.text.is_empty()) {
        out.text("title", &title.text);
    }
    if let Some(description) = docs.description.as_ref().filter(|description| !description.text.is_empty()) {
        out.text("description", &description.text);
    }
    if let Some(deprecated) = &docs.deprecated {
        out.flag("deprecated", true);
        if !deprecated.text.is_empty() {
            // Not part of the standard, but shown by editors.
            out.text("deprecationMessage", &deprecated.text);
        }
    }
    let examples: Vec<Node> = docs
        .examples
        .iter()
        .map(|example| &example.value)
        .filter(|value| value.is_known() && is_json(value))
        .cloned()
        .collect();
    if !examples.is_empty() {
        out.set("examples", list(examples));
    }
}

/// Writes a validation as a keyword, if JSON Schema has one with the same meaning.
fn keyword(schema: &Schema, node: &SchemaNode, constraint: &Constraint, null: bool, out: &mut Object) {
    if constraint.conditional {
        return;
    }
    // ytt counts keys that are not written as well: they have defaults.
    let is_filled = node.map.as_deref().is_some_and(|map| !map.keys.is_empty());
    let length = |names: [&'static str; 3]| {
        let kinds = [Kinds::STRING, Kinds::ARRAY, Kinds::MAP];
        let named = kinds.into_iter().zip(names);
        let is_of_some = node.kinds != Kinds::ANY || constraint.on != Kinds::ANY;
        let speaks = |kind| is_of_some && node.kinds.has(kind) && constraint.on.has(kind);
        named.filter(move |(kind, _)| speaks(*kind)).map(|(kind, name)| (kind == Kinds::MAP, name)).collect::<Vec<_>>()
    };
    match &constraint.kind {
        ConstraintKind::Min(bound) => number("minimum", bound, out),
        ConstraintKind::Max(bound) => number("maximum", bound, out),
        ConstraintKind::ExclusiveMin(bound) => number("exclusiveMinimum", bound, out),
        ConstraintKind::ExclusiveMax(bound) => number("exclusiveMaximum", bound, out),
        ConstraintKind::MultipleOf(factor) => out.set("multipleOf", Node::new(NodeValue::Float(*factor), NOWHERE)),
        ConstraintKind::MinLength(bound) => {
            for (_, name) in
                length(["minLength", "minItems", "minProperties"]).into_iter().filter(|(map, _)| !(*map && is_filled))
            {
                out.set(name, Node::new(NodeValue::int((*bound).max(0)), NOWHERE));
            }
        }
        ConstraintKind::MaxLength(bound) => {
            for (_, name) in length(["maxLength", "maxItems", "maxProperties"]) {
                out.set(name, Node::new(NodeValue::int((*bound).max(0)), NOWHERE));
            }
        }
        ConstraintKind::OneOf(values) => {
            if values.iter().all(|value| value.is_known() && is_json(value)) {
                let null = null.then(|| Node::new(NodeValue::Null, NOWHERE));
                out.set("enum", list(values.iter().cloned().chain(null)));
            }
        }
        ConstraintKind::OneNotNull(keys) => {
            if let Shape::Map(map) = node.shape() {
                one_not_null(schema, map, keys.as_deref(), out);
            }
        }
        ConstraintKind::Pattern(pattern) => out.pattern(&pattern.source),
        ConstraintKind::StartsWith(start) => out.pattern(&format!("^{}", regex::escape(start))),
        ConstraintKind::EndsWith(end) => out.pattern(&format!("{}$", regex::escape(end))),
        ConstraintKind::Format(name) | ConstraintKind::FormatHint(name) => match name.as_str() {
            name if schema.semantics().formats != Formats::Proposed => out.text("format", name),
            "ip" => {
                let one = |name| {
                    let mut one = Object::default();
                    one.text("format", name);
                    one.finish()
                };
                out.set("anyOf", list([one("ipv4"), one("ipv6")]));
            }
            "port" => {
                if node.kinds.has(Kinds::INT) {
                    out.set("minimum", Node::new(NodeValue::int(0), NOWHERE));
                    out.set("maximum", Node::new(NodeValue::int(65535), NOWHERE));
                }
                if node.kinds.has(Kinds::STRING) {
                    out.pattern("^[0-9]{1,5}$");
                }
            }
            "percent" => out.pattern("^[0-9]+%$"),
            "duration" => {
                out.pattern("^[-+]?(0|([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|µs|μs|ms|s|m|h))+$");
            }
            _ => out.text("format", name),
        },
        ConstraintKind::UniqueItems => out.flag("uniqueItems", true),
        ConstraintKind::NotNull => {}
    }
}

/// What the rules of a schema say and its form in JSON Schema does not, each with its place.
pub fn left_out(schema: &Schema) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    for (_, node) in schema.nodes().filter(|(_, node)| node.docs.removed.is_none()) {
        let unwritten = node.constraints.iter().filter(|bound| !is_written(schema, node, bound));
        found.extend(unwritten.map(|bound| (bound.span, bound.words())));
        found.extend(node.rules.iter().map(|rule| {
            let what = rule.description.as_deref().map(|said| format!("a rule that is code: {said}"));
            (rule.span, what.unwrap_or_else(|| "a rule that is code".to_owned()))
        }));
        let is_union = matches!(node.shape(), Shape::Union(_));
        let at = node.declared.name;
        if !node.clauses.is_empty() && !is_union {
            found.push((at, "what further schemas say about the same value".to_owned()));
        }
        if node.map.as_deref().is_some_and(|map| !map.patterns.is_empty()) {
            found.push((at, "rules for keys that match a pattern".to_owned()));
        }
        if node.array.as_deref().is_some_and(|array| !array.prefix.is_empty()) {
            found.push((at, "rules for single items".to_owned()));
        }
        if node.judged.is_some() {
            found.push((at, "rules that are code".to_owned()));
        }
    }
    found.sort_by_key(|(span, _)| (span.file, span.start));
    found.dedup();
    found
}

/// Whether a bound is among the keywords, or refuses nothing anyway.
fn is_written(schema: &Schema, node: &SchemaNode, bound: &Constraint) -> bool {
    let declared = || node.map.as_deref().map_or(0, |map| map.keys.len());
    match &bound.kind {
        ConstraintKind::NotNull => !bound.conditional,
        // ytt counts keys that are not written as well.
        ConstraintKind::MinLength(least) if *least <= i128::try_from(declared()).unwrap_or(0) => true,
        _ => {
            let mut out = Object::default();
            keyword(schema, node, bound, false, &mut out);
            !out.0.is_empty()
        }
    }
}

fn number(name: &str, bound: &Node, out: &mut Object) {
    if matches!(bound.value, NodeValue::Int(_) | NodeValue::Float(_)) && is_json(bound) {
        out.set(name, bound.clone());
    }
}

/// Exactly one key is set. Can be expressed only if keys that are not written are null.
fn one_not_null(schema: &Schema, map: &MapShape, keys: Option<&[Key]>, out: &mut Object) {
    let names: Vec<Key> = match keys {
        Some(keys) => keys.to_vec(),
        None => map.keys.iter().map(|key| key.key.clone()).collect(),
    };
    let null_by_default = |name: &Key| match map.get(name).and_then(|key| schema.node(key.schema).default.as_ref()) {
        Some(default) => matches!(default.value.value, NodeValue::Null),
        None => false,
    };
    if names.is_empty() || !names.iter().all(null_by_default) {
        return;
    }
    let branches = names.iter().map(|name| {
        let mut is_null = Object::default();
        is_null.text("type", "null");
        let mut not = Object::default();
        not.set("not", is_null.finish());
        let mut property = Object::default();
        property.set(name.to_string().as_str(), not.finish());
        let mut branch = Object::default();
        branch.set("required", list([text(&name.to_string())]));
        branch.set("properties", property.finish());
        branch.finish()
    });
    out.set("oneOf", list(branches));
}

/// The names of the types that a node accepts, except null by `nullable`; empty for any type.
fn type_names(node: &SchemaNode) -> Vec<&'static str> {
    if let Some(name) = type_name(node.shape()).filter(|_| !node.kinds.is_several()) {
        return vec![name];
    }
    if !node.known || node.kinds == Kinds::ANY {
        return Vec::new();
    }
    let words = node.kinds.words(&Semantics::JSON.words).into_iter();
    words.map(|word| if word == "map" { "object" } else { word }).collect()
}

fn type_name(shape: Shape<'_>) -> Option<&'static str> {
    match shape {
        Shape::Map(_) => Some("object"),
        Shape::Array(_) => Some("array"),
        Shape::String => Some("string"),
        Shape::Int => Some("integer"),
        Shape::Float => Some("number"),
        Shape::Bool => Some("boolean"),
        Shape::Null => Some("null"),
        Shape::Any | Shape::Unknown | Shape::Union(_) => None,
    }
}
