//! Keys that are missing, with the smallest values that their schemas accept.

use super::{all_at, applied, check_change, check_titles};
use crate::fixture::open;
use expect_test::{Expect, expect};

const BOUNDS: &str = "required: [a, b, c, d, e, f, g, h, i, j]\nproperties:\n  a: {type: string, minLength: 2}\n  b: {type: integer, exclusiveMinimum: 3}\n  c: {type: integer, minimum: 5, multipleOf: 4}\n  d: {type: number, exclusiveMinimum: 0, maximum: 0.5}\n  e: {type: array, minItems: 2, uniqueItems: true, items: {type: string, minLength: 1}}\n  f: {type: object, minProperties: 1, properties: {x: {const: 1}, y: {type: string}}}\n  g: {type: integer, maximum: -3}\n  h: {oneOf: [{type: integer, minimum: 5}, {type: string}]}\n  i: {allOf: [{type: string}, {enum: [1, x]}]}\n  j: {type: object, required: [k], properties: {k: {type: array, minItems: 1, items: {type: boolean}}}}\n";

const BACKENDS: &str = "properties:\n  backend:\n    oneOf:\n    - {type: object, additionalProperties: false, required: [kind, host], properties: {kind: {const: redis}, host: {type: string}}}\n    - {type: object, additionalProperties: false, required: [kind, path, mode], properties: {kind: {const: file}, path: {type: string}, mode: {type: integer}}}\n";

fn fixture(schema: &str, values: &str) -> String {
    format!("#- s.yml\ntype: object\n{schema}#- values.yml\n# yaml-language-server: $schema=s.yml\n{values}")
}

#[track_caller]
fn all(schema: &str, values: &str, expected: Expect) {
    check_change(&fixture(schema, values), "Add all keys that are missing", expected);
}

#[test]
fn values_are_within_all_bounds() {
    all(
        BOUNDS,
        "z$0: 1\n",
        expect![[r#"
        # yaml-language-server: $schema=s.yml
        z: 1
        a: xx
        b: 4
        c: 8
        d: 0.5
        e: [x0, x1]
        f:
          x: 1
        g: -3
        h: 5
        i: x
        j:
          k: [false]
    "#]],
    );
}

#[test]
fn a_value_that_is_not_known_is_for_its_author_to_write() {
    let schema = "required: [a, b]\nproperties:\n  a: {type: string, pattern: '^[a-z]+-[0-9]+$'}\n  b: {type: string, format: date}\n";
    check_titles(
        &fixture(schema, "z$0: 1\n"),
        expect![[r#"
        Add `a` (quickfix, Possible)
        Add all keys that are missing (quickfix, Possible)
        Add `b` (quickfix, Possible)
    "#]],
    );
}

#[test]
fn alternatives_are_not_mixed() {
    check_change(
        &fixture(BACKENDS, "back$0end:\n  host: x\n"),
        // There is nothing else that could be added.
        "Add `kind`",
        expect![[r#"
        # yaml-language-server: $schema=s.yml
        backend:
          host: x
          kind: redis
    "#]],
    );
    all(
        BACKENDS,
        "back$0end:\n  mode: 1\n",
        expect![[r##"
        # yaml-language-server: $schema=s.yml
        backend:
          mode: 1
          kind: file
          path: ""
    "##]],
    );
    all(
        BACKENDS,
        "back$0end:\n  kind: file\n",
        expect![[r##"
        # yaml-language-server: $schema=s.yml
        backend:
          kind: file
          path: ""
          mode: 0
    "##]],
    );
    // Where both fit, what asks for less.
    all(
        BACKENDS,
        "back$0end: {}\n",
        expect![[r##"
        # yaml-language-server: $schema=s.yml
        backend: {kind: redis, host: ""}
    "##]],
    );
}

#[test]
fn what_several_parts_of_a_schema_say_of_a_key_holds_together() {
    let schema = "properties: {name: {type: string, minLength: 3}}\nallOf: [{required: [name]}, {properties: {name: {pattern: '^x'}}}]\nif: {required: [kind]}\nthen: {required: [size], properties: {size: {enum: [s, m]}}}\n";
    all(
        schema,
        "kind$0: 1\n",
        expect![[r#"
        # yaml-language-server: $schema=s.yml
        kind: 1
        name: xxx
        size: s
    "#]],
    );
}

/// Each key of a map that asks for maps like itself asks for as many: their number is the power of the depth.
#[test]
fn keys_that_ask_for_themselves_get_few_values() {
    let keys: Vec<String> = (0..30).map(|number| format!("k{number}")).collect();
    let properties: Vec<String> = keys.iter().map(|key| format!("{key}: {{$ref: '#/$defs/n'}}")).collect();
    let (keys, properties) = (keys.join(", "), properties.join(", "));
    let schema = format!(
        "required: [top]\nproperties: {{top: {{$ref: '#/$defs/n'}}}}\n$defs:\n  n: {{type: object, required: [{keys}], properties: {{{properties}}}}}\n"
    );
    let fixture = open(&fixture(&schema, "z$0: 1\n"));
    let actions = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset);
    let own = actions.iter().find(|action| action.name.title == "Add `top`").and_then(|action| action.change.as_ref());
    let text = applied(&fixture.snapshot, own.expect("the key is offered")).text(fixture.file).to_string();
    assert!((30..1_000).contains(&text.lines().count()), "{} lines", text.lines().count());
}
