//! Which of several alternatives is explained, and how keys that exclude each other are reported.

use crate::fixture::Fixture;

/// The findings about a text with a JSON Schema, as `line:column code: message`.
fn found(schema: &str, text: &str) -> Vec<String> {
    let files = format!("#- schema.json\n{schema}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\n{text}");
    Fixture::scanned(&files).diagnostics("a.yaml").lines().map(|line| line.trim().to_owned()).collect()
}

const RESPONSES: &str = r##"{"additionalProperties": {"oneOf": [
  {"required": ["$ref"], "properties": {"$ref": {"type": "string"}}},
  {"required": ["description"], "properties": {"description": {}, "content": {}}, "additionalProperties": false}
]}}"##;

const TASKS: &str = r##"{"properties": {
  "named": {"anyOf": [
    {"properties": {"task": {"type": "string", "pattern": "^A@1$"}, "inputs": {"additionalProperties": false, "properties": {"a": {}}}}},
    {"properties": {"task": {"type": "string", "pattern": "^B@1$"}, "inputs": {"additionalProperties": false, "properties": {"b": {}}}}}
  ]},
  "both": {"allOf": [{"properties": {"task": {"enum": ["A@1", "B@1"]}}}, {"anyOf": [
    {"properties": {"task": {"type": "string", "pattern": "^A@1$"}, "inputs": {"additionalProperties": false, "properties": {"a": {}}}}},
    {"properties": {"task": {"type": "string", "pattern": "^B@1$"}, "inputs": {"additionalProperties": false, "properties": {"b": {}}}}}
  ]}]},
  "jobs": {"properties": {"docker": {}, "machine": {}, "executor": {}, "steps": {}}, "additionalProperties": false, "oneOf": [
    {"required": ["steps"], "oneOf": [{"required": ["docker"]}, {"required": ["machine"]}]},
    {"required": ["executor"]}
  ]},
  "listed": {"properties": {"task": {"enum": ["A@1", "B@1"]}}, "anyOf": [
    {"properties": {"task": {"type": "string", "pattern": "^A@1$"}, "inputs": {"additionalProperties": false, "properties": {"a": {}}}}},
    {"properties": {"task": {"type": "string", "pattern": "^B@1$"}, "inputs": {"additionalProperties": false, "properties": {"b": {}}}}}
  ]}
}}"##;

const TOGETHER: &str = r##"{"properties": {
  "two": {"not": {"required": ["a", "b"]}},
  "any": {"not": {"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}},
  "one": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
  "empty": {"minProperties": 1, "not": {"type": "object", "additionalProperties": false, "patternProperties": {"^x-": {}}}},
  "kinds": {"not": {"type": "string"}}
}}"##;

#[test]
fn the_alternative_that_is_meant_is_explained() {
    for (schema, text, want) in [
        (RESPONSES, "ok:\n  descripton: x\n", &["3:3 json-schema/undeclared-key"][..]),
        (RESPONSES, "ok:\n  desc: x\n", &["2:1 json-schema/no-branch"]),
        (RESPONSES, "ok:\n  $reff: x\n", &["2:1 json-schema/missing-key"]),
        (RESPONSES, "ok:\n  description: x\n  contents: y\n", &["4:3 json-schema/undeclared-key"]),
        // None of the tasks is explained, if it is none of them.
        (TASKS, "named:\n  task: C@1\n  inputs: {c: 1}\n", &["3:9 json-schema/no-branch"]),
        (TASKS, "named:\n  task: B@1\n  inputs: {a: 1}\n", &["4:12 json-schema/undeclared-key"]),
        (TASKS, "listed:\n  task: C@1\n  inputs: {c: 1}\n", &["3:9 json-schema/one-of"]),
        (TASKS, "both:\n  task: C@1\n  inputs: {c: 1}\n", &["3:9 json-schema/one-of"]),
        (TASKS, "jobs:\n  dockr: x\n  steps: []\n", &["3:3 json-schema/undeclared-key"]),
        (TASKS, "listed:\n  task: A@1\n  inputs: {b: 1}\n", &["4:12 json-schema/undeclared-key"]),
    ] {
        let found = found(schema, text);
        let heads: Vec<String> =
            found.iter().map(|line| line.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(heads, want, "{text}\n{found:#?}");
    }
}

#[test]
fn keys_that_exclude_each_other_are_named() {
    for (text, want) in [
        ("two: {a: 1}\n", ""),
        ("two:\n  b: 1\n  x: 2\n  a: 3\n", "5:3 json-schema/not `a` and `b` cannot be given together"),
        ("any: {a: 1}\n", ""),
        ("any: {a: 1, b: 1}\n", "2:13 json-schema/not `a` and `b` cannot be given together"),
        ("any: {c: 1}\n", "2:7 json-schema/not `c` cannot be given here"),
        ("one: {b: 1}\n", ""),
        (
            "one: {b: 1, a: 1}\n",
            "2:13 json-schema/several-branches `a` and `b` cannot be given together: only one alternative may fit",
        ),
        ("empty: {}\n", "2:1 json-schema/min-len"),
        ("empty: {x-a: 1}\n", "2:8 json-schema/not `empty` is what its schema forbids"),
        ("kinds: x\n", "2:8 json-schema/not `kinds` is what its schema forbids"),
    ] {
        let found = found(TOGETHER, text);
        assert_eq!(found.len(), usize::from(!want.is_empty()), "{text}\n{found:#?}");
        assert!(found.iter().all(|found| found.contains(want)), "{text}\n{found:#?}");
    }
}
