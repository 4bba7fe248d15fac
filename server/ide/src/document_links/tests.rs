use super::document_links;
use crate::fixture::open;
use expect_test::{Expect, expect};
use lofting_workspace::LinkTarget;

#[track_caller]
fn check(fixture: &str, expected: Expect) {
    let fixture = open(fixture);
    let mut out = String::new();
    for link in document_links(&fixture.snapshot, fixture.file) {
        let target = match link.target {
            LinkTarget::File(file) => fixture.snapshot.shown_path(file),
            LinkTarget::Web(url) => url,
        };
        out += &format!("{} -> {target}\n", &fixture.text[link.range]);
    }
    expected.assert_eq(&out);
}

#[test]
fn code_and_modelines() {
    check(
        "#- schema.yml
#@data/values-schema
---
a: 1
#- lib/names.star
def name(): pass
end
#- values.yml
#! lofting: schema=schema.yml
#@ load(\"lib/names.star\", \"name\")
#@ load(\"lib/missing.star\", \"name\")
#@ load(\"@ytt:data\", \"data\")
#@data/values
---
a: 1
",
        expect![[r#"
            schema.yml -> schema.yml
            lib/names.star -> lib/names.star
        "#]],
    );
}

#[test]
fn json_schemas() {
    check(
        "#- schemas/app.json
{}
#- app.yml
# yaml-language-server: $schema=schemas/app.json
a: 1
",
        expect![[r#"
            schemas/app.json -> schemas/app.json
        "#]],
    );
    check(
        "#- schemas/common types.json
{}
#- schemas/app.yml
$schema: https://json-schema.org/draft-07/schema
properties:
  a: {$ref: \"common%20types.json#/x\"}
  b: {$ref: \"#/properties/a\"}
  c: {$ref: https://example.com/other.json}
  d: {$ref: http://example.com/other.json}
  e: {$ref: missing.json}
  f: {$ref: ../../outside.json}
",
        expect![[r#"
            https://json-schema.org/draft-07/schema -> https://json-schema.org/draft-07/schema
            common%20types.json#/x -> schemas/common types.json
            https://example.com/other.json -> https://example.com/other.json
        "#]],
    );
}

#[test]
fn configuration() {
    check(
        "#- config/schema.yml
a: 1
#- values/dev.yml
a: 1
#- schemas/app.json
{}
#- lofting.toml
[sets.app]
files = [\"config\", 'config/schema.yml', \"x=config/schema.yml\", \"missing.yml\"]
values = [\"values/dev.yml\", \"values/*.yml\"]
[[schemas]]
path = \"schemas/app.json\"
files = [\"apps/*.yml\"]
[[schemas]]
url = \"https://example.com/app.json\"
files = [\"more/*.yml\"]
",
        expect![[r#"
            config/schema.yml -> config/schema.yml
            x=config/schema.yml -> config/schema.yml
            values/dev.yml -> values/dev.yml
            schemas/app.json -> schemas/app.json
            https://example.com/app.json -> https://example.com/app.json
        "#]],
    );
}

#[test]
fn half_typed_and_without_schema() {
    check("#! lofting: schema=\na:\n", expect![""]);
    check("#@ load(\"\na: 1\n", expect![""]);
    check("a: {$ref: \"\n", expect![""]);
    check("a: 1\n", expect![""]);
}
