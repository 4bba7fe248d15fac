//! Documents with a JSON Schema, and what it is made of.

use super::{Case, Row, VALUES, each, plain};

pub(super) const SHAPES: &[Row] = &[
    ("items below alternatives of a document", 20_000, items_below_alternatives),
    ("keys of a map with alternatives", 20_000, keys_with_alternatives),
    ("alternatives of a document", 2_000, alternatives),
    ("definitions that refer to each other", 5_000, definitions),
    ("conditions of an object", 2_000, conditions),
    ("conditions about as many keys", 2_000, conditions_about_keys),
    ("alternatives that are about other keys", 2_000, alternatives_about_keys),
    ("alternatives that differ in the value of a key", 2_000, alternatives_by_value),
    ("keys that need others", 5_000, dependencies),
    ("clauses that require keys", 5_000, requirements),
    ("files that a JSON Schema refers to", 150, linked),
    ("entries of [[schemas]]", 2_000, entries),
    ("entries of [[schemas]] for as many files", 2_000, entries_for_files),
    ("patterns of an entry of [[schemas]]", 2_000, patterns),
    ("documents with aliases", 4_000, |n| documents(n, "name: &a x\nalso: *a\n")),
    ("documents with merge keys", 4_000, |n| documents(n, "<<: &a {name: x}\nalso: {<<: *a}\n")),
    ("documents with tags", 4_000, |n| documents(n, "name: !!str x\n")),
    ("documents with explicit keys", 4_000, |n| documents(n, "? name\n: x\n")),
    ("documents with complex keys", 4_000, |n| documents(n, "? [name, x]\n: x\n")),
    ("documents with repeated keys", 4_000, |n| documents(n, "name: x\nname: y\n")),
    ("documents with directives", 4_000, |n| documents(n, "name: !t!a x\n...\n%TAG !t! tag:x,2020:\n")),
    ("resources with tags", 4_000, resources),
    ("resources of a list with an anchor", 4_000, listed_resources),
    ("repeated keys below a JSON Schema", 50_000, |n| named(LOOSE.to_owned(), each(n, |i| format!("name: n{i}\n")))),
    ("tags below a JSON Schema", 50_000, |n| named(LOOSE.to_owned(), each(n, |i| format!("k{i}: !!str x\n")))),
    ("aliases below a JSON Schema", 50_000, |n| {
        named(LOOSE.to_owned(), "a: &a x\n".to_owned() + &each(n, |i| format!("k{i}: *a\n")))
    }),
    ("strings below a pattern that looks ahead", 4_000, |n| {
        named(LOOKING.to_owned(), each(n, |i| format!("k{i}: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n")))
    }),
    ("characters below a pattern that looks ahead", 400_000, |n| {
        named(LOOKING.to_owned(), format!("a: {}█\n", "a".repeat(n)))
    }),
];

const MODELINE: &str = "# yaml-language-server: $schema=schema.json\n";

fn named(schema: String, values: String) -> Case {
    let config = vec![("schema.json".to_owned(), schema)];
    Case { config, values: Some(format!("{MODELINE}{values}")), ..Case::default() }
}

const LOOSE: &str = r#"{"properties": {"name": {"type": "string"}}}"#;

const LOOKING: &str = r#"{"additionalProperties": {"pattern": "(?=.*.*.*.*=)x"}, "patternProperties": {"(?!k)z": {}}}"#;

fn documents(n: usize, document: &str) -> Case {
    named(LOOSE.to_owned(), each(n, |_| format!("---\n{document}")))
}

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
    names: {kind: Many}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        \
    properties: {spec: {type: object, additionalProperties: {type: integer}}}\n";

fn resources(n: usize) -> Case {
    let resource = |i| format!("---\napiVersion: example.com/v1\nkind: Many\nspec:\n  port: !!int {i}\n");
    Case::config(each(n, resource)).and("crd.yml", CRD.to_owned())
}

fn listed_resources(n: usize) -> Case {
    let resource = |i| format!("- apiVersion: example.com/v1\n  kind: Many\n  spec: {{port: {i}}}\n");
    let list = format!("apiVersion: v1\nkind: List\nmetadata: &a {{}}\nitems:\n{}", each(n, resource));
    Case::config(list).and("crd.yml", CRD.to_owned())
}

fn dependencies(n: usize) -> Case {
    let needs = |i| format!(r#""k{i}": ["r{i}"],"#);
    let schema = format!(r#"{{"dependentRequired": {{{} "k": []}}}}"#, plain(n, needs));
    named(schema, each(n, |i| format!("k{i}: {i}\n")))
}

fn requirements(n: usize) -> Case {
    let clause = |i| format!(r#"{{"required": ["r{i}"]}},"#);
    named(format!(r#"{{"allOf": [{} {{}}]}}"#, plain(n, clause)), each(n, |i| format!("k{i}: {i}\n")))
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

fn conditions_about_keys(n: usize) -> Case {
    let one = |i| {
        let next = i + 1;
        format!(
            r#"{{"if": {{"required": ["k{i}"]}}, "then": {{"properties": {{"k{next}": {{"type": "integer"}}}}}}}},"#
        )
    };
    named(format!(r#"{{"allOf": [{} true]}}"#, plain(n, one)), each(n, |i| format!("k{i}: {i}\n")))
}

fn alternatives_about_keys(n: usize) -> Case {
    let branch = |i| format!(r#"{{"properties": {{"k{i}": {{"const": "no"}}}}, "required": ["k{i}"]}},"#);
    named(format!(r#"{{"anyOf": [{} false]}}"#, plain(n, branch)), each(n, |i| format!("k{i}: {i}\n")))
}

fn alternatives_by_value(n: usize) -> Case {
    let branch = |i| {
        format!(
            r#"{{"properties": {{"kind": {{"const": "k{i}"}}, "v": {{"type": "integer"}}}}, "required": ["kind"]}},"#
        )
    };
    let schema = format!(r#"{{"items": {{"oneOf": [{} false]}}}}"#, plain(n, branch));
    named(schema, each(n, |i| format!("- {{kind: k{i}, v: 1}}\n")))
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

fn entries_for_files(n: usize) -> Case {
    let entry = |i| format!("[[schemas]]\npath = \"schema.json\"\nfiles = [\"d{i}/*.yml\"]\n");
    with_files(n, plain(n, entry))
}

fn patterns(n: usize) -> Case {
    let patterns = plain(n, |i| format!("\"d{i}/*.yml\", "));
    with_files(n, format!("[[schemas]]\npath = \"schema.json\"\nfiles = [{patterns}]\n"))
}

/// Files in directories of their own, and one that is edited.
fn with_files(n: usize, configuration: String) -> Case {
    let mut case = entries(0);
    case.config.extend((0..n).map(|i| (format!("d{i}/a.yml"), "a: 1\n".to_owned())));
    if let Some((_, text)) = case.config.first_mut() {
        text.insert_str(0, &configuration);
    }
    case
}
