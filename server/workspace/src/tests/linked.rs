//! JSON Schemas that files name.

use crate::fixture::Fixture;
use expect_test::expect;

const SCHEMA: &str = r##"#- schemas/box.json
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "required": ["size"],
  "additionalProperties": false,
  "properties": {
    "size": {"$ref": "parts/size.yaml#/definitions/size"},
    "on": {"type": "string"},
    "next": {"$ref": "#"}
  }
}
#- schemas/parts/size.yaml
definitions:
  size: {type: integer, minimum: 1}
"##;

#[test]
fn a_modeline_names_a_schema_that_refers_to_others() {
    let fixture = Fixture::scanned(&format!(
        "{SCHEMA}#- app/a.yaml
# yaml-language-server: $schema=../schemas/box.json
size: 0
on: yes
next: {{size: 1, sise: 2}}
---
on: 1
#- app/b.yaml
# $schema: schemas/box.json
&a
size: 1.0
next: {{size: x}}
#- app/c.yaml
$schema: ../schemas/box.json
size: 1
nxt: 1
"
    ));
    expect![[r#"
        app/a.yaml Parts No schema governs it as a whole: it holds schemas, or values that schemas in other documents govern.
        app/b.yaml Parts No schema governs it as a whole: it holds schemas, or values that schemas in other documents govern.
        app/c.yaml Parts No schema governs it as a whole: it holds schemas, or values that schemas in other documents govern.
        schemas/box.json Other ytt looks for schema and data values only in files named `*.yml` or `*.yaml`.
        schemas/parts/size.yaml Other Nothing says that it holds data values: it has no `#@data/values`, no "values" in its name, and does not lie below `values/`, `envs/` or `env/`.
    "#]].assert_eq(&fixture.explain());
    expect![[r#"
        2:7 json-schema/min `size` should be at least 1, but is 0
        4:17 json-schema/undeclared-key `sise` is not declared in the schema of `next`
        6:1 json-schema/missing-key `size` is missing in the document
        6:5 json-schema/type-mismatch `on` should be a string, but is the integer 1
    "#]]
    .assert_eq(&fixture.diagnostics("app/a.yaml"));
    expect![[r#"
        4:14 json-schema/type-mismatch `size` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("app/b.yaml"));
    expect![[r#"
        3:1 json-schema/undeclared-key `nxt` is not declared in the schema of the document
    "#]]
    .assert_eq(&fixture.diagnostics("app/c.yaml"));
}

#[test]
fn an_edit_of_what_a_schema_refers_to_is_seen() {
    let mut fixture =
        Fixture::scanned(&format!("{SCHEMA}#- a.yaml\n# yaml-language-server: $schema=schemas/box.json\nsize: 3\n"));
    expect![[""]].assert_eq(&fixture.diagnostics("a.yaml"));
    fixture.open("schemas/parts/size.yaml", "definitions:\n  size: {type: integer, minimum: 5}\n");
    expect![[r#"
        2:7 json-schema/min `size` should be at least 5, but is 3
    "#]]
    .assert_eq(&fixture.diagnostics("a.yaml"));
}

#[test]
fn names_that_lead_nowhere_or_out_are_left_to_others() {
    let fixture = Fixture::scanned(
        "#- a.yaml
# yaml-language-server: $schema=https://example.com/schema.json
size: 1
size: 2
#- b.yaml
# yaml-language-server: $schema=../../../../../../etc/hostname
size: 1
#- c.yaml
# yaml-language-server: $schema=none.json
size: 1
",
    );
    for file in ["a.yaml", "b.yaml", "c.yaml"] {
        assert_eq!(fixture.diagnostics(file), "", "{file}");
    }
}
