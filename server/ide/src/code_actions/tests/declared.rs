//! Undeclared keys: declared in the schemas of all languages, or moved to where they are declared.

use super::{all_at, applied, check_change, titles};
use crate::fixture::{open, open_with};
use expect_test::{Expect, expect};
use lofting_workspace::Settings;

/// Checks the schema, the first file, after the key at the cursor was declared in it.
#[track_caller]
fn check_declared(fixture: &str, expected: Expect) {
    let fixture = open_with(Settings::default(), fixture);
    let found = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset);
    let action = found.into_iter().find(|action| action.name.title.starts_with("Declare "));
    let Some(change) = action.and_then(|action| action.change) else { panic!("offered are:\n{}", titles(&fixture)) };
    let schema = change.edits[0].0.file;
    expected.assert_eq(&applied(&fixture.snapshot, &change).text(schema).to_string());
}

#[test]
fn a_key_moves_to_the_only_place_that_declares_it() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\nname: a\nimage:\n  tag: \"\"\n  pull:\n    policy: a\n    secret: \"\"\nsecret: \"\"\n";
    let values = |text: &str| format!("{schema}#- values.yml\n#@data/values\n---\n{text}");
    check_change(
        &values("name: b\npol$0icy: Always\n"),
        "Move `policy` into `image.pull`",
        expect![[r#"
            #@data/values
            ---
            name: b
            image:
              pull:
                policy: Always
        "#]],
    );
    check_change(
        &values("tag$0: \"1\"\nimage:\n  pull: {secret: a}\nname: b\n"),
        "Move `tag` into `image`",
        expect![[r#"
            #@data/values
            ---
            image:
              pull: {secret: a}
              tag: "1"
            name: b
        "#]],
    );
    check_change(
        &values("image:\n  na$0me: b\n"),
        "Move `name` to the top",
        expect![[r#"
            #@data/values
            ---
            image: {}
            name: b
        "#]],
    );
    // Declared twice, there already, or with a comment of its own.
    for text in ["image:\n  secr$0et: a\n", "image:\n  tag: a\nta$0g: b\n", "policy$0: #! why\n  a\n"] {
        let offered = titles(&open(&values(text)));
        assert!(offered.contains("Declare") && !offered.contains("Move"), "{offered}");
    }
}

#[test]
fn a_key_is_declared_in_a_json_schema() {
    let declare = |name: &str, schema: &str, values: &str, expected| {
        let fixture = format!("#- {name}\n{schema}#- values.yml\n# yaml-language-server: $schema={name}\n{values}");
        check_declared(&fixture, expected);
    };
    declare(
        "s.json",
        "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"a\": {\"type\": \"integer\"}\n  },\n  \"additionalProperties\": false\n}\n",
        "a: 1\nx$0: [{p: 1, q: a}, {p: 2.5}]\n",
        expect![[r#"
            {
              "type": "object",
              "properties": {
                "a": {"type": "integer"},
                "x": {"type":"array","items":{"type":"object","properties":{"p":{"type":"number"},"q":{"type":"string"}}}}
              },
              "additionalProperties": false
            }
        "#]],
    );
    declare(
        "s.yml",
        "type: object\nproperties:\n  a:\n    type: object\n    additionalProperties: false\nadditionalProperties: false\n",
        "a:\n  x$0: true\n",
        expect![[r#"
            type: object
            properties:
              a:
                type: object
                additionalProperties: false
                properties:
                  x: {type: boolean}
            additionalProperties: false
        "#]],
    );
}

#[test]
fn a_field_is_declared_in_both_forms_of_openchoreo() {
    let of = |section: &str, trait_values: &str| {
        format!(
            "#- types.yml\napiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata:\n  name: web\nspec:\n  workloadType: deployment\n{section}#- app.yml\napiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata:\n  name: shop\nspec:\n  componentType: deployment/web\n  parameters:\n{trait_values}"
        )
    };
    check_declared(
        &of("  schema:\n    parameters:\n      port: integer\n", "    port: 1\n    x$0: 80\n"),
        expect![[r#"
            apiVersion: openchoreo.dev/v1alpha1
            kind: ComponentType
            metadata:
              name: web
            spec:
              workloadType: deployment
              schema:
                parameters:
                  port: integer
                  x: integer | default=80
        "#]],
    );
    check_declared(
        &of(
            "  parameters:\n    openAPIV3Schema:\n      type: object\n      properties:\n        port: {type: integer}\n",
            "    port: 1\n    x$0: {a: b}\n",
        ),
        expect![[r#"
            apiVersion: openchoreo.dev/v1alpha1
            kind: ComponentType
            metadata:
              name: web
            spec:
              workloadType: deployment
              parameters:
                openAPIV3Schema:
                  type: object
                  properties:
                    port: {type: integer}
                    x: {type: object, properties: {a: {type: string}}}
        "#]],
    );
}

#[test]
fn a_key_is_declared_in_the_schema_of_a_proposal() {
    check_declared(
        "#- schema.yml\n#@schema/match data_values=True\n---\na: 1\n#- values.yml\n#@data/values\n---\nx$0: 80\n",
        expect![[r#"
            #@schema/match data_values=True
            ---
            a: 1
            x: 80
        "#]],
    );
}
