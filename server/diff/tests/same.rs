//! What two versions accept together counts, not single keywords: a change breaks values only if one that was accepted is
//! refused.

use lofting_diff::{Change, Kind, Language, Part, compare};

fn changes(language: Language, old: &str, new: &str) -> Vec<Change> {
    compare(language, old, new).unwrap_or_else(|problem| panic!("{problem:?}\n{old}\n---\n{new}")).changes
}

fn json(old: &str, new: &str) -> Vec<Change> {
    changes(Language::JsonSchema, &format!("{{{old}}}"), &format!("{{{new}}}"))
}

/// The kinds of changes, and whether values break.
fn told(changes: &[Change]) -> Vec<(&'static str, bool)> {
    changes.iter().map(|change| (change.kind.name(), change.breaks.values)).collect()
}

/// Each of these pairs accepts the same values, however it says so.
#[test]
fn other_words_for_the_same_values_change_nothing() {
    for (one, other) in [
        ("enum: [x, y]", "type: string, enum: [y, x]"),
        ("const: x", "enum: [x]"),
        ("enum: [x, y]", "oneOf: [{const: x}, {const: y}]"),
        ("enum: [x, y, null]", "anyOf: [{enum: [x, y]}, {type: 'null'}]"),
        ("enum: [x, 1], type: string", "const: x"),
        ("type: boolean", "enum: [true, false]"),
        ("type: [boolean, 'null']", "enum: [null, true, false]"),
        ("type: integer, minimum: 1, maximum: 3", "enum: [1, 2, 3]"),
        ("type: integer", "type: integer, multipleOf: 1"),
        ("type: integer", "type: number, multipleOf: 1"),
        ("type: integer, maximum: 10.5", "type: integer, maximum: 10"),
        ("type: integer, maximum: 10", "type: integer, exclusiveMaximum: 10.5"),
        ("type: string, enum: [a, b]", "type: string, enum: [a, b], maxLength: 4, pattern: '^[ab]$'"),
        ("type: string, pattern: '^(a|b)$'", "type: string, enum: [a, b]"),
        ("type: string, pattern: '^a{2}$'", "type: string, pattern: '^a{2}$', minLength: 2, maxLength: 2"),
        ("type: string", "type: string, required: [x], properties: {x: {type: integer}}"),
        ("type: integer", "type: integer, minLength: 3, pattern: x, uniqueItems: true"),
        ("type: object, required: [a]", "type: object, required: [a], minProperties: 1"),
        ("type: array, contains: {const: 1}", "type: array, contains: {const: 1}, minItems: 1"),
        ("type: array, maxItems: 1", "type: array, maxItems: 1, uniqueItems: true"),
        ("multipleOf: 0.3", "multipleOf: 0.3, minLength: 0"),
    ] {
        for (old, new) in [(one, other), (other, one)] {
            assert_eq!(json(old, new), [], "{old}\n---\n{new}");
        }
    }
}

#[test]
fn what_refuses_more_still_breaks_values() {
    for (old, new, expected) in [
        ("enum: [x, y]", "oneOf: [{const: x}]", ("enum-value-removed", true)),
        ("oneOf: [{const: x}]", "oneOf: [{const: x}, {const: y}]", ("enum-value-added", false)),
        ("type: boolean", "enum: [true]", ("narrowed", true)),
        ("type: integer, minimum: 1, maximum: 4", "enum: [1, 2, 3]", ("narrowed", true)),
        ("type: [string, boolean], enum: [a, true]", "type: string, enum: [a, true]", ("narrowed", true)),
        ("type: integer, maximum: 10.5", "type: integer, maximum: 9.5", ("narrowed", true)),
        ("type: number", "type: number, multipleOf: 1", ("narrowed", true)),
        ("multipleOf: 0.1", "multipleOf: 0.3", ("narrowed", true)),
        ("multipleOf: 0.3", "multipleOf: 0.1", ("widened", false)),
        ("type: string, enum: [a, bbb]", "type: string, enum: [a, bbb], maxLength: 2", ("narrowed", true)),
        ("type: string, pattern: '^(a|b|c)$'", "type: string, enum: [a, b]", ("narrowed", true)),
        ("type: string, pattern: '^.+$'", "type: string, minLength: 1", ("widened", false)),
        ("type: array, maxItems: 2", "type: array, maxItems: 2, uniqueItems: true", ("narrowed", true)),
        ("type: [string, integer]", "type: [string, integer], pattern: x", ("narrowed", true)),
        ("oneOf: [{minimum: 1}, {maximum: 5}]", "anyOf: [{minimum: 1}, {maximum: 5}]", ("widened", false)),
        ("anyOf: [{minimum: 1}, {maximum: 5}]", "oneOf: [{minimum: 1}, {maximum: 5}]", ("narrowed", true)),
    ] {
        let found: Vec<(&str, bool)> = told(&json(old, new));
        let found: Vec<_> = found.into_iter().filter(|(kind, _)| *kind != "removed").collect();
        assert!(found.contains(&expected) && found.len() == 1, "{old}\n---\n{new}\n{found:?}");
    }
    // Keys that a pattern was for are declared now.
    let closed = "additionalProperties: false";
    let found =
        json(&format!("patternProperties: {{^b$: {{}}}}, {closed}"), &format!("properties: {{b: {{}}}}, {closed}"));
    assert!(!found.iter().any(|change| change.breaks.values), "{found:?}");
    let found =
        json(&format!("patternProperties: {{^b: {{}}}}, {closed}"), &format!("properties: {{b: {{}}}}, {closed}"));
    assert!(found.iter().any(|change| change.breaks.values), "{found:?}");
    // A rule for all other keys is new for those that no pattern was for.
    let found = json("patternProperties: {^b: false}", "additionalProperties: {type: string}");
    assert!(found.iter().any(|change| change.breaks.values), "{found:?}");
}

/// Another type beside the one that there was: values of that one are accepted as before.
#[test]
fn further_alternatives_refuse_nothing() {
    for (old, new) in [
        ("type: string", "oneOf: [{type: string}, {type: object, properties: {a: {type: string}}, required: [a]}]"),
        ("type: integer, minimum: 1", "anyOf: [{type: integer}, {type: string}, {minimum: 5}]"),
        (
            "type: string, pattern: '^a+$'",
            "anyOf: [{type: string, minLength: 1}, {type: array, items: {type: string}}]",
        ),
        ("enum: [a, b]", "anyOf: [{enum: [a, b, c]}, {type: integer}]"),
    ] {
        let found = json(old, new);
        assert!(!found.is_empty() && !found.iter().any(|change| change.breaks.values), "{old}\n---\n{new}\n{found:?}");
    }
    for (old, new) in [
        ("type: string", "oneOf: [{type: string}, {enum: [a]}]"),
        ("type: string", "anyOf: [{type: string, minLength: 1}, {type: integer}]"),
        ("type: object", "oneOf: [{type: string}, {type: object, required: [a]}]"),
        ("type: array", "oneOf: [{type: string}, {type: array, items: {type: string}}]"),
    ] {
        let found = json(old, new);
        assert!(found.iter().any(|change| change.breaks.values), "{old}\n---\n{new}\n{found:?}");
    }
}

#[test]
fn messages_name_what_is_written() {
    let words = |old: &str, new: &str| json(old, new).iter().map(Change::words).collect::<Vec<_>>().join("\n");
    let boolean = |schema: &str| format!("properties: {{a: {schema}}}");
    assert_eq!(words(&boolean("{}"), &boolean("false")), "no value is accepted now; it was any");
    assert_eq!(
        words(&boolean("false"), &boolean("{type: string}")),
        "values are accepted now, and none was: it is string now"
    );
    assert_eq!(
        words("minimum: 0", "exclusiveMinimum: 0"),
        "fewer values are accepted: minimum was 0, and exclusiveMinimum is 0 now"
    );
    assert_eq!(words("type: number", "type: number, multipleOf: 2"), "fewer values are accepted: multipleOf is 2 now");
    let asked = words("title: x", "dependentRequired: {a: [b]}");
    assert!(asked.contains("because of a change of dependentRequired"), "{asked}");
    let asked = words("title: x", "dependentSchemas: {a: {properties: {b: {type: string}}}}");
    assert!(asked.contains("because of a change of dependentSchemas"), "{asked}");
    assert_eq!(
        words("type: object", "type: object, exclusiveMinimum: 0"),
        "exclusiveMinimum is 0 now, which is not for values of its type"
    );
    // Its author expects that values are refused.
    let breaks = |old: &str, new: &str| json(old, new).iter().any(|change| change.breaks.values);
    assert!(breaks("type: object", "type: object, exclusiveMinimum: 0"));
    assert!(!breaks("type: object, exclusiveMinimum: 0", "type: object"));
    // The text that shows the difference between two patterns was too long before.
    let patterns = words("maxLength: 1, pattern: '^a*$'", "maxLength: 1, pattern: '^a?b?$'");
    assert!(!patterns.contains("was accepted"), "{patterns}");
}

/// A definition with these versions.
fn definition(names: &str, versions: &[&str]) -> String {
    let versions: Vec<String> = versions.iter().map(|version| format!("  - {version}\n")).collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a.example.com}}\nspec:\n  \
         scope: Namespaced\n  {names}\n  versions:\n{}",
        versions.concat()
    )
}

#[test]
fn names_and_versions_of_custom_resources() {
    let names =
        |group: &str, kind: &str, plural: &str| format!("group: {group}\n  names: {{kind: {kind}, plural: {plural}}}");
    let usual = names("example.com", "A", "as");
    let version = |name: &str, more: &str| {
        format!(
            "{{name: {name}, {more} schema: {{openAPIV3Schema: {{type: object, properties: {{x: {{type: string}}}}}}}}}}"
        )
    };
    let (v1, v2) = (version("v1", ""), version("v2", ""));
    let unserved = version("v2", "served: false,");
    let both = definition(&usual, &[&v1, &v2]);
    let crd = |old: &str, new: &str| changes(Language::Crd, old, new);
    let one = definition(&usual, &[&v1]);
    for (changed, key) in [
        (names("example.org", "A", "as"), "group"),
        (names("example.com", "B", "as"), "kind"),
        (names("example.com", "A", "bs"), "plural"),
    ] {
        let found = crd(&one, &definition(&changed, &[&v1]));
        assert_eq!(told(&found), [("name-changed", true)], "{changed}");
        assert_eq!(found[0].keyword, Some(key));
    }
    let found = crd(&both, &definition(&usual, &[&v1, &unserved]));
    assert_eq!(told(&found), [("version-removed", true)]);
    assert_eq!(found[0].words(), "version v2 is no longer served");
    assert_eq!(told(&crd(&definition(&usual, &[&v1, &unserved]), &both)), [("version-added", false)]);
    // No client can use what is not served.
    assert_eq!(told(&crd(&definition(&usual, &[&v1, &unserved]), &one)), [("version-removed", false)]);
    let other = unserved.replace("string", "integer");
    assert_eq!(
        told(&crd(&definition(&usual, &[&v1, &unserved]), &definition(&usual, &[&v1, &other]))),
        [("type-changed", false)]
    );
    let deprecated = version("v2", "deprecated: true, deprecationWarning: use v1,");
    let found = crd(&both, &definition(&usual, &[&v1, &deprecated]));
    assert_eq!(told(&found), [("deprecated", false)]);
    assert_eq!(found[0].words(), "it is deprecated: use v1");
}

#[test]
fn items_that_are_told_apart() {
    let list = |kind: &str| {
        let schema = format!(
            "{{type: array, {kind} items: {{type: object, required: [k, l], properties: {{k: {{type: string}}, l: {{type: string}}}}}}}}"
        );
        let version =
            format!("{{name: v1, schema: {{openAPIV3Schema: {{type: object, properties: {{a: {schema}}}}}}}}}");
        definition("group: example.com\n  names: {kind: A, plural: as}", &[&version])
    };
    let map = |keys: &str| list(&format!("x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{keys}],"));
    for (old, new, expected) in [
        (list(""), map("k"), vec![("narrowed", true)]),
        (list(""), list("x-kubernetes-list-type: atomic,"), vec![]),
        (list(""), list("x-kubernetes-list-type: set,"), vec![("narrowed", true)]),
        (map("k"), list(""), vec![("widened", false)]),
        (map("k, l"), map("l, k"), vec![]),
        (map("k, l"), map("k"), vec![("narrowed", true)]),
        (map("k"), map("k, l"), vec![("widened", false)]),
    ] {
        let found = changes(Language::Crd, &old, &new);
        assert_eq!(told(&found), expected, "{old}\n---\n{new}");
        assert!(found.iter().all(|change| change.path.to_string() == "a" && change.rule().ends_with("uniqueness")));
    }
}

#[test]
fn bodies_of_requests() {
    let api = |version: &str, path: &str, body: &str| {
        format!(
            "openapi: {version}\ninfo: {{title: t, version: '1'}}\npaths:\n  {path}:\n    post:\n{body}      responses: {{}}\n"
        )
    };
    let body = |required: &str, schema: &str| {
        format!("      requestBody: {{{required} content: {{application/json: {{schema: {schema}}}}}}}\n")
    };
    let (any, strict) = (body("", "{type: object}"), body("required: true,", "{type: object}"));
    let of =
        |old: &str, new: &str| told(&changes(Language::OpenApi, &api("3.0.3", "/a", old), &api("3.0.3", "/a", new)));
    assert_eq!(of(&any, &strict), [("became-required", true)]);
    assert_eq!(of(&strict, &any), [("became-optional", false)]);
    assert_eq!(of("", &strict), [("added-required", true)]);
    assert_eq!(of("", &any), [("added-optional", false)]);
    // An operation that is new had no callers.
    let found = changes(
        Language::OpenApi,
        &api("3.0.3", "/b", &any),
        &(api("3.0.3", "/b", &any) + "  /a:\n    post:\n" + &strict),
    );
    assert_eq!(told(&found), [("added-optional", false)]);
    // Callers do not see the name of a parameter in the path.
    let renamed = |name: &str, schema: &str| api("3.0.3", &format!("/a/{{{name}}}/b"), &body("", schema));
    let found = changes(Language::OpenApi, &renamed("id", "{type: object}"), &renamed("key", "{type: object}"));
    assert_eq!(found, []);
    let found = changes(Language::OpenApi, &renamed("id", "{type: object}"), &renamed("key", "{type: string}"));
    assert_eq!(told(&found), [("type-changed", true)]);
    let part = Part {
        operation: Some("POST /a/{key}/b".to_owned()),
        media_type: Some("application/json".to_owned()),
        ..Part::default()
    };
    assert_eq!(found[0].part, part);
    // Up to version 3.0, only answers must have what is read only.
    let schema =
        |more: &str| body("", &format!("{{type: object, properties: {{id: {{type: string, readOnly: true}}}}{more}}}"));
    let of = |version: &str, old: &str, new: &str| {
        told(&changes(Language::OpenApi, &api(version, "/a", old), &api(version, "/a", new)))
    };
    assert_eq!(of("3.0.3", &schema(""), &schema(", required: [id]")), []);
    assert_eq!(of("3.1.0", &schema(""), &schema(", required: [id]")), [("became-required", true)]);
    assert_eq!(of("3.0.3", &any, &schema(", required: [id]")), [("added-optional", false)]);
    assert_eq!(Kind::NameChanged.reversed(), Some(Kind::NameChanged));
}
