//! JSON Schemas that files name.

use crate::CancelFlag;
use crate::association::kind::FileKind;
use crate::fixture::Fixture;
use crate::settings::{SchemaSetting, SettingName, Settings};
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
        app/a.yaml Parts Its modeline names the JSON Schema `../schemas/box.json`.
        app/b.yaml Parts Its modeline names the JSON Schema `schemas/box.json`.
        app/c.yaml Parts Its key `$schema` names the JSON Schema `../schemas/box.json`.
        schemas/box.json Other Its key `$schema` names the JSON Schema `http://json-schema.org/draft-07/schema#`.
        schemas/parts/size.yaml Parts It is named as a JSON Schema elsewhere; as it names no draft, it is read as `http://json-schema.org/draft-07/schema`.
    "#]].assert_eq(&fixture.explain());
    expect![[r#"
        2:7 json-schema/min `size` should be at least 1, but is 0
        4:17 json-schema/undeclared-key `sise` is not declared in the schema of `next`
        6:1 json-schema/missing-key `size` is missing in the document
        6:5 json-schema/type-mismatch `on` should be a string, but is the integer 1
    "#]]
    .assert_eq(&fixture.diagnostics("app/a.yaml"));
    expect![[r#"
        2:1 yaml/unused-anchor nothing refers to the anchor `&a`
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
fn a_schema_that_cannot_be_read_is_said_once_where_it_is_named() {
    let fixture = Fixture::scanned(
        "#- a.yaml
# yaml-language-server: $schema=https://example.com/schema.json
size: 1
size: 2
#- b.yaml
# yaml-language-server: $schema=../../../../../../etc/hostname
size: 1
#- c.yaml
$schema: none.json
size: 1
#- lofting.toml
[[schemas]]
path = \"nope.json\"
files = [\"d*.yaml\"]
[[schemas]]
url = \"https://example.com/nope.json\"
files = [\"e*.yaml\"]
[[schemas]]
path = \"../../../../../etc/hostname\"
files = [\"f*.yaml\"]
[schemas.mirror]
\"https://example.com/x\" = \"../../../../../etc\"
\"https://example.com/y\" = \"nowhere\"
#- d.yaml
size: 1
",
    );
    let shown: String = ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "lofting.toml"]
        .map(|file| format!("{file}\n{}", fixture.diagnostics(file)))
        .concat();
    expect![[r#"
        a.yaml
        1:33 lofting/schema-not-read the schema `https://example.com/schema.json` cannot be read: nothing is fetched, and this URL has no mirror folder
        3:1 yaml/repeated-key `size` is already given in this map; only this last one counts
        b.yaml
        1:33 lofting/schema-not-read the schema `../../../../../../etc/hostname` cannot be read: this is outside the workspace folder and its repository
        c.yaml
        1:10 lofting/schema-not-read the schema `none.json` cannot be read: there is no such file
        d.yaml
        lofting.toml
        2:8 lofting/schema-not-read the schema `nope.json` cannot be read: there is no such file
        5:7 lofting/schema-not-read the schema `https://example.com/nope.json` cannot be read: nothing is fetched, and this URL has no mirror folder
        6:10 lofting/unused-pattern no file matches `e*.yaml`
        8:8 lofting/schema-not-read the schema `../../../../../etc/hostname` cannot be read: this is outside the workspace folder and its repository
        9:10 lofting/unused-pattern no file matches `f*.yaml`
        11:27 lofting/out-of-reach left out, because this folder is not trusted: `../../../../../etc`: this is outside the workspace folder and its repository
        12:27 lofting/configuration there is no folder `nowhere`
    "#]].assert_eq(&shown);
}

/// A path may be relative to the file or to the folder; the words are about the place that the file means first.
#[test]
fn a_path_that_leads_nowhere_is_not_said_to_lead_out() {
    let fixture = Fixture::scanned(
        "#- sub/a.yaml
# yaml-language-server: $schema=../nowhere.json
a: 1
#- sub/b.yaml
# lofting: schema=../nowhere.yml
a: 1
#- sub/c.yaml
# lofting: schema=../c.schema.json
a: 1
#- c.schema.json
{}
",
    );
    let shown = ["sub/a.yaml", "sub/b.yaml", "sub/c.yaml"].map(|file| fixture.diagnostics(file)).concat();
    expect![[r#"
        1:33 lofting/schema-not-read the schema `../nowhere.json` cannot be read: there is no such file
        1:19 lofting/modeline `../nowhere.yml` cannot be used as schema: there is no such file
        1:19 lofting/modeline `../c.schema.json` cannot be used as schema: that file has no `#@data/values-schema` document
    "#]]
    .assert_eq(&shown);
}

/// A schema that gives itself a URI refers to those beside it by theirs.
#[test]
fn schemas_with_uris_of_their_own_refer_to_each_other() {
    let schema = |to: &str| {
        format!(
            "#- s/app.yaml\n$id: https://example.com/v1/app.yaml\nproperties: {{size: {{$ref: '{to}'}}}}\n#- s/defs.yaml\n\
             $id: https://example.com/v1/defs.yaml\n$defs: {{size: {{type: integer}}}}\n#- other.yaml\n\
             $defs: {{size: {{type: boolean}}}}\n#- a.yaml\n# $schema: s/app.yaml\nsize: x\n"
        )
    };
    for (to, want) in [
        ("defs.yaml#/$defs/size", "2:7 json-schema/type-mismatch `size` should be an integer, but is the string \"x\""),
        (
            "https://example.com/v1/defs.yaml#/$defs/size",
            "2:7 json-schema/type-mismatch `size` should be an integer, but is the string \"x\"",
        ),
        (
            "../other.yaml#/$defs/size",
            "2:7 json-schema/type-mismatch `size` should be a boolean, but is the string \"x\"",
        ),
        ("nowhere.yaml", ""),
    ] {
        let fixture = Fixture::scanned(&schema(to));
        assert_eq!(fixture.diagnostics("a.yaml").trim(), want, "{to}");
    }
    let fixture = Fixture::scanned(&schema("nowhere.yaml#/a"));
    expect![[r#"
        2:27 json-schema/ref-not-found `nowhere.yaml#/a` cannot be read: by `$id` it is in `https://example.com/v1/nowhere.yaml`: nothing is fetched, and this URL has no mirror folder
    "#]]
    .assert_eq(&fixture.diagnostics("s/app.yaml"));
}

/// What says nothing about values is not a schema.
#[test]
fn documents_that_are_no_schemas() {
    let shown = |schema: &str, place: &str| {
        let fixture = Fixture::scanned(&format!(
            "#- a.yaml\n# yaml-language-server: $schema=s.yaml{place}\nb: 1\n#- s.yaml\n{schema}"
        ));
        let found = fixture.diagnostics("a.yaml");
        found.lines().map(|line| line.trim().split(": ").skip(1).collect::<Vec<_>>().join(": ")).collect::<String>()
    };
    let api =
        "openapi: 3.1.0\ninfo: {title: a, version: 1.0.0}\npaths: {}\ncomponents: {schemas: {A: {type: object}}}\n";
    let definition =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {}\n";
    for (schema, place, want) in [
        (
            api,
            "",
            "it is a document of OpenAPI: name the place of one of its schemas, such as `#/components/schemas/NAME`",
        ),
        (api, "#/components/schemas/A", ""),
        (definition, "", "it is not a schema: none of its keys is a keyword"),
        ("a: 1\n", "", "it is not a schema: none of its keys is a keyword"),
        ("{}\n", "", ""),
        ("$comment: x\n", "", ""),
        ("definitions: {}\n", "", ""),
        ("x-mine: 1\n", "", ""),
        ("true\n", "", ""),
        ("other: {A: {type: object}}\n", "#/other/A", ""),
    ] {
        assert_eq!(shown(schema, place), want, "{schema}");
    }
}

const FILES: &str = "#- schemas/a.json
{\"properties\": {\"a\": {\"type\": \"integer\"}}}
#- schemas/web/b.json
{\"properties\": {\"a\": {\"$ref\": \"https://example.com/parts/c#/definitions/c\"}, \"b\": {\"$ref\": \"c.json\"}}}
#- schemas/web/parts/c.json
{\"definitions\": {\"c\": {\"type\": \"boolean\"}}}
#- schemas/web/c.json
{\"type\": \"string\"}
#- schemas/values.yml
#@data/values-schema
---
a: \"\"
#- app/a.yml
a: x
#- app/b.yml
a: x
b: 1
#- app/c.yml
a: 1
#- app/d.yml
a: x
#- app/template.yml
a: #@ 1
";

#[test]
fn lofting_toml_says_which_schema_files_have() {
    let fixture = Fixture::scanned(&format!(
        "{FILES}#- lofting.toml
[[schemas]]
path = \"schemas/a.json\"
files = [\"app/a.yml\", \"template.yml\"]
[[schemas]]
url = \"https://example.com/b.json\"
files = [\"/app/b.*\"]
[[schemas]]
path = \"schemas/values.yml\"
files = [\"c.yml\"]
[[schemas]]
path = \"schemas/none.json\"
files = [\"*.yml\"]
[schemas.mirror]
\"https://example.com\" = \"schemas/web\"
"
    ));
    let shown: String = ["app/a.yml", "app/b.yml", "app/c.yml", "app/d.yml", "app/template.yml", "lofting.toml"]
        .map(|file| format!("{file}\n{}", fixture.diagnostics(file)))
        .concat();
    expect![[r#"
        app/a.yml
        1:4 json-schema/type-mismatch `a` should be an integer, but is the string "x"
        app/b.yml
        1:4 json-schema/type-mismatch `a` should be a boolean, but is the string "x"
        2:4 json-schema/type-mismatch `b` should be a string, but is the integer 1
        app/c.yml
        1:4 ytt/type-mismatch `a` should be a string, but is the integer 1
        app/d.yml
        app/template.yml
        lofting.toml
        11:8 lofting/schema-not-read the schema `schemas/none.json` cannot be read: there is no such file
    "#]]
    .assert_eq(&shown);
    expect![[r#"
        app/a.yml Parts lofting.toml gives files that match `app/a.yml` the schema `schemas/a.json`.
        app/b.yml Parts lofting.toml gives files that match `/app/b.*` the schema `https://example.com/b.json`.
        app/c.yml PlainValues [schemas/values.yml plain]lofting.toml gives files that match `c.yml` the schema `schemas/values.yml`.
        app/d.yml Other lofting.toml gives files that match `*.yml` the schema `schemas/none.json`. It cannot be read: there is no such file.
        app/template.yml Template It is a ytt template: no schema governs it as a whole. What it renders has to fit those of its resources.
        lofting.toml Configuration It is Lofting's configuration.
        schemas/a.json Other It is named as a JSON Schema elsewhere; as it names no draft, it is read as `http://json-schema.org/draft-07/schema`.
        schemas/values.yml Schema [schemas/values.yml]This file contains the schema itself (`#@data/values-schema`).
        schemas/web/b.json Other It is named as a JSON Schema elsewhere; as it names no draft, it is read as `http://json-schema.org/draft-07/schema`.
        schemas/web/c.json Other It is named as a JSON Schema elsewhere; as it names no draft, it is read as `http://json-schema.org/draft-07/schema`.
        schemas/web/parts/c.json Other It is named as a JSON Schema elsewhere; as it names no draft, it is read as `http://json-schema.org/draft-07/schema`.
    "#]].assert_eq(&fixture.explain());
}

/// The nearest `lofting.toml` comes first, then those above, then settings.
#[test]
fn the_first_that_matches_counts() {
    let mut fixture = Fixture::new(
        &format!(
            "{FILES}#- schemas/text.json
{{\"properties\": {{\"a\": {{\"type\": \"string\"}}}}}}
#- schemas/list.json
{{\"type\": \"array\"}}
#- lofting.toml
[[schemas]]
path = \"schemas/text.json\"
files = [\"app/*.yml\"]
#- app/lofting.toml
[[schemas]]
path = \"../schemas/a.json\"
files = [\"a.yml\"]
#- other/d.yml
a: 1
"
        ),
        Settings {
            schemas: vec![SchemaSetting {
                schema: "schemas/list.json".to_owned(),
                files: vec!["*.yml".to_owned()],
                setting: SettingName::Yaml,
            }],
            ..Settings::default()
        },
    );
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    let found = |fixture: &Fixture| -> String {
        ["app/a.yml", "app/c.yml", "other/d.yml"].map(|file| format!("{file}\n{}", fixture.diagnostics(file))).concat()
    };
    expect![[r#"
        app/a.yml
        1:4 json-schema/type-mismatch `a` should be an integer, but is the string "x"
        app/c.yml
        1:4 json-schema/type-mismatch `a` should be a string, but is the integer 1
        other/d.yml
        1:1 json-schema/type-mismatch the document should be an array, but is a map
    "#]]
    .assert_eq(&found(&fixture));
    // What is typed in `lofting.toml` counts at once, and those above count where it says nothing.
    fixture.open("app/lofting.toml", "");
    expect![[r#"
        app/a.yml
        app/c.yml
        1:4 json-schema/type-mismatch `a` should be a string, but is the integer 1
        other/d.yml
        1:1 json-schema/type-mismatch the document should be an array, but is a map
    "#]]
    .assert_eq(&found(&fixture));
}

#[test]
fn open_documents_depend_on_the_schemas_that_are_named_for_them() {
    let mut fixture =
        Fixture::scanned(&format!("{SCHEMA}#- a.yaml\n# $schema: schemas/box.json\nsize: 3\n#- b.yaml\nsize: 3\n"));
    let open = fixture.open("a.yaml", "# $schema: schemas/box.json\nsize: 3\n");
    fixture.open("b.yaml", "size: 3\n");
    let snapshot = fixture.workspace.snapshot();
    assert_eq!(snapshot.dependants(fixture.id("schemas/parts/size.yaml")), [open]);
}

#[test]
fn a_file_may_say_that_it_has_no_schema() {
    let fixture = Fixture::scanned(&format!(
        "{FILES}#- app/e.yml
# yaml-language-server: $schema=none
a: x
#- lofting.toml
[[schemas]]
path = \"schemas/a.json\"
files = [\"*.yml\"]
"
    ));
    expect![[""]].assert_eq(&fixture.diagnostics("app/e.yml"));
}

/// The meaning of a value with an application's own tag is unknown.
#[test]
fn tags_of_applications_raise_nothing() {
    let fixture = Fixture::scanned(&format!(
        "{SCHEMA}#- a.yaml
# $schema: schemas/box.json
size: !Ref Size
on: !Sub
  - \"${{Name}}\"
  - Name: !GetAtt Box.Name
next: !reference [a, b]
--- !vault
- 1
---
size: !!str 3
on: ! 3
#- b.yaml
# $schema: schemas/box.json
? size
: 3
"
    ));
    assert_eq!(fixture.diagnostics("b.yaml"), "");
    expect![[r#"
        10:7 json-schema/type-mismatch `size` should be an integer, but is the string "3"
    "#]]
    .assert_eq(&fixture.diagnostics("a.yaml"));
}

/// Faults of a schema are reported in its own file.
#[test]
fn faults_of_schemas_are_reported_in_them() {
    let fixture = Fixture::scanned(
        "#- a.yaml
# $schema: schema.yaml
size: 1
#- schema.yaml
properties:
  size: {$ref: parts.yaml#/definitions/size}
  wide: {$ref: '#/definitions/wide'}
required: size
#- parts.yaml
definitions:
  size: {minimum: one}
#- draft.yaml
$schema: http://json-schema.org/draft-07/schema#
properties: []
#- other.yaml
properties: []
",
    );
    let shown: String = ["a.yaml", "schema.yaml", "parts.yaml", "draft.yaml", "other.yaml"]
        .map(|file| format!("{file}\n{}", fixture.diagnostics(file)))
        .concat();
    expect![[r#"
        a.yaml
        schema.yaml
        3:16 json-schema/ref-not-found `#/definitions/wide` leads nowhere
        4:11 json-schema/keyword-value `required` should be an array
        parts.yaml
        2:19 json-schema/keyword-value `minimum` should be a number
        draft.yaml
        2:13 json-schema/keyword-value `properties` should be a map
        other.yaml
    "#]]
    .assert_eq(&shown);
}

/// The kind of a file follows from the current texts of all files, not from earlier ones.
#[test]
fn a_file_is_a_schema_as_long_as_somebody_names_it() {
    let mut fixture = Fixture::scanned("#- a.yaml\nsize: 3\n#- schemas/box.yaml\ntype: 5\n#- lofting.toml\n");
    let kind = |fixture: &Fixture| fixture.workspace.snapshot().kind(fixture.id("schemas/box.yaml"));
    let names: [(&str, &str); 2] = [
        ("a.yaml", "# yaml-language-server: $schema=schemas/box.yaml\n"),
        ("lofting.toml", "[[schemas]]\npath = 'schemas/box.yaml'\nfiles = ['a.yaml']\n"),
    ];
    for (path, text) in names {
        assert_eq!(kind(&fixture), FileKind::Other, "before {path}");
        let file = fixture.open(path, "");
        fixture.workspace.edit(file, 2, 0..0, text);
        assert_eq!(kind(&fixture), FileKind::Parts, "{path}");
        fixture.workspace.edit(file, 3, 0..text.len(), "");
        assert_eq!(kind(&fixture), FileKind::Other, "reached from {path}");
    }
}

/// Schemas that no scan sees, named in every way and typed key by key: the same is found as when the file is opened so.
#[test]
fn a_schema_that_is_typed_is_looked_for() {
    let files = "#- .ignore
hidden
#- hidden/box.json
{\"properties\": {\"size\": {\"$ref\": \"size.json\"}}}
#- hidden/size.json
{\"type\": \"integer\"}
#- hidden/schema.yml
#@data/values-schema
---
size: 1
#- a.yaml
size: 1
";
    for head in [
        "# yaml-language-server: $schema=hidden/box.json\n",
        "# $schema: hidden/box.json\n",
        "$schema: hidden/box.json\n",
        "#! lofting: schema=hidden/schema.yml\n",
    ] {
        let mut typed = Fixture::scanned(files);
        typed.open("a.yaml", "size: text\n");
        let id = typed.id("a.yaml");
        for (at, letter) in head.char_indices() {
            let version = typed.workspace.snapshot().version(id).expect("it is open") + 1;
            typed.workspace.edit(id, version, at..at, letter.encode_utf8(&mut [0; 4]));
        }
        let mut opened = Fixture::scanned(files);
        opened.open("a.yaml", &format!("{head}size: text\n"));
        let found = opened.diagnostics("a.yaml");
        assert!(found.contains("/type-mismatch"), "{head}{found}");
        assert_eq!(typed.diagnostics("a.yaml"), found, "{head}");
    }
}

/// What is found in a schema of a draft, or of none.
fn found_in_schema(draft: &str, keywords: &str) -> String {
    let head = if draft.is_empty() { String::new() } else { format!("$schema: {draft}\n") };
    let fixture =
        Fixture::scanned(&format!("#- a.yaml\n# $schema: schema.yaml\na: 1\n#- schema.yaml\n{head}{keywords}"));
    fixture.diagnostics("schema.yaml")
}

#[test]
fn keywords_of_later_drafts_are_reported_where_the_draft_is_named() {
    let keywords = "\
properties:
  a: {const: 1}
  b: {type: array, contains: {const: 1}, minContains: 2}
if: {required: [a]}
then: {required: [b]}
dependentRequired: {a: [b]}
";
    let found = |draft: &str| found_in_schema(draft, keywords);
    expect![[r#"
        3:7 json-schema/later-keyword `const` has no meaning in draft 4, which `$schema` names: it is a keyword since draft 6
        4:20 json-schema/later-keyword `contains` has no meaning in draft 4, which `$schema` names: it is a keyword since draft 6
        5:1 json-schema/later-keyword `if` has no meaning in draft 4, which `$schema` names: it is a keyword since draft 7
        7:1 json-schema/later-keyword `dependentRequired` has no meaning in draft 4, which `$schema` names: it is a keyword since 2019-09
    "#]]
    .assert_eq(&found("http://json-schema.org/draft-04/schema#"));
    expect![[r#"
        4:42 json-schema/later-keyword `minContains` has no meaning in draft 7, which `$schema` names: it is a keyword since 2019-09
        7:1 json-schema/later-keyword `dependentRequired` has no meaning in draft 7, which `$schema` names: it is a keyword since 2019-09
    "#]]
    .assert_eq(&found("http://json-schema.org/draft-07/schema#"));
    // Without a draft, keywords of all of them count.
    assert_eq!(found(""), "");
    assert_eq!(found("https://json-schema.org/draft/2020-12/schema"), "");
}

#[test]
fn rules_that_no_value_satisfies() {
    let keywords = "\
properties:
  a: {type: integer, minimum: 5, maximum: 3}
  b: {type: string, minLength: 5, maxLength: 3}
  c: {type: array, minItems: 2, maxItems: 1, minLength: 9}
  d: {type: string, enum: [1]}
  e: {type: string, const: 1}
  f: {allOf: [{type: string}, {type: number}]}
  g: {exclusiveMinimum: 3, maximum: 3}
  h: {type: string, minimum: 5, maximum: 3}
  i: {minLength: 5, maxItems: 3}
  j: {type: [string, integer], enum: [1, null]}
  k: {allOf: [{type: [string, integer]}, {type: number}]}
  l: {allOf: [{$ref: '#/definitions/text'}], type: integer}
  m: {enum: [ab, c], minLength: 3}
  n: {enum: [ab, abc], minLength: 3}
  o: {allOf: [false, {type: string}]}
  p: {type: integer, minimum: 3, maximum: 3, default: 1}
definitions:
  text: {type: string}
";
    expect![[r#"
        3:34 json-schema/schema-impossible-rules no number is at least 5 and at most 3
        4:35 json-schema/schema-impossible-rules no value has a length of at least 5 and at most 3
        5:33 json-schema/schema-impossible-rules no value has a length of at least 2 and at most 1
        6:21 json-schema/schema-impossible-rules the other rules refuse each of these values
        7:21 json-schema/schema-impossible-rules the other rules refuse each of these values
        8:31 json-schema/schema-impossible-rules no value is string and number
        9:28 json-schema/schema-impossible-rules no number is above 3 and at most 3
        14:3 json-schema/schema-impossible-rules no value is integer and string
        15:7 json-schema/schema-impossible-rules the other rules refuse each of these values
        18:55 json-schema/default-violates-schema the default does not fit: the value should be at least 3, but is 1
    "#]]
    .assert_eq(&found_in_schema("http://json-schema.org/draft-07/schema#", keywords));
}

#[test]
fn drafts_that_are_not_known() {
    let keywords = "properties: {a: {type: strng}, b: {required: true}}\n";
    let found = |draft: &str| found_in_schema(draft, keywords);
    expect![[r#"
        1:10 json-schema/keyword-value `$schema` names no draft that is known: the schema is read as draft 7
        2:24 json-schema/keyword-value `strng` is not a type
        2:46 json-schema/keyword-value `required` should be an array
    "#]]
    .assert_eq(&found("https://json-schema.org/draft/2020-12/schmea"));
    expect![[r#"
        1:10 json-schema/keyword-value `$schema` names no draft that is known: the schema is read as draft 7
        2:24 json-schema/keyword-value `strng` is not a type
        2:46 json-schema/keyword-value `required` should be an array
    "#]]
    .assert_eq(&found("http://json-schema.org/draft-2020-12/schema#"));
    expect![[r#"
        1:10 json-schema/keyword-value `$schema` names no draft that is known: the schema is read as draft 7
        2:24 json-schema/keyword-value `strng` is not a type
        2:46 json-schema/keyword-value `required` should be an array
    "#]]
    .assert_eq(&found("http://json-schema.org/draft-99/schema#"));
    expect![[r#"
        1:10 json-schema/keyword-value drafts before draft 4 are not supported: the schema is not checked
    "#]]
    .assert_eq(&found("http://json-schema.org/draft-03/schema#"));
}

#[test]
fn what_is_beside_a_reference_is_reported_where_it_has_no_effect() {
    let keywords = "\
definitions: {size: {type: integer}}
properties:
  a: {$ref: '#/definitions/size', description: x, default: 1, examples: [1], $comment: c, x-own: 1}
  b: {$ref: '#/definitions/size', title: T, maximum: 3, enum: [1]}
  c: {$ref: '#/definitions/size', maximum: 3}
  d: {$ref: '#/definitions/size', allOf: [{$ref: '#/definitions/size', type: string}]}
  $ref: {type: string}
$ref: '#/definitions/size'
";
    let found = |draft: &str| found_in_schema(draft, keywords);
    expect![[r#"
        3:1 json-schema/ref-sibling `properties` has no effect beside `$ref` in draft 7
    "#]]
    .assert_eq(&found("http://json-schema.org/draft-07/schema#"));
    let below = keywords.replace("$ref: '#/definitions/size'\n", "");
    let fixture = Fixture::scanned(&format!("#- a.yaml\n# $schema: schema.yaml\na: 1\n#- schema.yaml\n{below}"));
    expect![[r#"
        4:45 json-schema/ref-sibling `maximum` has no effect beside `$ref` in draft 7, which is taken because `$schema` names none
        4:57 json-schema/ref-sibling `enum` has no effect beside `$ref` in draft 7, which is taken because `$schema` names none
        5:35 json-schema/ref-sibling `maximum` has no effect beside `$ref` in draft 7, which is taken because `$schema` names none
        6:35 json-schema/ref-sibling `allOf` has no effect beside `$ref` in draft 7, which is taken because `$schema` names none
    "#]].assert_eq(&fixture.diagnostics("schema.yaml"));
    // Since then it counts, and what is inside `allOf` asks for two types.
    for later in ["https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"] {
        let found = found(later);
        assert!(!found.contains("ref-sibling"), "{found}");
        assert_eq!(found.matches("no value is string and integer").count(), 2, "{found}");
    }
}

#[test]
fn shared_rules_have_a_level_for_each_language() {
    let found = |rules: &str| {
        let fixture = Fixture::scanned(&format!(
            "#- lofting.toml
[rules]
{rules}
#- schema.yml
#@data/values-schema
---
size: 0
#- values.yml
#@data/values
---
size: x
#- other.json
{{\"properties\": {{\"size\": {{\"type\": \"integer\"}}}}}}
#- other.yaml
# $schema: other.json
size: x
"
        ));
        let snapshot = fixture.workspace.snapshot();
        let reported = ["values.yml", "other.yaml"].into_iter().flat_map(|path| {
            let found = snapshot.diagnostics(fixture.id(path), &CancelFlag::new());
            found.iter().map(|one| format!("{} {}", one.severity.as_str(), one.code())).collect::<Vec<_>>()
        });
        reported.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(found(""), "error ytt/type-mismatch, error json-schema/type-mismatch");
    assert_eq!(
        found("\"json-schema/type-mismatch\" = \"hint\""),
        "error ytt/type-mismatch, hint json-schema/type-mismatch"
    );
    assert_eq!(found("\"ytt/type-mismatch\" = \"off\""), "");
    let both = "\"json-schema/type-mismatch\" = \"info\"\n\"ytt/type-mismatch\" = \"off\"";
    assert_eq!(found(both), "info json-schema/type-mismatch");
}

/// What is not read is not silently right.
#[test]
fn a_schema_whose_aliases_repeat_too_much_is_read_partly() {
    let double = |number: usize| format!("  a{number}: &a{number} {{allOf: [*a{0}, *a{0}]}}\n", number - 1);
    let doubles = |times: usize| (1..=times).map(double).collect::<String>();
    let found = |times: usize| {
        Fixture::scanned(&format!(
            "#- bomb.yaml
definitions:
  a0: &a0 {{type: string}}
{}properties: {{key: {{$ref: '#/definitions/a{times}'}}}}
#- outer.yaml
properties: {{key: {{$ref: 'bomb.yaml#/properties/key'}}}}
#- a.yaml
# yaml-language-server: $schema=bomb.yaml
key: 1
#- b.yaml
# yaml-language-server: $schema=outer.yaml
key: 1
",
            doubles(times)
        ))
    };
    let fixture = found(3);
    assert!(fixture.diagnostics("a.yaml").contains("should be a string"), "{}", fixture.diagnostics("a.yaml"));
    let fixture = found(20);
    expect![[r#"
        1:33 lofting/schema-not-read only a part of the schema `bomb.yaml` can be read: the aliases repeat more than is read
    "#]].assert_eq(&fixture.diagnostics("a.yaml"));
    expect![[r#"
        1:33 lofting/schema-not-read only a part of the schema `outer.yaml` can be read: the aliases of `bomb.yaml` repeat more than is read
    "#]].assert_eq(&fixture.diagnostics("b.yaml"));
}
