//! Targets of `$ref`, in OpenAPI documents and schemas.

use crate::fixture::{Fixture, open};
use crate::rename::tests::renamed;
use crate::{goto_definition, prepare_rename, references};
use expect_test::expect;

const API: &str = "#- types.yaml
definitions:
  size: {type: integer}
#- api.yaml
openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets:
    get:
      responses:
        200: {$ref: '#/components/responses/All'}
        404: {description: none, content: {a/b: {schema: {$ref: \"types.yaml#/definitions/size\"}}}}
components:
  responses:
    All:
      description: all
      content:
        application/json:
          schema:
            oneOf:
            - $ref: '#/components/schemas/Cat'
            - $ref: '#/components/schemas/Dog'
            discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat'}}
  schemas:
    Cat:
      type: object
      properties: {name: {type: string}}
    Dog:
      type: object
      properties: {name: {$ref: '#/components/schemas/Cat/properties/name'}}
";

fn at(place: &str) -> Fixture {
    open(&API.replacen(&place.replace("$0", ""), place, 1))
}

fn defined(place: &str) -> String {
    let fixture = at(place);
    let found = goto_definition(&fixture.snapshot, fixture.file, fixture.offset);
    let shown = found.iter().map(|found| {
        let text = fixture.snapshot.text(found.target.file).to_string();
        let line = text[..found.target.range().start].matches('\n').count() + 1;
        let origin = &fixture.text[found.origin.clone()];
        format!(
            "{origin} -> {}:{line} {}\n",
            fixture.snapshot.shown_path(found.target.file),
            &text[found.target_selection.range()]
        )
    });
    shown.collect()
}

#[test]
fn references_lead_to_their_places() {
    let shown: String = [
        "'#/comp$0onents/responses/All'",
        "types.yaml#/definitions/siz$0e",
        "'#/components/schemas/C$0at'",
        "'#/components/schemas/Cat/properties/n$0ame'",
        "mapping: {cat: '#/components/schem$0as",
    ]
    .map(defined)
    .concat();
    expect![[r#"
        '#/components/responses/All' -> api.yaml:11 All
        "types.yaml#/definitions/size" -> types.yaml:2 size
        '#/components/schemas/Cat' -> api.yaml:21 Cat
        '#/components/schemas/Cat/properties/name' -> api.yaml:23 name
        '#/components/schemas/Cat' -> api.yaml:21 Cat
    "#]]
    .assert_eq(&shown);
}

#[test]
fn all_references_of_a_key_are_found() {
    for place in ["    C$0at:", "- $ref: '#/components/schemas/C$0at'"] {
        let fixture = at(place);
        let found = references(&fixture.snapshot, fixture.file, fixture.offset, true);
        let shown: Vec<&str> = found.iter().map(|span| &fixture.text[span.range()]).collect();
        assert_eq!(shown, ["Cat"; 4], "{place}");
    }
}

#[test]
fn a_component_is_renamed_with_all_that_refers_to_it() {
    expect![[r#"
        api.yaml: - $ref: '#/components/schemas/Lion'
        api.yaml: discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Lion'}}
        api.yaml: Lion:
        api.yaml: properties: {name: {$ref: '#/components/schemas/Lion/properties/name'}}
    "#]]
    .assert_eq(&renamed(&at("    C$0at:"), "Lion"));
    expect![[r#"
        api.yaml: 404: {description: none, content: {a/b: {schema: {$ref: "types.yaml#/definitions/width"}}}}
        types.yaml: width: {type: integer}
    "#]]
    .assert_eq(&renamed(&at("definitions/si$0ze"), "width"));
    expect![[r#"
        refused: there is a key `Dog` beside it
    "#]]
    .assert_eq(&renamed(&at("    C$0at:"), "Dog"));
    expect![[r#"
        refused: `a/b` cannot be a key that references name: it consists of letters and digits of ASCII, `-`, `.` and `_`
    "#]].assert_eq(&renamed(&at("    C$0at:"), "a/b"));
    // Nothing refers to it.
    let fixture = at("discriminator: {property$0Name");
    assert!(prepare_rename(&fixture.snapshot, fixture.file, fixture.offset).is_err());
}
