//! What a key comes with, which keys are offered, and the items of lists whose items differ.

use crate::fixture::open;
use expect_test::{Expect, expect};

fn of(schema: &str, text: &str) -> String {
    format!("#- schema.json\n{schema}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\n{text}")
}

fn labels(schema: &str, text: &str) -> String {
    let items = open(&of(schema, text)).completions(true).into_iter();
    items.map(|item| item.label).collect::<Vec<_>>().join(", ")
}

/// What each item makes of the text.
#[track_caller]
fn check(schema: &str, text: &str, expect: Expect) {
    let fixture = open(&of(schema, text));
    let shown = |item: &crate::CompletionItem| {
        let whole = fixture.accept(item);
        let text = whole.split_once('\n').map_or("", |(_, rest)| rest);
        format!("{}:\n{}\n", item.label, text.trim_end())
    };
    expect.assert_eq(&fixture.completions(true).iter().map(shown).collect::<String>());
}

#[test]
fn a_key_with_one_value_comes_with_it() {
    let schema =
        r#"{"properties": {"kind": {"const": "Pod"}, "only": {"enum": ["@x"]}, "perhaps": {"enum": ["a", null]}}}"#;
    check(
        schema,
        "ki$0",
        expect![[r#"
        kind:
        kind: Pod
        only:
        only: "@x"
        perhaps:
        perhaps:
    "#]],
    );
    check(
        schema,
        "{ki$0}",
        expect![[r#"
        kind:
        {kind: Pod}
        only:
        {only: "@x"}
        perhaps:
        {perhaps: }
    "#]],
    );
    check(
        schema,
        "ki$0 # why",
        expect![[r#"
        kind:
        kind:  # why
        only:
        only:  # why
        perhaps:
        perhaps:  # why
    "#]],
    );
    // Of alternatives, each has another one.
    let either = r#"{"oneOf": [{"properties": {"kind": {"const": "a"}, "same": {"const": 1}}},
        {"properties": {"kind": {"const": "b"}, "same": {"const": 1}}}]}"#;
    check(
        either,
        "s$0",
        expect![[r#"
        kind:
        kind:
        same:
        same: 1
    "#]],
    );
}

#[test]
fn alternatives_that_require_different_keys_leave_the_choice() {
    let schema = r#"{"anyOf": [{"properties": {"box": {"properties": {"one": {}}, "required": ["one"]}}},
        {"properties": {"box": {"properties": {"two": {}}, "required": ["two"]}}}]}"#;
    check(
        schema,
        "b$0",
        expect![[r#"
        box:
        box:
    "#]],
    );
}

#[test]
fn items_that_have_to_have_keys_come_with_them() {
    let schema = r##"{"properties": {"owners": {"type": "array", "items": {"$ref": "#/$defs/owner"}},
        "team": {"type": "object", "required": ["owners", "names", "about"], "properties": {
            "owners": {"type": "array", "items": {"$ref": "#/$defs/owner"}},
            "names": {"type": "array", "items": {"type": "string"}},
            "about": {"type": "object", "additionalProperties": {"type": "string"}}}}},
        "$defs": {"owner": {"type": "object", "required": ["name", "kind"],
            "properties": {"name": {"type": "string"}, "kind": {"const": "Pod"}}}}}"##;
    check(
        schema,
        "o$0",
        expect![[r#"
        owners:
        owners:
        - name: $1
          kind: Pod
        team:
        team:
          owners:
          - name: $1
            kind: Pod
          names:
          - $2
          about:
            $3
    "#]],
    );
    let fixture = open(&of(schema, "t$0"));
    let plain = fixture.completions(false).into_iter().find(|item| item.label == "team").expect("it is offered");
    expect![[r#"
        # yaml-language-server: $schema=schema.json
        team:
          owners:
          names:
          about:"#]]
    .assert_eq(&fixture.accept(&plain));
}

#[test]
fn a_map_of_any_keys_goes_on_below() {
    let schema = r#"{"properties": {"labels": {"additionalProperties": {"type": "string"}, "type": "object"},
        "free": {"type": "object"}, "empty": {"type": "object", "additionalProperties": false}}}"#;
    check(
        schema,
        "l$0",
        expect![[r#"
        labels:
        labels:
        free:
        free:
        empty:
        empty: {}
    "#]],
    );
}

#[test]
fn full_maps_and_keys_that_are_only_required() {
    let most = r#"{"items": {"type": "object", "maxProperties": 2, "properties": {"a": {}, "b": {}, "c": {}}}}"#;
    assert_eq!(labels(most, "- a: 1\n  $0"), "b, c");
    assert_eq!(labels(most, "- a: 1\n  b: 2\n  $0"), "");
    assert_eq!(labels(most, "- a: 1\n  b$0: 2\n"), "b, c");
    let required = r#"{"properties": {"a": {}}, "required": ["a", "z", "x-1"], "patternProperties": {"^x-": {"type": "boolean"}}}"#;
    check(
        required,
        "z$0",
        expect![[r#"
        a:
        a:
        z:
        z:
        x-1:
        x-1:
    "#]],
    );
    assert_eq!(labels(required, "z: 1\n$0"), "a, x-1");
}

#[test]
fn keys_that_begin_with_special_characters() {
    for first in ["@", "`", "%", "?", ",", "-", ":", "$", ".", "/"] {
        let schema = format!(r#"{{"properties": {{"a": {{"properties": {{"{first}bc": {{}}, "zzz": {{}}}}}}}}}}"#);
        for text in [format!("a:\n  {first}b$0"), format!("a:\n  zzz: 1\n  {first}b$0")] {
            let labels = labels(&schema, &text);
            assert!(labels.split(", ").any(|label| label == format!("{first}bc")), "{text:?}: {labels}");
        }
    }
    let schema = r#"{"properties": {"@bc": {}, "zzz": {}}}"#;
    check(
        schema,
        "@b$0",
        expect![[r#"
        @bc:
        "@bc":
        zzz:
        zzz:
    "#]],
    );
    let fixture = open(&of(schema, "@b$0"));
    let unasked: Vec<String> = fixture.unasked().into_iter().map(|item| item.label).collect();
    assert_eq!(unasked, ["@bc"]);
    // What is typed there belongs to the name.
    assert_eq!(labels(schema, "&a$0"), "");
    assert_eq!(labels(schema, "!a$0"), "");
}

#[test]
fn items_by_their_index() {
    let schema = r#"{"properties": {"c": {"type": "array", "items": [{"enum": [1, 2]}, {"enum": [3, 4]}], "additionalItems": {"enum": [5]}}}}"#;
    let all: String = ["c: [$0]", "c: [1, $0]", "c:\n- $0", "c:\n- 1\n- $0", "c:\n- 1\n- 3\n- $0", "c:\n- 1\n- 4$0"]
        .into_iter()
        .map(|text| format!("{text:?}: {}\n", labels(schema, text)))
        .collect();
    expect![[r#"
        "c: [$0]": 1, 2
        "c: [1, $0]": 3, 4
        "c:\n- $0": 1, 2
        "c:\n- 1\n- $0": 3, 4
        "c:\n- 1\n- 3\n- $0": 5
        "c:\n- 1\n- 4$0": 3, 4
    "#]]
    .assert_eq(&all);
}

#[test]
fn listed_items_are_no_arrays() {
    let schema = r#"{"properties": {"c": {"type": "array", "items": {"enum": ["a", "b"]}}, "d": {"type": "array", "items": {}}}}"#;
    assert_eq!(labels(schema, "c:\n- $0"), "a, b");
    assert_eq!(labels(schema, "d:\n- $0"), "- ");
}

#[test]
fn other_items_on_the_line_of_the_cursor() {
    let schema = r#"{"properties": {"c": {"type": "array", "items": {}}}}"#;
    assert_eq!(labels(schema, "c: [{name: a, age: 4}, {$0}]"), "name, age");
    assert_eq!(labels(schema, "c: [{name: a, age: 4}, {na$0}]"), "name, age");
    assert_eq!(labels(schema, "c: [{name: a, age: 4}, {name: b, $0}]"), "age");
    assert_eq!(labels(schema, "c: [{name: a, age: 4}, {name: $0}]"), "a");
    assert_eq!(labels(schema, "c: [{name: a, age: 4}, {name: b$0}]"), "a");
    assert_eq!(labels(schema, "c: [{name: a, $0}]"), "");
}
