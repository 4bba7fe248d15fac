//! What other programs and readers get of a schema.

use super::small::schema;
use crate::export::{OutlineLimits, declared_values, json_schema_of, left_out, openapi, outline, tokens};
use expect_test::{Expect, expect};
use lofting_document::write::to_json;
use std::fmt::Write;

fn as_json_schema(texts: &[&str], expected: Expect) {
    let mut out = String::new();
    for text in texts {
        let schema = schema(text);
        let json = to_json(&json_schema_of(&schema, schema.root(), 9));
        let json: serde_json::Value = serde_json::from_str(&json).expect(&json);
        writeln!(out, "{text}\n  {json}").expect("a text takes all");
    }
    expected.assert_eq(&out);
}

#[test]
fn types_and_bounds_in_json_schema() {
    as_json_schema(
        &[
            "any",
            "integer",
            "{kinds: [integer, string]}",
            "{kinds: [string], nullable: true}",
            "{kinds: [string], nullable: true, not null: true}",
            "{kinds: [string], nullable: true, not null: true, conditional: true}",
            "{nullable: true, not null: true}",
            "{kinds: [string], nullable: true, of: [a, b]}",
            "{kinds: [number], of: [1, .inf]}",
            "{of: [{a: [.inf]}]}",
            "{of: [{a: [1]}]}",
            "{kinds: [integer], least: 1, default: 2}",
            "{kinds: [integer], least: 1, conditional: true}",
            "{kinds: [number], least: .inf, default: .nan}",
            "{kinds: [string], pattern: ^a, longest: 3}",
            "{kinds: [string], format: date}",
            "{items: string, longest: 3}",
            "{items: any}",
            "{items: {unknown: true}}",
        ],
        expect![[r#"
            any
              {}
            integer
              {"type":"integer"}
            {kinds: [integer, string]}
              {"type":["string","integer"]}
            {kinds: [string], nullable: true}
              {"type":["string","null"]}
            {kinds: [string], nullable: true, not null: true}
              {"type":"string"}
            {kinds: [string], nullable: true, not null: true, conditional: true}
              {"type":["string","null"]}
            {nullable: true, not null: true}
              {"not":{"type":"null"}}
            {kinds: [string], nullable: true, of: [a, b]}
              {"type":["string","null"],"enum":["a","b",null]}
            {kinds: [number], of: [1, .inf]}
              {"type":"number"}
            {of: [{a: [.inf]}]}
              {}
            {of: [{a: [1]}]}
              {"enum":[{"a":[1]}]}
            {kinds: [integer], least: 1, default: 2}
              {"type":"integer","minimum":1,"default":2}
            {kinds: [integer], least: 1, conditional: true}
              {"type":"integer"}
            {kinds: [number], least: .inf, default: .nan}
              {"type":"number"}
            {kinds: [string], pattern: ^a, longest: 3}
              {"type":"string","pattern":"^a","maxLength":3}
            {kinds: [string], format: date}
              {"type":"string","format":"date"}
            {items: string, longest: 3}
              {"type":"array","items":{"type":"string"},"maxItems":3}
            {items: any}
              {"type":"array"}
            {items: {unknown: true}}
              {"type":"array","items":{}}
        "#]],
    );
}

/// A rule that gets lost is not lost silently.
#[test]
fn what_json_schema_cannot_say_is_listed() {
    let said = |text: &str| left_out(&schema(text)).into_iter().map(|(_, what)| what).collect::<Vec<_>>();
    for text in ["any", "{kinds: [integer], least: 1}", "{kinds: [string], longest: 3, of: [a]}"] {
        assert_eq!(said(text), [""; 0], "{text}");
    }
    assert_eq!(said("{kinds: [integer], least: 1, conditional: true}"), ["at least 1 (under a condition)"]);
    assert_eq!(said("{kinds: [number], of: [1, .inf]}").len(), 1);
    assert_eq!(said("{kinds: [string], nullable: true, not null: true, conditional: true}").len(), 1);
}

#[test]
fn maps_in_json_schema() {
    as_json_schema(
        &[
            "{keys: {a: integer, b: {kinds: [string], default: x, absent: true}}, require: [a]}",
            "{keys: {a: integer}, rest: open}",
            "{keys: {a: integer}, rest: unread}",
            "{keys: {a: integer}, rest: string}",
            "{keys: {a: integer}, free: string}",
            "{free: string}",
            "{keys: {a: {default: [{b: .inf}]}, b: {default: [{b: 1}]}}}",
            "{keys: {a: {removed: gone}, b: {removed: ''}, c: {deprecated: ''}, d: {deprecated: soon, about: text}}}",
            "{keys: {a: {nullable: true, default: null}, b: {nullable: true, default: null}}, one not null: []}",
            "{keys: {a: {nullable: true, default: null}, b: {default: 1}}, one not null: []}",
            "{keys: {a: {nullable: true, default: null}, b: {default: 1}}, one not null: [a]}",
            "{keys: {}, one not null: []}",
            "{keys: {a: string}, one not null: [a]}",
            "{any: [integer, {keys: {a: string}}]}",
            "{kinds: [string], examples: [a, b]}",
            "{kinds: [number], examples: [.inf]}",
        ],
        expect![[r#"
            {keys: {a: integer, b: {kinds: [string], default: x, absent: true}}, require: [a]}
              {"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a"],"additionalProperties":false}
            {keys: {a: integer}, rest: open}
              {"type":"object","properties":{"a":{"type":"integer"}}}
            {keys: {a: integer}, rest: unread}
              {"type":"object","properties":{"a":{"type":"integer"}}}
            {keys: {a: integer}, rest: string}
              {"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":{"type":"string"}}
            {keys: {a: integer}, free: string}
              {"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":{"type":"string"}}
            {free: string}
              {"type":"object","properties":{},"minProperties":1,"additionalProperties":{"type":"string"}}
            {keys: {a: {default: [{b: .inf}]}, b: {default: [{b: 1}]}}}
              {"type":"object","properties":{"a":{},"b":{"default":[{"b":1}]}},"additionalProperties":false}
            {keys: {a: {removed: gone}, b: {removed: ''}, c: {deprecated: ''}, d: {deprecated: soon, about: text}}}
              {"type":"object","properties":{"a":{"not":{},"description":"gone"},"b":{"not":{}},"c":{"deprecated":true},"d":{"description":"text","deprecated":true,"deprecationMessage":"soon"}},"additionalProperties":false}
            {keys: {a: {nullable: true, default: null}, b: {nullable: true, default: null}}, one not null: []}
              {"type":"object","properties":{"a":{"default":null},"b":{"default":null}},"additionalProperties":false,"oneOf":[{"required":["a"],"properties":{"a":{"not":{"type":"null"}}}},{"required":["b"],"properties":{"b":{"not":{"type":"null"}}}}]}
            {keys: {a: {nullable: true, default: null}, b: {default: 1}}, one not null: []}
              {"type":"object","properties":{"a":{"default":null},"b":{"default":1}},"additionalProperties":false}
            {keys: {a: {nullable: true, default: null}, b: {default: 1}}, one not null: [a]}
              {"type":"object","properties":{"a":{"default":null},"b":{"default":1}},"additionalProperties":false,"oneOf":[{"required":["a"],"properties":{"a":{"not":{"type":"null"}}}}]}
            {keys: {}, one not null: []}
              {"type":"object","properties":{},"additionalProperties":false}
            {keys: {a: string}, one not null: [a]}
              {"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}
            {any: [integer, {keys: {a: string}}]}
              {"anyOf":[{"type":"integer"},{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}]}
            {kinds: [string], examples: [a, b]}
              {"examples":["a","b"],"type":"string"}
            {kinds: [number], examples: [.inf]}
              {"type":"number"}
        "#]],
    );
}

#[test]
fn openapi_as_ytt_prints_it() {
    let schema = schema(
        "
keys:
  a: {kinds: [integer], default: 1, about: a number, deprecated: soon}
  f: {kinds: [number], default: 1.5, nullable: true}
  any: {examples: [1, 2]}
  l: {items: string, default: []}
  m: {keys: {s: {kinds: [string], default: x}, b: {kinds: [boolean], default: true}}}
",
    );
    let json: serde_json::Value = serde_json::from_str(&to_json(&openapi(&schema))).expect("JSON");
    expect![[r#"
        {
          "dataValues": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "a": {
                "type": "integer",
                "deprecated": true,
                "description": "a number",
                "default": 1
              },
              "f": {
                "type": "number",
                "format": "float",
                "nullable": true,
                "default": 1.5
              },
              "any": {
                "nullable": true,
                "x-example-description": "it",
                "example": 1,
                "default": null
              },
              "l": {
                "type": "array",
                "items": {
                  "type": "string"
                },
                "default": []
              },
              "m": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "s": {
                    "type": "string",
                    "default": "x"
                  },
                  "b": {
                    "type": "boolean",
                    "default": true
                  }
                }
              }
            }
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&json["components"]["schemas"]).expect("JSON"));
}

const APP: &str = "
keys:
  service:
    about: Where it listens. And more.
    keys:
      port: {kinds: [integer], least: 1, default: 8080}
      names: {items: {kinds: [string], longest: 63}}
      level: {of: [low, high], default: low, deprecated: ''}
    require: [port]
  hosts: {items: {keys: {host: string, paths: {items: {keys: {prefix: string}}}}}}
  old: {removed: gone}
  deep: {name: deep, keys: {again: deep}}
patterns: {^x-: string}
rest: {about: other, kinds: [boolean]}
";

#[test]
fn an_outline_has_what_the_limits_allow() {
    let schema = schema(APP);
    let of = |depth: Option<usize>, budget: usize| outline(&schema, &[schema.root()], OutlineLimits { depth, budget });
    let whole = of(None, usize::MAX);
    expect![[r#"
        service: map  # Where it listens.
          port: integer, required, at least 1, default 8080
          names[]: string, length at most 63
          level: "low" | "high", default "low", deprecated
        hosts[]: map
          host: string
          paths[]: map
            prefix: string
        deep: map
          again: map {…}
        /^x-/: string
        *: boolean  # other
    "#]]
    .assert_eq(&whole.text);
    expect![[r#"
        map {…}
    "#]]
    .assert_eq(&of(Some(0), usize::MAX).text);
    expect![[r#"
        service: map {…}  # Where it listens.
        hosts[]: map {…}
        deep: map {…}
        /^x-/: string
        *: boolean  # other
    "#]]
    .assert_eq(&of(Some(1), usize::MAX).text);
    for budget in 0..whole.tokens {
        let part = of(None, budget);
        assert!(part.tokens <= budget && part.tokens == tokens(&part.text) && !part.complete, "{budget}: {part:?}");
    }
    assert_eq!(of(None, whole.tokens), whole);
}

#[test]
fn tokens_are_counted_so_that_no_model_has_more() {
    for (text, count) in [
        ("", 0),
        ("a", 1),
        ("abc", 1),
        ("abcd", 2),
        ("abcdefg", 3),
        ("a b", 2),
        ("a  b", 3),
        ("a ", 2),
        (" ", 1),
        ("a1", 2),
        ("a.", 2),
        ("a .", 3),
        ("123", 3),
        ("\n", 1),
        ("ä", 2),
        ("日", 3),
        ("ab cd\n", 3),
    ] {
        assert_eq!(tokens(text), count, "{text:?}");
    }
}

#[test]
fn every_value_is_declared_once_with_what_is_said_about_it() {
    let schema = schema(APP);
    let all = declared_values(&schema, &[schema.root()]);
    let mut out = String::new();
    for value in &all.values {
        write!(out, "{}{}: {}", "  ".repeat(value.depth), value.path, value.types).expect("a text takes all");
        let said = [
            value.required.then(|| "required".to_owned()),
            value.bounds.first().cloned(),
            (!value.allowed.is_empty()).then(|| format!("{} values", value.allowed.len())),
            value.default.as_ref().map(|default| format!("default {}", crate::words::literal(default))),
            value.description.map(str::to_owned),
            value.deprecated.map(|_| "deprecated".to_owned()),
            value.same_as.as_ref().map(|path| format!("as {path}")),
        ];
        said.into_iter().flatten().for_each(|said| write!(out, ", {said}").expect("a text takes all"));
        out.push('\n');
    }
    expect![[r#"
        service: map, Where it listens. And more.
          service.port: integer, required, at least 1, default 8080
          service.names: array of string
            service.names[]: string, length at most 63
          service.level: string, 2 values, default "low", deprecated
        hosts: array of map
          hosts[].host: string
          hosts[].paths: array of map
            hosts[].paths[].prefix: string
        deep: map
          deep.again: map, as deep
        /^x-/: string
        *: boolean, other
    "#]]
    .assert_eq(&out);
}

#[test]
fn examples_of_a_value_are_given_once() {
    let schema = schema("{all: [{examples: [1, a]}, {examples: [a, {b: 2}]}]}");
    let all = declared_values(&schema, &[schema.root()]);
    let examples = all.root.expect("a root").examples.into_iter().map(|(value, _)| crate::words::literal(value));
    assert_eq!(examples.collect::<Vec<_>>(), ["1", "\"a\"", "{b: 2}"]);
}
