//! What is listed of schemas of every shape.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Documentation, DocumentationChoice, Workspace};

fn documentation(schema: &Value, below: &str) -> Documentation {
    let folder = tempfile::tempdir().expect("a folder");
    let mut workspace = Workspace::open(folder.path());
    let mut schema = schema.clone();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    workspace.edit("app.json", &schema.to_string()).expect("a name");
    let choice = DocumentationChoice { below: below.to_owned(), document: None };
    workspace.snapshot("app.json").expect("a file").documentation(&choice).expect("a schema")
}

fn paths(documentation: &Documentation) -> Vec<(&str, usize)> {
    documentation.entries.iter().map(|entry| (entry.path.as_str(), entry.depth)).collect()
}

#[test]
fn each_value_has_its_path_and_comes_after_what_contains_it() {
    let schema = json!({
        "properties": {
            "a": {"properties": {"b.c": {"type": "string"}, "d\\e": {"type": "integer"}}},
            "list": {"items": {"properties": {"x": {"type": "string"}}}},
            "matrix": {"items": {"items": {"type": "integer", "minimum": 1}}},
            "labels": {"additionalProperties": {"type": "string"}},
            "env": {"patternProperties": {"^X_": {"type": "string"}}},
        },
    });
    let all = documentation(&schema, "");
    assert_eq!(
        paths(&all),
        [
            ("a", 0),
            ("a.b\\.c", 1),
            ("a.d\\\\e", 1),
            ("list", 0),
            ("list[].x", 1),
            ("matrix", 0),
            ("matrix[][]", 1),
            ("labels", 0),
            ("labels.*", 1),
            ("env", 0),
            ("env./^X_/", 1),
        ]
    );
    assert!(all.complete);
    assert_eq!(paths(&documentation(&schema, "a")), [("b\\.c", 0), ("d\\\\e", 0)]);
}

#[test]
fn a_schema_that_contains_itself_ends() {
    let schema = json!({
        "properties": {"name": {"type": "string"}, "children": {"items": {"$ref": "#"}}, "next": {"$ref": "#/properties/children"}},
    });
    let all = documentation(&schema, "");
    let same: Vec<(&str, Option<&str>)> =
        all.entries.iter().map(|entry| (entry.path.as_str(), entry.same_as.as_deref())).collect();
    assert!(all.complete, "{same:?}");
    assert!(same.len() < 20, "{same:?}");
    assert!(same.iter().any(|(_, same)| same.is_some()), "{same:?}");
}

#[test]
fn what_is_said_is_said_whole() {
    let schema = json!({
        "title": "App",
        "required": ["port"],
        "properties": {
            "port": {"type": "integer", "minimum": 1, "default": 80, "examples": [8080], "description": "Where."},
            "kind": {"enum": ["tcp", 1], "deprecated": true},
            "limits": {"default": {"cpu": "100m"}},
        },
    });
    let all = documentation(&schema, "");
    assert_eq!(all.title.as_deref(), Some("App"));
    let [port, kind, limits] = all.entries.as_slice() else { panic!("{all:?}") };
    assert!(port.required && !kind.required);
    assert_eq!(port.bounds, ["at least 1"]);
    assert_eq!(port.default.as_ref().map(|default| &default.value), Some(&json!(80)));
    assert_eq!(port.examples.first().map(|example| &example.value), Some(&json!(8080)));
    assert_eq!(kind.kind, "string or integer");
    assert!(kind.deprecated.is_some());
    assert_eq!(limits.default.as_ref().map(|default| default.line.as_str()), Some("{cpu: \"100m\"}"));
}

/// A schema of nested objects, arrays and references to its root.
fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"enum": [1, "a"]})),
        Just(json!({"$ref": "#"})),
        Just(json!(true)),
        Just(json!({"items": {"$ref": "#/properties/a"}})),
    ];
    let inner = leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            prop::collection::btree_map("[ab.*\\[]{1,2}", inner.clone(), 0..4)
                .prop_map(|keys| json!({"properties": keys})),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "description": "x"})),
            inner.clone().prop_map(|rest| json!({"additionalProperties": rest})),
            (inner.clone(), inner).prop_map(|(one, two)| json!({"anyOf": [one, two]})),
        ]
    });
    prop::collection::btree_map("[ab]{1,2}", inner, 0..4).prop_map(|keys| json!({"properties": keys}))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Paths are anchors, so each is unique; a value is one level below the last one that contains it.
    #[test]
    fn paths_are_unique_and_levels_have_no_gaps(schema in schemas()) {
        let all = documentation(&schema, "");
        let unique: BTreeSet<&str> = all.entries.iter().map(|entry| entry.path.as_str()).collect();
        prop_assert_eq!(unique.len(), all.entries.len(), "{:?}", paths(&all));
        let mut last = None;
        for (path, depth) in paths(&all) {
            prop_assert!(depth <= last.map_or(0, |last: usize| last + 1), "{path}");
            last = Some(depth);
        }
    }
}

/// All schemas of a file are documented, and each value is found by its path.
#[test]
fn schemas_that_are_parts_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut workspace = Workspace::open(folder.path());
    let object =
        |key: &str| format!("{{type: object, description: About {key}., properties: {{{key}: {{type: string}}}}}}");
    let document = |kind: &str, name: &str, schemas: &str| {
        format!("apiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n{schemas}---\n")
    };
    let section = |name: &str, key: &str| format!("  {name}:\n    openAPIV3Schema: {}\n", object(key));
    let two = section("parameters", "a") + &section("environmentConfigs", "b");
    let mut documented = |text: &str, below: &str, document: Option<usize>| {
        workspace.edit("type.yaml", text).expect("a name");
        let choice = DocumentationChoice { below: below.to_owned(), document };
        let found = workspace.snapshot("type.yaml").expect("a file").documentation(&choice).expect("a schema");
        paths(&found).into_iter().map(|(path, depth)| format!("{depth} {path}")).collect::<Vec<_>>()
    };
    let one = document("Trait", "web", &two);
    let all = ["0 parameters", "1 parameters.a", "0 environmentConfigs", "1 environmentConfigs.b"];
    assert_eq!(documented(&one, "", None), all);
    assert_eq!(documented(&one, "environmentConfigs", None), ["0 b"]);
    assert_eq!(documented(&document("Trait", "web", &section("parameters", "a")), "", None), ["0 a"]);
    let several = one.clone() + &document("Trait", "api.v1", &section("parameters", "c"));
    let all = ["0 web.parameters", "1 web.parameters.a", "0 web.environmentConfigs", "1 web.environmentConfigs.b"];
    assert_eq!(documented(&several, "", None), [all.as_slice(), &["0 api\\.v1", "1 api\\.v1.c"]].concat());
    assert_eq!(documented(&several, "", Some(1)), ["0 c"]);
    let kinds = one + &document("ComponentType", "web", &section("parameters", "c"));
    let last = documented(&kinds, "", None).pop();
    assert_eq!(last.as_deref(), Some("1 ComponentType web.c"));
}
