//! Documents of OpenAPI.

use crate::fixture::Fixture;
use expect_test::expect;

const PETS: &str = r##"#- api/pets.yaml
openapi: 3.0.3
info: {title: Pets, version: "1"}
servers:
- url: https://example.com/{stage}
  variables: {stage: {default: live}}
paths:
  /pets/{id}:
    parameters:
    - {name: id, in: path, required: true, schema: {type: integer, format: int64, minimum: 0, exclusiveMinimum: true}}
    - $ref: '#/components/parameters/Page'
    get:
      operationId: pet
      responses:
        200:
          description: The pet.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Pet'}
              examples: {one: {value: {$ref: '#/nowhere'}}}
        default: {$ref: '#/components/responses/Missing'}
components:
  parameters:
    Page: {name: page, in: query, schema: {type: integer, default: 1}}
  responses:
    Missing: {description: Nothing is there.}
  schemas:
    Pet:
      type: object
      required: [name]
      additionalProperties: false
      discriminator: {propertyName: kind}
      properties:
        name: {type: string, nullable: true, example: Tom}
        age: {type: integer, minimum: 0, exclusiveMinimum: true}
        tags: {type: array, items: {$ref: '#/components/schemas/Tag'}}
        $ref: {type: string}
    Tag: {type: string, enum: [old, young]}
"##;

#[test]
fn a_document_is_recognised_by_its_head() {
    let fixture = Fixture::scanned(&format!(
        "{PETS}#- b.yaml
openapi: 3.1.0
info: {{title: Pets}}
paths: {{}}
components:
  schemas:
    Pet: {{type: [strin, \"null\"], minimum: x}}
    Other: {{$ref: '#/components/schemas/Pat'}}
#- c.yaml
swagger: 2.0
info: {{title: Pets, version: '1'}}
paths:
  /pets:
    get: {{responses: {{200: {{description: all, schema: {{$ref: '#/definitions/Pat'}}}}}}}}
definitions:
  Pet: {{type: object}}
#- d.yaml
openapi: 3.2.0
info: {{title: Pets, version: '1'}}
pathes: {{}}
#- e.yaml
openapi: true
info: 1
#- f.yaml
# yaml-language-server: $schema=none
openapi: 3.0.3
"
    ));
    expect![[r#"
        api/pets.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
        b.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
        c.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
        d.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
        e.yaml Other Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does it say that it holds data values for ytt.
        f.yaml Parts No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.
    "#]].assert_eq(&fixture.explain());
    let shown: String = ["api/pets.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml", "f.yaml"]
        .map(|file| format!("{file}\n{}", fixture.diagnostics(file)))
        .concat();
    expect![[r#"
        api/pets.yaml
        b.yaml
        2:1 json-schema/missing-key `version` is missing in `info`
        6:18 json-schema/one-of item 1 of `type` should be one of "array", "boolean", "integer", "null", "number", "object" or "string", but is "strin"
        6:43 json-schema/type-mismatch `minimum` should be a number, but is the string "x"
        7:19 json-schema/ref-not-found `#/components/schemas/Pat` leads nowhere
        c.yaml
        1:10 json-schema/type-mismatch `swagger` should be a string, but is the number 2.0
        5:62 json-schema/ref-not-found `#/definitions/Pat` leads nowhere
        d.yaml
        3:1 json-schema/undeclared-key `pathes` is not declared in the schema of the document
        e.yaml
        f.yaml
    "#]].assert_eq(&shown);
}

#[test]
fn what_is_wrong_in_a_document_is_reported_at_its_place() {
    let fixture = Fixture::scanned(
        &PETS
            .replace("operationId: pet", "operationid: pet")
            .replace("in: query", "in: body")
            .replace("responses/Missing'", "responses/Mising'")
            .replace("nullable: true", "nullable: 1"),
    );
    expect![[r#"
        12:7 json-schema/undeclared-key `operationid` is not declared in the schema of `get`
        20:25 json-schema/ref-not-found `#/components/responses/Mising` leads nowhere
        23:28 json-schema/one-of `in` should be one of "path", "query", "header" or "cookie", but is "body"
        33:40 json-schema/type-mismatch `nullable` should be a boolean, but is the integer 1
    "#]]
    .assert_eq(&fixture.diagnostics("api/pets.yaml"));
}

#[test]
fn a_mistake_in_a_schema_is_reported_once_in_each_version() {
    const SCHEMAS: &str = "Pet: {title: 5, maxLength: x, required: yes, enum: 3, format: dateTime, properties: {a: \
        {type: strin, minLength: -1, title: 6}, b: {additionalProperties: 5}}, example: {a: 1}}";
    let in_definitions = format!("definitions: {{{SCHEMAS}}}");
    let in_components = format!("components: {{schemas: {{{SCHEMAS}}}}}");
    for (head, schemas) in [
        ("swagger: '2.0'", &in_definitions),
        ("openapi: 3.0.3", &in_components),
        ("openapi: 3.1.0", &in_components),
        ("openapi: 3.2.0", &in_components),
    ] {
        for path in ["api.yaml", "swagger.yaml", "openapi.yaml"] {
            let text = format!("#- {path}\n{head}\ninfo: {{title: a, version: '1'}}\npaths: {{}}\n{schemas}\n");
            let found = Fixture::scanned(&text).diagnostics(path);
            let mut places: Vec<&str> = found.lines().filter_map(|line| line.split(' ').next()).collect();
            let all = places.len();
            places.dedup();
            assert!(all >= 7 && places.len() == all, "{head} in {path}:\n{found}");
            assert!(!found.contains("dateTime"), "OpenAPI has formats of its own: {head}\n{found}");
        }
    }
}

#[test]
fn another_version_has_another_schema_at_once() {
    let body = "info: {title: a, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    Pet:\n      type: object\n      \
        nullable: true\n      discriminator: {propertyName: kind}\n      properties:\n        a: {type: integer, minimum: 0, \
        exclusiveMinimum: true}\n        b: {type: [string, 'null'], examples: [a]}\n        c: {const: 1, $comment: a}\n";
    let versions = ["3.0.3", "3.1.0", "3.2.0"];
    let text = |version: &str| format!("openapi: {version}\n{body}");
    for (before, after) in versions.iter().flat_map(|before| versions.iter().map(move |after| (before, after))) {
        let mut fixture = Fixture::scanned("#- x.yaml\na: 1\n");
        let file = fixture.open("api.yaml", &text(before));
        fixture.diagnostics("api.yaml");
        let at = "openapi: ".len();
        fixture.workspace.edit(file, 2, at..at + before.len(), after);
        let fresh = Fixture::scanned(&format!("#- api.yaml\n{}", text(after)));
        assert_eq!(fixture.diagnostics("api.yaml"), fresh.diagnostics("api.yaml"), "{before} becomes {after}");
    }
}

#[test]
fn a_schema_of_a_document_governs_other_files() {
    let fixture = Fixture::scanned(&format!(
        "{PETS}#- a.yaml
# yaml-language-server: $schema=api/pets.yaml#/components/schemas/Pet
name: null
age: 0
tags: [old, oldest]
nme: x
#- b.yaml
# $schema: api/pets.yaml#/components/schemas/Dog
name: 1
#- c.yaml
name: 1
#- d.json
{{\"properties\": {{\"pet\": {{\"$ref\": \"api/pets.yaml#/components/schemas/Pet\"}}}}}}
#- e.yaml
# yaml-language-server: $schema=d.json
pet: {{name: null, age: 0}}
#- lofting.toml
[[schemas]]
path = \"api/pets.yaml#/components/schemas/Pet\"
files = [\"c.yaml\"]
"
    ));
    let shown: String = ["a.yaml", "b.yaml", "c.yaml", "e.yaml", "api/pets.yaml"]
        .map(|file| format!("{file}\n{}", fixture.diagnostics(file)))
        .concat();
    expect![[r#"
        a.yaml
        3:6 json-schema/min `age` should be more than 0, but is 0
        4:13 json-schema/one-of item 2 of `tags` should be one of "old" or "young", but is "oldest"
        5:1 json-schema/undeclared-key `nme` is not declared in the schema of the document
        b.yaml
        1:12 lofting/schema-not-read the schema `api/pets.yaml#/components/schemas/Dog` cannot be read: there is no schema at `#/components/schemas/Dog` in it
        c.yaml
        1:7 json-schema/type-mismatch `name` should be a string or null, but is the integer 1
        e.yaml
        2:24 json-schema/min `age` should be more than 0, but is 0
        api/pets.yaml
    "#]].assert_eq(&shown);
}

#[test]
fn beside_a_reference_only_newer_versions_read_keywords() {
    let found = |version: &str| {
        let text = format!(
            "#- a.yaml
openapi: {version}
info: {{title: Pets, version: '1'}}
paths: {{}}
components:
  schemas:
    Pet: {{type: string}}
    One: {{$ref: '#/components/schemas/Pet', description: A pet., maxLength: 3}}
"
        );
        Fixture::scanned(&text).diagnostics("a.yaml")
    };
    expect![[r#"
        7:66 json-schema/ref-sibling `maxLength` has no effect beside `$ref` in this version of OpenAPI
    "#]]
    .assert_eq(&found("3.0.3"));
    assert_eq!(found("3.1.0"), "");
}

/// Which alternative a parameter is depends on `in`; without it, all of them fit.
#[test]
fn what_tells_alternatives_apart_is_reported_where_it_is_missing() {
    let found = |version: &str, parameter: &str| {
        let text = format!(
            "#- a.yaml
openapi: {version}
info: {{title: Pets, version: '1'}}
paths:
  /pets:
    parameters:
    - {parameter}
    get: {{responses: {{'200': {{description: ok}}}}}}
"
        );
        let found = Fixture::scanned(&text).diagnostics("a.yaml");
        found.lines().map(|line| line.split_once(' ').map_or(line, |(_, said)| said).to_owned()).collect::<Vec<_>>()
    };
    for version in ["3.0.3", "3.1.0"] {
        assert_eq!(found(version, "{name: a, in: query, schema: {}}"), [""; 0], "{version}");
        let one = found(version, "{name: a, schema: {}}");
        assert_eq!(one, ["json-schema/missing-key `in` is missing in item 1 of `parameters`"], "{version}");
        let two = found(version, "{schema: {}}");
        assert_eq!(two.len(), 2, "{version}: {two:?}");
        assert!(two.iter().all(|said| said.starts_with("json-schema/missing-key")), "{version}: {two:?}");
    }
}
