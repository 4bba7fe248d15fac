//! Default values, and the values that get them.

use super::small::{schema, value};
use lofting_document::{ArrayItem, MapItem, Node, NodeValue, Notes};
use lofting_eval::MAX_NESTING;
use proptest::prelude::*;

const SCHEMA: &str = "
keys:
  a:
    keys:
      b: {default: 1}
      c: {default: [x]}
      d: {keys: {b: {default: true}, e: {default: null}}}
      gone: {default: 1, absent: true}
  l: {items: {keys: {b: {default: 0}, d: {keys: {e: {default: x}}}}}, default: []}
  k: {default: {b: 2}, keys: {b: {default: 1}, e: {default: 3}}}
";

/// A value as its text in one line.
fn shown(node: &Node) -> String {
    crate::words::literal(node)
}

fn filled(of: &str, given: &str) -> String {
    let (schema, mut value) = (schema(of), value(given));
    schema.fill_defaults(schema.root(), &mut value);
    shown(&value)
}

#[test]
fn what_is_not_given_is_added_after_what_is() {
    let whole = "{a: {b: 1, c: [\"x\"], d: {b: true, e: null}}, l: [], k: {b: 2, e: 3}}";
    assert_eq!(filled(SCHEMA, "{}"), whole);
    assert_eq!(shown(&schema(SCHEMA).effective_default(schema(SCHEMA).root())), whole);
    assert_eq!(
        filled(SCHEMA, "l: [{}, 1]\nother: 2\na: {gone: 5, d: {e: 1}}\n"),
        "{l: [{b: 0, d: {e: \"x\"}}, 1], other: 2, a: {gone: 5, d: {e: 1, b: true}, b: 1, c: [\"x\"]}, k: {b: 2, e: 3}}"
    );
    // What is given stays, even where it is of the wrong kind.
    assert_eq!(filled(SCHEMA, "{a: null, l: 3, k: []}"), "{a: null, l: 3, k: []}");
}

/// A schema may contain itself; no value is nested without end.
#[test]
fn defaults_without_end_are_unknown_where_they_become_deep_or_many() {
    for text in ["{name: loop, keys: {next: loop}}", "{name: loop, keys: {one: loop, other: loop}}"] {
        let schema = schema(text);
        let whole = schema.effective_default(schema.root());
        assert!(!whole.is_known(), "{text}");
        let (mut deepest, mut maps, mut open) = (0, 0, vec![(0, &whole)]);
        while let Some((depth, node)) = open.pop() {
            deepest = deepest.max(depth);
            if let NodeValue::Map(items) = &node.value {
                maps += 1;
                open.extend(items.iter().map(|item| (depth + 1, &item.value)));
            }
        }
        assert!(deepest <= MAX_NESTING + 1 && maps > 1_000 && maps < 20_000, "{text}: {deepest}, {maps}");
    }
    let deep = format!("{}{}", "[".repeat(50), "]".repeat(50));
    assert_eq!(filled("{name: loop, items: loop}", &deep), deep);
}

/// Only what references repeat is limited, not what a schema writes down.
#[test]
fn all_keys_of_a_long_schema_have_their_defaults() {
    let schema =
        schema(&format!("keys:\n{}", (0..20_000).map(|key| format!("  k{key}: {{default: 1}}\n")).collect::<String>()));
    assert!(schema.effective_default(schema.root()).is_known());
    let mut given = value("{k7: 2}");
    schema.fill_defaults(schema.root(), &mut given);
    assert!(given.is_known());
}

/// Lays a value over another: keys are added or replaced, items are added.
fn lay(left: &mut Node, over: &Node) {
    match (&mut left.value, &over.value) {
        (NodeValue::Map(items), NodeValue::Map(over)) => {
            for item in over.iter() {
                match items.position(&item.key).and_then(|at| items.value_mut(at)) {
                    Some(value) => lay(value, &item.value),
                    None => items.push(item.clone()),
                }
            }
        }
        (NodeValue::Array(items), NodeValue::Array(over)) => items.extend(over.iter().cloned()),
        (left, over) => *left = over.clone(),
    }
}

/// Values with the keys of the schema, of the right kinds or not.
fn values() -> impl Strategy<Value = Node> {
    let place = value("1").span;
    let node = move |value: NodeValue| Node::new(value, place);
    let leaf = prop_oneof![Just(NodeValue::Null), Just(NodeValue::int(7)), Just(NodeValue::Map(Default::default()))];
    let item = move |value: Node| ArrayItem { span: place, value, notes: Notes::default(), conditional: false };
    let entry = move |(key, value): (&'static str, Node)| MapItem {
        key: key.into(),
        key_span: place,
        span: place,
        value,
        notes: Notes::default(),
        merged: false,
        conditional: false,
    };
    let keys = proptest::sample::select(vec!["a", "b", "c", "d", "e", "k", "l", "other"]);
    leaf.prop_map(node).prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            3 => proptest::collection::btree_map(keys.clone(), inner.clone(), 0..5)
                .prop_map(move |map| node(NodeValue::Map(map.into_iter().map(entry).collect::<Vec<_>>().into()))),
            1 => proptest::collection::vec(inner, 0..3)
                .prop_map(move |items| node(NodeValue::Array(items.into_iter().map(item).collect()))),
        ]
    })
}

proptest! {
    #[test]
    fn filling_twice_is_filling_once(mut value in values()) {
        let schema = schema(SCHEMA);
        schema.fill_defaults(schema.root(), &mut value);
        let once = shown(&value);
        schema.fill_defaults(schema.root(), &mut value);
        prop_assert_eq!(once, shown(&value));
    }

    /// After a value was laid over one that has its defaults, only what it touched needs to be looked at.
    #[test]
    fn filling_below_what_was_laid_over_is_filling_all(mut value in values(), over in values()) {
        let schema = schema(SCHEMA);
        schema.fill_defaults(schema.root(), &mut value);
        lay(&mut value, &over);
        let mut below = value.clone();
        schema.fill_defaults_below(schema.root(), &mut below, &over);
        schema.fill_defaults(schema.root(), &mut value);
        prop_assert_eq!(shown(&below), shown(&value));
    }
}
