//! Alternatives: which are ruled out, which are the same, and what a schema forbids.

use crate::fixture::open;
use expect_test::{Expect, expect};

const SCHEMA: &str = r##"#- s.json
{
  "type": "object",
  "properties": {
    "steps": {"type": "array", "items": {"anyOf": [
      {"properties": {"task": {"pattern": "^A@1$"}, "inputs": {"properties": {"a": {}}}}},
      {"properties": {"task": {"pattern": "^B@1$"}, "inputs": {"properties": {"b": {}}}}},
      {"properties": {"task": {"type": "string"}, "name": {}}},
      {"properties": {"task": {"type": "string"}, "name": {}}}
    ]}},
    "when": {
      "properties": {"kind": {"type": "string"}},
      "if": {"properties": {"kind": {"pattern": "^a"}}, "required": ["kind"]},
      "then": {"properties": {"one": {}}},
      "else": {"properties": {"two": {}}}
    },
    "dup": {"anyOf": [{"type": "array", "items": {}}, {"type": "array", "items": {"type": "string"}}]},
    "tuple": {"items": [{"enum": ["first"]}, {"enum": ["second"]}], "additionalItems": false},
    "one": {"type": "array", "maxItems": 1, "items": {"enum": ["a", "b"]}},
    "each": {"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b"]}},
    "few": {"type": "object", "maxProperties": 1, "properties": {"x": {}, "y": {}}},
    "path": {"type": "object", "additionalProperties": false, "patternProperties": {
      "^(get|put)$": {"type": "object", "properties": {"id": {}}},
      "^x-": {}
    }},
    "an": {"enum": ["p", "q"]},
    "obj": {"type": "object", "properties": {"k": {"type": "string"}}}
  }
}
#- a.yaml
# yaml-language-server: $schema=s.json
"##;

#[track_caller]
fn labels(text: &str, expect: Expect) {
    let items = open(&format!("{SCHEMA}{text}")).completions(true).into_iter();
    expect.assert_eq(&items.map(|item| item.label).collect::<Vec<_>>().join(", "));
}

#[track_caller]
fn accepted(text: &str, label: &str, expect: Expect) {
    let fixture = open(&format!("{SCHEMA}{text}"));
    let items = fixture.completions(false);
    let item = items.iter().find(|item| item.label == label).expect("it is offered");
    expect.assert_eq(fixture.accept(item).split_once('\n').map_or("", |(_, rest)| rest.trim_end()));
}

#[test]
fn patterns_rule_alternatives_out() {
    labels("steps:\n- task: B@1\n  inputs:\n    $0", expect!["b"]);
    labels("steps:\n- task: A@1\n  $0", expect!["inputs, name"]);
    labels("steps:\n- task: $0", expect!["A@1, B@1"]);
    labels("when:\n  kind: ab\n  $0", expect!["one"]);
    labels("when:\n  kind: b\n  $0", expect!["two"]);
}

#[test]
fn the_same_text_is_offered_once() {
    labels(
        "steps:\n- $0",
        expect![
            "task, inputs, name, (all keys) task: A@1, inputs, (all keys) task: B@1, inputs, (all keys) task, name"
        ],
    );
    labels("dup: $0", expect!["- , []"]);
}

#[test]
fn what_the_schema_forbids_is_not_offered() {
    labels("tuple:\n- first\n- $0", expect!["second"]);
    labels("tuple:\n- first\n- second\n- $0", expect![[""]]);
    labels("tuple:\n- first\n- second\n$0\nan: p\n", expect!["steps, when, dup, one, each, few, path, obj"]);
    labels("tuple: [first, second, $0]", expect![[""]]);
    labels("one:\n- $0", expect!["a, b"]);
    labels("one:\n- a\n- $0", expect![[""]]);
    labels("one:\n- a\n$0\nan: p\n", expect!["steps, when, dup, tuple, each, few, path, obj"]);
    labels("one: [a, $0]", expect![[""]]);
    labels("one: [a$0]", expect!["a, b"]);
    labels("each: [a, $0]", expect!["b"]);
    labels("each:\n- a\n- $0", expect!["b"]);
    labels("each:\n- a$0\n- b\n", expect!["a"]);
    labels("few:\n  $0", expect!["x, y"]);
}

#[test]
fn keys_that_a_pattern_lists() {
    labels("path:\n  $0", expect!["get, put"]);
    labels("path:\n  get: {}\n  $0", expect!["put"]);
    accepted(
        "path:\n  $0",
        "put",
        expect![[r#"
        path:
          put:"#]],
    );
}

#[test]
fn after_an_anchor_or_a_tag() {
    labels("an: &x $0", expect!["p, q"]);
    labels("an: !!str $0", expect!["p, q"]);
    labels("an: &x$0", expect![[""]]);
    labels("an: $0&x", expect!["p, q"]);
    labels("an: &x p$0", expect!["p, q"]);
    accepted("an: &x $0", "q", expect!["an: &x q"]);
    accepted("an: &x !!str p$0", "q", expect!["an: &x !!str q"]);
    accepted("an: &x  $0", "q", expect!["an: &x  q"]);
    accepted(
        "obj: &x $0",
        "k",
        expect![[r#"
        obj: &x
          k:"#]],
    );
    accepted(
        "each: &x $0",
        "- ",
        expect![[r#"
        each: &x
        -"#]],
    );
}

/// What an alternative forbids is forbidden where the others are ruled out, also by the kind of what is written.
#[test]
fn keys_that_an_alternative_forbids_are_not_offered() {
    let schema = "#- s.json\n{\"properties\": {\"o\": {\"oneOf\": [{\"type\": \"null\"}, {\"type\": \"object\", \"properties\": \
                  {\"a\": {}, \"b\": {}, \"c\": {}}, \"not\": {\"required\": [\"a\", \"b\"]}}]}}}\n#- a.yaml\n# \
                  yaml-language-server: $schema=s.json\n";
    let offered = |text: &str| {
        let items = open(&format!("{schema}{text}")).completions(false).into_iter();
        items.map(|item| item.label).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(offered("o:\n  a: x\n  $0"), "c");
    assert_eq!(offered("o:\n  c: x\n  $0"), "a, b");
}
