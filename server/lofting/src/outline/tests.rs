use super::{OutlineChoice, tokens};
use crate::Workspace;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

fn outline(schema: &Value, choice: &OutlineChoice) -> super::Outline {
    let folder = tempfile::tempdir().expect("a folder");
    let mut workspace = Workspace::open(folder.path());
    workspace.edit("schema.json", &schema.to_string()).expect("a name");
    workspace.edit("app.yml", "# yaml-language-server: $schema=schema.json\n").expect("a name");
    workspace.snapshot("app.yml").expect("a file").outline(choice).expect("a schema")
}

fn app() -> Value {
    json!({
        "properties": {
            "name": {"type": "string", "description": "What it is called. Not longer than a line.", "minLength": 1},
            "service": {
                "description": "Where it listens",
                "properties": {
                    "port": {"type": "integer", "minimum": 1, "default": 80},
                    "kind": {"enum": ["tcp", "udp"]},
                    "labels": {"additionalProperties": {"type": "string"}},
                },
                "required": ["kind"],
            },
            "ports": {"type": "array", "items": {"properties": {"number": {"type": "integer"}}}},
            "self": {"$ref": "#"},
        },
        "required": ["name"],
    })
}

fn check(choice: &OutlineChoice, expected: &Expect) {
    expected.assert_eq(&outline(&app(), choice).outline);
}

#[test]
fn a_schema_in_few_lines() {
    check(
        &OutlineChoice::default(),
        &expect![[r#"
        name: string, required, length at least 1  # What it is called.
        service: map  # Where it listens
          port: integer, at least 1, default 80
          kind: "tcp" | "udp", required
          labels: map
            *: string
        ports[]: map
          number: integer
        self: map {…}
    "#]],
    );
    check(
        &OutlineChoice { depth: Some(1), ..OutlineChoice::default() },
        &expect![[r#"
        name: string, required, length at least 1  # What it is called.
        service: map {…}  # Where it listens
        ports[]: map {…}
        self: map {…}
    "#]],
    );
    check(
        &OutlineChoice { budget: Some(40), ..OutlineChoice::default() },
        &expect![[r#"
        name: string, required, length at least 1
        {… 3 more}
    "#]],
    );
    check(
        &OutlineChoice { below: "service.port".to_owned(), ..OutlineChoice::default() },
        &expect![[r#"
        integer, at least 1, default 80
    "#]],
    );
    check(
        &OutlineChoice { below: "ports[]".to_owned(), ..OutlineChoice::default() },
        &expect![[r#"
        number: integer
    "#]],
    );
}

#[test]
fn tokens_are_counted_generously() {
    for (text, count) in
        [("", 0), ("a", 1), ("port: 80\n", 7), ("  port", 3), ("maximum", 3), ("größe", 6), ("{… 3 more}", 9)]
    {
        assert_eq!(tokens(text), count, "{text:?}");
    }
}

/// Schemas with everything that makes lines: descriptions, values, bounds, arrays, choices.
fn schemas() -> impl Strategy<Value = Value> {
    let text = "[ -~äß€😀\\n]{0,60}";
    let leaf = prop_oneof![
        Just(json!({"type": "integer", "minimum": 3})),
        text.prop_map(|text| json!({"type": "string", "description": text})),
        text.prop_map(|text| json!({"type": "string", "pattern": text, "default": text})),
        prop::collection::vec(text, 1..20).prop_map(|values| json!({"enum": values})),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        let keys = prop::collection::btree_map("[a-zA-Z_é. -]{1,20}", inner.clone(), 0..8);
        prop_oneof![
            (keys, text).prop_map(|(keys, text)| json!({"description": text, "required": keys.keys().collect::<Vec<_>>(), "properties": keys})),
            inner.clone().prop_map(|inner| json!({"type": "array", "items": inner})),
            inner.clone().prop_map(|inner| json!({"additionalProperties": inner})),
            prop::collection::vec(inner, 1..4).prop_map(|members| json!({"anyOf": members})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_budget_is_never_exceeded(schema in schemas(), budget in 0_usize..400, depth in prop::option::of(0_usize..4)) {
        let found = outline(&schema, &OutlineChoice { budget: Some(budget), depth, ..OutlineChoice::default() });
        prop_assert!(tokens(&found.outline) <= budget, "{}", found.outline);
        prop_assert_eq!(tokens(&found.outline), found.tokens);
        let whole = outline(&schema, &OutlineChoice { budget: Some(usize::MAX), ..OutlineChoice::default() });
        prop_assert!(found.outline.lines().count() <= whole.outline.lines().count() + 1);
        prop_assert!(!found.complete || found.outline == whole.outline);
    }
}
