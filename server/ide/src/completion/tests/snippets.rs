//! Snippets of a schema, and values of it that are maps or arrays.

use crate::fixture::open;
use expect_test::{Expect, expect};

const SCHEMA: &str = r##"#- schema.json
{
  "type": "object",
  "properties": {
    "box": {
      "type": "object",
      "properties": {"box": {"$ref": "#/properties/box"}},
      "defaultSnippets": [{"label": "both", "body": {"one": "$1", "two": "$2"}}]
    },
    "steps": {
      "type": "array",
      "defaultSnippets": [{"label": "a step", "body": {"run": "$1", "with": "$2"}}],
      "items": {"type": "object", "properties": {"run": {}, "with": {}}}
    },
    "jobs": {
      "type": "array",
      "items": {"type": "object", "defaultSnippets": [{"label": "a job", "body": {"name": "^$1"}}]}
    },
    "words": {"type": "string", "defaultSnippets": [
      {"label": "entry", "body": "foo: ${1:bar}"}, {"label": "quote", "body": "a\"b: $1"}, {"label": "word", "body": "${1:a b}"}
    ]},
    "both": {"type": "object", "defaultSnippets": [{"label": "two", "bodyText": "n: ${1:foo}\n  deep: 1\nm: 2"}]},
    "flag": {"type": "boolean", "defaultSnippets": [{"label": "no", "bodyText": "false"}]},
    "text": {"type": "object", "defaultSnippets": [{"label": "lines", "bodyText": "a: $1\nb:\n\tc: 1"}]},
    "either": {
      "anyOf": [{"type": "array", "items": {"type": "object"}}, {"type": "null"}],
      "defaultSnippets": [{"label": "one of them", "body": {"key": ""}}]
    },
    "car": {"type": "object", "default": {"engine": {"fuel": "$1"}, "wheels": [1, 2]}},
    "cars": {"type": "array", "items": {"type": "object"}, "examples": [[{"car": {"doors": 2}}, {"car": {}}]]},
    "size": {"enum": ["small", {"wide": 1}, [1, 2]]}
  }
}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

fn labels(text: &str) -> String {
    let items = open(&format!("{SCHEMA}{text}")).completions(true).into_iter();
    items.map(|item| item.label).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn accepted(text: &str, label: &str, expect: Expect) {
    let fixture = open(&format!("{SCHEMA}{text}"));
    let found = fixture.completions(true).into_iter().find(|item| item.label == label);
    let whole = fixture.accept(&found.unwrap_or_else(|| panic!("no {label} in {}", labels(text))));
    expect.assert_eq(whole.split_once('\n').map_or("", |(_, rest)| rest.trim_end()));
}

#[test]
fn keys_that_are_present_are_left_out() {
    accepted(
        "box:\n  box:\n    two: x\n    $0",
        "both",
        expect![[r#"
        box:
          box:
            two: x
            one: $1"#]],
    );
    assert_eq!(labels("box:\n  box:\n    one: x\n    two: x\n    $0"), "box");
}

#[test]
fn a_map_that_an_array_offers_is_an_item() {
    for (text, expect) in [
        (
            "steps:\n  $0",
            expect![[r#"
            steps:
              - run: $1
                with: $2"#]],
        ),
        (
            "steps: $0",
            expect![[r#"
            steps:
            - run: $1
              with: $2"#]],
        ),
        (
            "steps:\n  - $0",
            expect![[r#"
            steps:
              - run: $1
                with: $2"#]],
        ),
        (
            "steps:\n  - run: a\n  $0",
            expect![[r#"
            steps:
              - run: a
              - run: $1
                with: $2"#]],
        ),
        (
            "steps:\n  - run: a\n    $0",
            expect![[r#"
            steps:
              - run: a
                with: $2"#]],
        ),
    ] {
        accepted(text, "a step", expect);
    }
    accepted(
        "jobs:\n  $0",
        "a job",
        expect![[r#"
        jobs:
          - name: $1"#]],
    );
    accepted(
        "jobs:\n  - $0",
        "a job",
        expect![[r#"
        jobs:
          - name: $1"#]],
    );
    // What only joins others has snippets as well.
    accepted(
        "either:\n  $0",
        "one of them",
        expect![[r#"
        either:
          - key: """#]],
    );
}

#[test]
fn a_string_that_would_be_something_else_is_in_quotes() {
    accepted("words: $0", "entry", expect![[r#"words: "foo: ${1:bar}""#]]);
    accepted("words: $0", "quote", expect![[r#"words: 'a"b: $1'"#]]);
    accepted("words: $0", "word", expect!["words: ${1:a b}"]);
}

#[test]
fn lines_of_keys_that_are_present_are_left_out() {
    accepted(
        "both:\n  $0",
        "two",
        expect![[r#"
        both:
          n: ${1:foo}
            deep: 1
          m: 2"#]],
    );
    accepted(
        "both:\n  n: 1\n  $0",
        "two",
        expect![[r#"
        both:
          n: 1
          m: 2"#]],
    );
    accepted(
        "both:\n  m: 1\n  $0",
        "two",
        expect![[r#"
        both:
          m: 1
          n: ${1:foo}
            deep: 1"#]],
    );
    assert!(!labels("both:\n  m: 1\n  n: 1\n  $0").contains("two"));
}

#[test]
fn text_is_inserted_as_it_is() {
    accepted("flag: $0", "no", expect!["flag: false"]);
    accepted(
        "text:\n  $0",
        "lines",
        expect![[r#"
        text:
          a: $1
          b:
            c: 1"#]],
    );
    accepted(
        "text: $0",
        "lines",
        expect![[r#"
        text:
          a: $1
          b:
            c: 1"#]],
    );
}

#[test]
fn defaults_examples_and_allowed_values_that_are_collections() {
    let all: String = ["car: $0", "car:\n  $0", "cars: $0", "size: $0", "size:\n  $0", "car:\n  a: 1\n  $0", "car$0"]
        .into_iter()
        .map(|text| format!("{text:?}: {}\n", labels(text)))
        .collect();
    expect![[r#"
        "car: $0": {}, {engine: {fuel: $1}, wheels: [1, 2]}
        "car:\n  $0": {engine: {fuel: $1}, wheels: [1, 2]}
        "cars: $0": - , [], [{car: {doors: 2}}, {car: {}}]
        "size: $0": small, {wide: 1}, [1, 2]
        "size:\n  $0": small, {wide: 1}, [1, 2]
        "car:\n  a: 1\n  $0": 
        "car$0": box, steps, jobs, words, both, flag, text, either, car, cars, size
    "#]]
    .assert_eq(&all);
    accepted(
        "car:\n  $0",
        "{engine: {fuel: $1}, wheels: [1, 2]}",
        expect![[r#"
        car:
          engine:
            fuel: $1
          wheels:
          - 1
          - 2"#]],
    );
    accepted(
        "car: $0",
        "{engine: {fuel: $1}, wheels: [1, 2]}",
        expect![[r#"
        car:
          engine:
            fuel: $1
          wheels:
          - 1
          - 2"#]],
    );
    accepted(
        "cars: $0",
        "[{car: {doors: 2}}, {car: {}}]",
        expect![[r#"
        cars:
        - car:
            doors: 2
        - car: {}"#]],
    );
    accepted(
        "size: $0",
        "{wide: 1}",
        expect![[r#"
        size:
          wide: 1"#]],
    );
    accepted(
        "size: $0",
        "[1, 2]",
        expect![[r#"
        size:
        - 1
        - 2"#]],
    );
    let unasked = open(&format!("{SCHEMA}car:\n  e$0")).unasked();
    assert!(unasked.is_empty(), "{unasked:?}");
}
