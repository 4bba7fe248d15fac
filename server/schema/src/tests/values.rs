//! Kinds, comparisons and words.

use super::small::{schema, value};
use crate::compare::{Compared, equal, equality_hash, order};
use crate::words::literal;
use crate::{
    Admits, Asked, Constraint, ConstraintKind, Expected, FreeKeys, Kinds, Pattern, PatternDialect, SchemaId, Semantics,
};
use lofting_document::{ArrayItem, Key, Node, NodeValue, Notes};
use lofting_eval::MAX_NESTING;
use proptest::prelude::*;
use std::cmp::Ordering;

const KINDS: [Kinds; 7] = [Kinds::NULL, Kinds::BOOL, Kinds::INT, Kinds::FLOAT, Kinds::STRING, Kinds::MAP, Kinds::ARRAY];

/// All sets of kinds, each with its members.
fn sets() -> impl Iterator<Item = (Kinds, Vec<Kinds>)> {
    (0..1 << KINDS.len()).map(|bits: u32| {
        let members: Vec<Kinds> =
            KINDS.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0).map(|(_, kind)| *kind).collect();
        (members.iter().fold(Kinds::NONE, |set, kind| set | *kind), members)
    })
}

#[test]
fn kinds_are_sets() {
    let members = |set: Kinds| -> Vec<Kinds> { KINDS.into_iter().filter(|kind| set.has(*kind)).collect() };
    for (one, own) in sets() {
        assert_eq!(members(one), own);
        // Integers and floats are both numbers, and null does not count beside others.
        let mut apart: Vec<Kinds> = own.iter().copied().filter(|kind| *kind != Kinds::NULL).collect();
        if own.contains(&Kinds::FLOAT) {
            apart.retain(|kind| *kind != Kinds::INT);
        }
        assert_eq!(one.is_several(), apart.len() > 1, "{own:?}");
        // A number may be an integer, so the word for it says both.
        let null = usize::from(own.contains(&Kinds::NULL));
        assert_eq!(one.words(&Semantics::JSON.words).len(), apart.len() + null, "{own:?}");
        for (other, others) in sets() {
            let kept = |keep: &dyn Fn(&Kinds) -> bool| KINDS.into_iter().filter(keep).collect::<Vec<_>>();
            assert_eq!(members(one.or(other)), kept(&|kind| own.contains(kind) || others.contains(kind)));
            assert_eq!(members(one | other), members(one.or(other)));
            assert_eq!(members(one.and(other)), kept(&|kind| own.contains(kind) && others.contains(kind)));
            assert_eq!(members(one.without(other)), kept(&|kind| own.contains(kind) && !others.contains(kind)));
            assert_eq!(one.has(other), others.iter().all(|kind| own.contains(kind)));
        }
    }
    assert_eq!(members(Kinds::ANY), KINDS);
    assert_eq!(members(Kinds::NUMBER), [Kinds::INT, Kinds::FLOAT]);
    assert_eq!(members(Kinds::COLLECTIONS), [Kinds::MAP, Kinds::ARRAY]);
    let of = ["null", "true", "1", "1.5", "a", "{}", "[]"].map(|text| Kinds::of(&value(text).value));
    assert_eq!(of, KINDS.map(Some));
    assert_eq!(Kinds::of(&NodeValue::Unknown), None);
}

fn node(value: NodeValue) -> Node {
    Node::new(value, self::value("1").span)
}

fn array(items: Vec<Node>) -> Node {
    let item = |value: Node| ArrayItem { span: value.span, value, notes: Notes::default(), conditional: false };
    node(NodeValue::Array(items.into_iter().map(item).collect()))
}

fn values() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(NodeValue::Null),
        any::<bool>().prop_map(NodeValue::Bool),
        (-2i128..3).prop_map(NodeValue::int),
        (-4i8..6).prop_map(|halves| NodeValue::Float(f64::from(halves) / 2.0)),
        "[ab:# \"1]{0,2}".prop_map(|text| NodeValue::String(text.into())),
    ];
    leaf.prop_map(node).prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(array),
            proptest::collection::vec((proptest::sample::select(vec!["a", "on", "1"]), inner), 0..3).prop_map(
                |entries| {
                    let mut text = String::from("{");
                    let mut seen = Vec::new();
                    for (key, value) in entries {
                        if !seen.contains(&key) {
                            text.push_str(&format!("\"{key}\": {}, ", literal(&value)));
                            seen.push(key);
                        }
                    }
                    self::value(&format!("{text}}}"))
                }
            ),
        ]
    })
}

/// A text that is the same for equal values: keys in order, numbers as floats.
fn canonical(of: &Node) -> String {
    match &of.value {
        NodeValue::Int(number) => format!("{:?}", number.get() as f64),
        NodeValue::Float(number) => format!("{:?}", number + 0.0),
        NodeValue::Array(items) => items.iter().map(|item| canonical(&item.value) + ",").collect::<String>() + "]",
        NodeValue::Map(items) => {
            let mut all: Vec<String> =
                items.iter().map(|item| format!("{:?}: {}", item.key, canonical(&item.value))).collect();
            all.sort();
            all.join(",") + "}"
        }
        _ => literal(of),
    }
}

proptest! {
    #[test]
    fn values_are_equal_whose_content_is(one in values(), other in values()) {
        let same = canonical(&one) == canonical(&other);
        prop_assert_eq!(equal(&one, &other), Some(same));
        prop_assert_eq!(equal(&one, &one), Some(true));
        if same {
            prop_assert_eq!(equality_hash(&one), equality_hash(&other));
        }
    }

    #[test]
    fn an_order_is_one_from_both_sides(one in values(), other in values()) {
        match (order(&one, &other), order(&other, &one)) {
            (Compared::Order(forth), Compared::Order(back)) => {
                prop_assert_eq!(forth, back.reverse());
                prop_assert_eq!(forth == Ordering::Equal, equal(&one, &other) == Some(true));
            }
            (forth, back) => prop_assert_eq!((forth, back), (Compared::Unordered, Compared::Unordered)),
        }
    }

    /// What a message shows is what one may write.
    #[test]
    fn a_value_in_one_line_reads_as_itself(of in values()) {
        let again = value(&literal(&of));
        prop_assert_eq!(canonical(&again), canonical(&of));
    }
}

#[test]
fn values_of_one_kind_have_starlarks_order() {
    let ascending: &[&[&str]] = &[
        &["-1", "-0.5", "0", "1", "1.5", "2", ".inf"],
        &["false", "true"],
        &["''", "A", "B", "a", "aa", "ä"],
        &["[]", "[1]", "[1, 0]", "[1.5]", "[2]", "[2, [1]]", "[2, [2]]"],
    ];
    for values in ascending {
        for (at, one) in values.iter().enumerate() {
            for (other_at, other) in values.iter().enumerate() {
                let found = order(&value(one), &value(other));
                assert_eq!(found, Compared::Order(at.cmp(&other_at)), "{one} {other}");
            }
        }
    }
    for (one, other) in [(".nan", "1"), ("1", ".nan"), (".nan", ".nan"), ("[1, .nan]", "[1, 2]")] {
        assert_eq!(order(&value(one), &value(other)), Compared::NotANumber, "{one} {other}");
    }
    for (one, other) in [("null", "null"), ("{}", "{}"), ("1", "'1'"), ("1", "true"), ("[1]", "1"), ("[1]", "[a]")] {
        assert_eq!(order(&value(one), &value(other)), Compared::Unordered, "{one} {other}");
    }
}

#[test]
fn what_is_unknown_is_neither_equal_nor_ordered() {
    let unknown = || node(NodeValue::Unknown);
    let partial = |text: &str| Node { partial: true, ..value(text) };
    for (one, other) in [
        (unknown(), value("1")),
        (unknown(), unknown()),
        (array(vec![unknown()]), value("[1]")),
        (array(vec![value("1"), unknown()]), value("[1, 2]")),
        (partial("{a: 1}"), value("{a: 1}")),
    ] {
        assert_eq!((equal(&one, &other), equal(&other, &one)), (None, None), "{one:?} {other:?}");
    }
    assert_eq!(order(&unknown(), &value("1")), Compared::Unknown);
    assert_eq!(order(&array(vec![unknown()]), &value("[1]")), Compared::Unknown);
    // What is known may be enough.
    assert_eq!(equal(&array(vec![value("1"), unknown()]), &value("[2, 2]")), Some(false));
    assert_eq!(equal(&array(vec![unknown()]), &value("[]")), Some(false));
}

#[test]
fn values_that_are_too_deep_are_not_compared() {
    let map = |inner: Node| {
        let mut outer = value("{a: 1}");
        if let NodeValue::Map(items) = &mut outer.value {
            items.values_mut().zip([inner]).for_each(|(value, inner)| *value = inner);
        }
        outer
    };
    for wrap in [&(|inner| array(vec![inner])) as &dyn Fn(Node) -> Node, &map] {
        let deep = |levels: usize| (0..levels).fold(value("1"), |inner, _| wrap(inner));
        let (shallow, deep) = (deep(MAX_NESTING), deep(MAX_NESTING + 1));
        assert_eq!(equal(&shallow, &shallow), Some(true));
        assert_ne!(order(&shallow, &shallow), Compared::Unknown);
        assert_eq!(equal(&deep, &deep), None);
        assert_eq!(equality_hash(&wrap(wrap(deep.clone()))), equality_hash(&wrap(wrap(deep))));
    }
    let deep = (0..=MAX_NESTING).fold(value("1"), |inner, _| array(vec![inner]));
    assert_eq!(order(&deep, &deep), Compared::Unknown);
}

#[test]
fn types_in_words() {
    for (of, words) in [
        ("any", "any"),
        ("integer", "integer"),
        ("{kinds: [integer, string]}", "string or integer"),
        ("{kinds: [number, integer]}", "number"),
        ("{kinds: [integer], nullable: true}", "integer or null"),
        ("{kinds: ['null'], nullable: true}", "null"),
        ("{nullable: true}", "any"),
        ("{unknown: true}", "unknown"),
        ("{keys: {a: integer}}", "map"),
        ("{items: string}", "array of string"),
        ("{items: string, nullable: true}", "array of string or null"),
        ("{items: any}", "array"),
        ("{items: {unknown: true}}", "array"),
        ("{items: {items: {items: {items: {items: string}}}}}", "array of array of array of array of array"),
        ("{any: [integer, {keys: {}}]}", "integer or map"),
        ("{one: [integer, {items: {any: [string, boolean]}}]}", "integer or array of string or boolean"),
    ] {
        let schema = schema(of);
        assert_eq!(schema.type_words(schema.root()), words, "{of}");
    }
}

#[test]
fn bounds_in_words() {
    let pattern = Pattern::new("^a", PatternDialect::Ecma);
    let keys = || Some(vec![Key::from("a"), Key::from("b")]);
    for (kind, words) in [
        (ConstraintKind::Min(value("1")), "at least 1"),
        (ConstraintKind::Max(value("1.5")), "at most 1.5"),
        (ConstraintKind::ExclusiveMin(value("a")), "more than \"a\""),
        (ConstraintKind::ExclusiveMax(value("[1, null]")), "less than [1, null]"),
        (ConstraintKind::MultipleOf(0.5), "a multiple of 0.5"),
        (ConstraintKind::MinLength(1), "length at least 1"),
        (ConstraintKind::MaxLength(2), "length at most 2"),
        (
            ConstraintKind::OneOf(vec![value("a"), value("{b: on, 'on': true}")].into()),
            "one of \"a\", {b: \"on\", \"on\": true}",
        ),
        (ConstraintKind::NotNull, "not null"),
        (ConstraintKind::OneNotNull(None), "exactly one key set (not null)"),
        (ConstraintKind::OneNotNull(keys()), "exactly one of a, b set (not null)"),
        (ConstraintKind::Pattern(pattern), "matching ^a"),
        (ConstraintKind::StartsWith("a".to_owned()), "starting with a"),
        (ConstraintKind::EndsWith("b".to_owned()), "ending with b"),
        (ConstraintKind::Format("date".to_owned()), "format date"),
        (ConstraintKind::FormatHint("date".to_owned()), "format date"),
        (ConstraintKind::UniqueItems, "no two items equal"),
    ] {
        let constraint = Constraint::new(kind, value("1").span);
        assert_eq!(constraint.words(), words);
        let conditional = Constraint { conditional: true, ..constraint.clone() };
        assert_eq!(conditional.words(), format!("{words} (under a condition)"));
        // The schema's own words are used as they are.
        let own = Constraint { message: Some("own".to_owned()), ..conditional };
        assert_eq!(own.words(), "own");
    }
}

#[test]
fn numbers_of_keys_that_are_allowed() {
    use Expected::{AtLeast, Exactly};
    let free =
        |expects: Vec<Expected>| FreeKeys { admits: Admits::All, schema: SchemaId(0), expects, span: value("1").span };
    let asked = |answers: &[(usize, bool)]| {
        let answers = answers.iter().copied().collect();
        Expected::Function(Asked { span: value("1").span, function: None, own_key: None, answers })
    };
    let (yes, no, open) = (Some(true), Some(false), None);
    for (expects, allowed, words) in [
        (vec![], [yes, yes, yes], "any number"),
        (vec![Exactly(1)], [no, yes, no], "exactly 1"),
        (vec![Exactly(0), Exactly(1)], [yes, yes, no], "0 or 1"),
        (vec![AtLeast(1)], [no, yes, yes], "at least 1"),
        (vec![asked(&[(0, false), (1, true)])], [no, yes, open], "as many as its function says"),
        (vec![asked(&[(0, false)]), Exactly(2)], [no, open, yes], "as many as its function says or 2"),
    ] {
        let free = free(expects);
        assert_eq!([0, 1, 2].map(|count| free.allows(count)), allowed, "{words}");
        assert_eq!(free.expected_words(), words);
    }
}
