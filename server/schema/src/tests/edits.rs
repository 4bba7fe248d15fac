//! Schemas that are made of others.

use super::small::{schema, value};
use crate::{BrokenRule, Judge, Judged, KeyChild, Schema, SchemaId, Step, Via};
use lofting_document::{Key, Node};
use std::sync::Arc;

const APP: &str = "{keys: {port: integer, host: {keys: {name: string}}}, require: [port]}";

/// What a map says about a key, in words.
fn says(schema: &Schema, id: SchemaId, key: &str) -> String {
    let Some(map) = &schema.node(id).map else { return "no map".to_owned() };
    match map.child(&Key::from(key)) {
        KeyChild::Child(child) => {
            let all = schema.speaking(child.schema).into_iter().map(|id| schema.type_words(id));
            let required = if map.required.contains(&Key::from(key)) { ", required" } else { "" };
            let free = if child.via == Via::Rest { ", undeclared" } else { "" };
            format!("{}{required}{free}", all.collect::<Vec<_>>().join(" and "))
        }
        KeyChild::Free => "free".to_owned(),
        KeyChild::Unread => "unread".to_owned(),
        KeyChild::Undeclared => "undeclared".to_owned(),
    }
}

fn root_says(schema: &Schema, key: &str) -> String {
    says(schema, schema.root(), key)
}

fn below(schema: &Schema, key: &str) -> SchemaId {
    schema.nodes_at(schema.root(), &[Step::Key(Key::from(key))])[0]
}

#[test]
fn a_schema_with_further_keys_keeps_its_own() {
    let with = schema(APP).with_keys(&["extra", "port"]);
    let found = ["extra", "port", "host", "other"].map(|key| root_says(&with, key));
    assert_eq!(found, ["any", "integer, required", "map", "undeclared"]);
    // Patterns and the rule for other keys stay.
    let with = schema("{patterns: {\"^x\": integer}, rest: string}").with_keys(&["extra"]);
    assert_eq!(["extra", "x1", "y"].map(|key| root_says(&with, key)), ["any", "integer", "string, undeclared"]);
    assert_eq!(schema("integer").with_keys(&["extra"]), schema("integer"));
}

#[test]
fn a_map_with_the_keys_of_another_has_to_fit_both() {
    let mut app = schema(APP);
    let text = "{keys: {port: {least: 1}, path: string, host: {keys: {zone: string}}}, require: [path], rest: open}";
    let more = app.adopt(&schema(text));
    let joined = app.clone().with_keys_of(app.root(), more);
    let found = ["port", "path", "other"].map(|key| root_says(&joined, key));
    assert_eq!(found, ["integer and any, required", "string, required", "undeclared"]);
    // Where both describe a map, the second one says which keys there are.
    assert_eq!(says(&app, below(&app, "host"), "zone"), "undeclared");
    let host = below(&joined, "host");
    assert_eq!((says(&joined, host, "name"), says(&joined, host, "zone")), ("string".to_owned(), "free".to_owned()));
    // What is not a map stays as it is.
    let port = below(&app, "port");
    assert_eq!(app.clone().with_keys_of(port, more), app);
    assert_eq!(app.clone().with_keys_of(app.root(), port), app);
}

#[test]
fn what_is_adopted_leads_to_the_same_as_before() {
    let text = "
keys: {a: integer}
patterns: {\"^p\": string}
rest: boolean
any: [{keys: {b: integer}}, {items: string}]
not: {keys: {c: integer}}
with: {d: {keys: {e: {items: integer}}}}
names: {of: [x]}
if: [{keys: {a: integer}}, {keys: {f: string}}, {keys: {g: string}}]
";
    let alone = schema(text);
    let mut joined = schema(APP);
    let root = joined.adopt(&alone);
    let places = |schema: &Schema, from: SchemaId| -> Vec<Vec<(String, usize)>> {
        let step = |key: &str| Step::Key(Key::from(key));
        let ways: [&[Step]; 9] = [
            &[],
            &[step("a")],
            &[step("b")],
            &[step("p1")],
            &[step("z")],
            &[Step::Index(0)],
            &[step("e"), Step::Item],
            &[step("f")],
            &[step("g")],
        ];
        let node = |id: &SchemaId| (schema.type_words(*id), schema.node(*id).declared.span.start as usize);
        ways.iter().map(|way| schema.nodes_at(from, way.iter()).iter().map(node).collect()).collect()
    };
    assert_eq!(places(&joined, root), places(&alone, alone.root()));
    assert!(places(&alone, alone.root()).iter().all(|found| !found.is_empty()));
}

#[test]
fn a_key_that_shares_its_node_gets_one_of_its_own() {
    let shared = schema("{keys: {a: {name: port, kinds: [integer]}, b: port}}");
    assert_eq!(below(&shared, "a"), below(&shared, "b"));
    let (apart, own) = shared.clone().with_own_key(shared.root(), &Key::from("b"));
    assert_eq!(Some(below(&apart, "b")), own);
    assert_ne!(below(&apart, "a"), below(&apart, "b"));
    assert_eq!(apart.node(below(&apart, "a")), apart.node(below(&apart, "b")));
    assert_eq!(shared.clone().with_own_key(shared.root(), &Key::from("c")), (shared.clone(), None));
    assert_eq!(shared.clone().with_own_key(below(&shared, "a"), &Key::from("a")), (shared, None));
}

#[test]
fn keys_that_nothing_reads_are_refused_if_asked_for() {
    for (rest, before, after) in [("unread", "unread", "undeclared"), ("open", "free", "free")] {
        let schema = schema(&format!("{{keys: {{a: {{rest: {rest}}}}}}}"));
        assert_eq!(says(&schema, below(&schema, "a"), "x"), before);
        let strict = schema.clone().strict();
        assert_eq!(says(&strict, below(&strict, "a"), "x"), after);
        let closed = schema.clone().closed_at(below(&schema, "a"));
        assert_eq!(says(&closed, below(&closed, "a"), "x"), "undeclared");
    }
}

#[test]
fn a_schema_is_unknown_if_its_root_is() {
    assert!(schema("{unknown: true}").is_unknown());
    assert!(!schema("{keys: {a: {unknown: true}}}").is_unknown());
    assert!(!schema("any").is_unknown());
}

#[derive(Debug)]
struct Says(&'static str);

impl Judge for Says {
    fn broken(&self, _: &Node) -> Vec<BrokenRule> {
        let breach = crate::Breach::Identity(None);
        vec![BrokenRule { message: self.0.to_owned(), breach, at: Vec::new(), is_key: false }]
    }
}

#[test]
fn further_rules_come_after_those_of_the_schema() {
    let judged = |says: &'static str| Judged(Arc::new(Says(says)));
    let schema = schema(APP);
    let root = schema.root();
    let both = schema.clone().judged(root, judged("first")).judged(root, judged("second"));
    let found = both.node(root).judged.as_ref().expect("rules").0.broken(&value("{}"));
    assert_eq!(found.iter().map(|rule| rule.message.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    // Rules that were read again may be others, so findings are found anew.
    assert_eq!(both, both.clone());
    let again = schema.judged(root, judged("first")).judged(root, judged("second"));
    assert!(!both.means_the_same(&again));
    assert!(both.means_the_same(&both.clone()));
}
