//! Documents with a JSON Schema, and what it is made of.

use super::{Case, Row, VALUES, each, plain};

pub(super) const SHAPES: &[Row] = &[
    ("items below alternatives of a document", 20_000, items_below_alternatives),
    ("keys of a map with alternatives", 20_000, keys_with_alternatives),
    ("alternatives of a document", 2_000, alternatives),
    ("definitions that refer to each other", 5_000, definitions),
    ("conditions of an object", 2_000, conditions),
    ("files that a JSON Schema refers to", 150, linked),
    ("entries of [[schemas]]", 2_000, entries),
];

const MODELINE: &str = "# yaml-language-server: $schema=schema.json\n";

fn named(schema: String, values: String) -> Case {
    let config = vec![("schema.json".to_owned(), schema)];
    Case { config, values: Some(format!("{MODELINE}{values}")), ..Case::default() }
}

/// A key scores the alternatives again, but not what did not change.
fn items_below_alternatives(n: usize) -> Case {
    let branch = |kind: &str| {
        format!(
            r#"{{"required": ["kind", "items"], "properties": {{"kind": {{"const": "{kind}"}},
               "items": {{"items": {{"properties": {{"name": {{"type": "string"}}, "port": {{"type": "integer"}}}}}}}}}}}}"#
        )
    };
    let schema = format!(r#"{{"oneOf": [{}, {}, {}]}}"#, branch("a"), branch("b"), branch("c"));
    named(schema, format!("kind: b\nitems:\n{}", each(n, |i| format!("- port: {i}\n  name: n{i}\n"))))
}

fn keys_with_alternatives(n: usize) -> Case {
    let schema = r#"{"anyOf": [{"additionalProperties": {"type": "string"}, "required": ["a"]},
                    {"additionalProperties": {"type": "integer"}, "required": ["k1"]}]}"#;
    named(schema.to_owned(), each(n, |i| format!("k{i}: {i}\n")))
}

fn alternatives(n: usize) -> Case {
    let branch = |i| format!(r#"{{"properties": {{"kind": {{"const": "k{i}"}}, "value": {{"type": "integer"}}}}}},"#);
    named(format!(r#"{{"oneOf": [{} false]}}"#, plain(n, branch)), format!("kind: k{}\nvalue: 1█\n", n / 2))
}

fn definitions(n: usize) -> Case {
    let next =
        |i| format!(r##""d{i}": {{"properties": {{"next": {{"$ref": "#/definitions/d{}"}}, "v": {{}}}}}},"##, i + 1);
    let schema = format!(
        r##"{{"definitions": {{{} "d{n}": {{"$ref": "#/definitions/d0"}}}}, "$ref": "#/definitions/d0"}}"##,
        plain(n, next)
    );
    named(schema, "next:\n  next:\n    v: 1█\n".to_owned())
}

fn conditions(n: usize) -> Case {
    let one = |i| {
        format!(
            r#"{{"if": {{"properties": {{"kind": {{"const": "k{i}"}}}}, "required": ["kind"]}},
               "then": {{"properties": {{"v{i}": {{"type": "integer"}}}}}}}},"#
        )
    };
    named(format!(r#"{{"allOf": [{} true]}}"#, plain(n, one)), format!("kind: k{}\nv1: 1█\n", n / 2))
}

fn linked(n: usize) -> Case {
    let mut case =
        named(r#"{"properties": {"next": {"$ref": "s0.json"}}}"#.to_owned(), "next:\n  next: {}█\n".to_owned());
    for i in 0..n {
        let schema = format!(r#"{{"properties": {{"next": {{"$ref": "s{}.json"}}}}}}"#, i + 1);
        case = case.and(format!("s{i}.json"), schema);
    }
    case
}

fn entries(n: usize) -> Case {
    let entry = |i| format!("[[schemas]]\npath = \"s{i}.json\"\nfiles = [\"no{i}.yml\"]\n");
    let last = format!("[[schemas]]\npath = \"schema.json\"\nfiles = [\"{VALUES}\"]\n");
    let config = vec![
        ("lofting.toml".to_owned(), plain(n, entry) + &last),
        ("schema.json".to_owned(), r#"{"properties": {"a": {"type": "integer"}}}"#.to_owned()),
    ];
    Case { config, values: Some("a: 1█\n".to_owned()), ..Case::default() }
}
