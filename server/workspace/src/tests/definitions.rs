//! Definitions of JSON Schemas: what is unused, and what may be referred to.

use crate::fixture::Fixture;
use expect_test::expect;

const SCHEMA: &str = "properties:
  a: {$ref: '#/definitions/used'}
  b: {$ref: '#/definitions/inner/properties/x'}
definitions:
  used: {$ref: '#/definitions/below'}
  below: {type: string}
  inner: {properties: {x: {}}}
  alone: {$ref: '#/definitions/circle'}
  circle: {$ref: '#/definitions/alone'}
  elsewhere: {}
  anchored: {$anchor: here}
";

#[test]
fn what_nothing_leads_to_is_unused() {
    let mut fixture = Fixture::scanned(&format!(
        "#- s.schema.yaml\n{SCHEMA}#- folder/t.schema.json\n{{\"$ref\": \"../s.schema.yaml#/definitions/elsewhere\"}}\n"
    ));
    expect![[r#"
        8:3 json-schema/unused-definition nothing uses the definition `alone`
        9:3 json-schema/unused-definition nothing uses the definition `circle`
    "#]]
    .assert_eq(&fixture.diagnostics("s.schema.yaml"));
    // Another file decides.
    fixture.open("folder/t.schema.json", "{\"$ref\": \"../s.schema.yaml#/definitions/circle\"}\n");
    expect![[r#"
        10:3 json-schema/unused-definition nothing uses the definition `elsewhere`
    "#]]
    .assert_eq(&fixture.diagnostics("s.schema.yaml"));
}

#[test]
fn files_that_others_take_from_have_no_unused_definitions() {
    for text in [
        "definitions: {a: {}}\n",
        "$id: https://example.com/s\ntitle: all\n$defs: {a: {}}\n",
        "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\ncomponents: {schemas: {A: {}}}\n",
    ] {
        let fixture = Fixture::scanned(&format!("#- s.schema.yaml\n{text}"));
        assert!(!fixture.diagnostics("s.schema.yaml").contains("unused"), "{text}");
    }
    let named = "#- s.schema.yaml\ntype: object\ndefinitions: {a: {type: object}}\n#- b.yaml\n\
                 # yaml-language-server: $schema=s.schema.yaml#/definitions/a\n{}\n";
    expect![""].assert_eq(&Fixture::scanned(named).diagnostics("s.schema.yaml"));
}

#[test]
fn a_file_is_a_schema_by_its_name() {
    let mut fixture =
        Fixture::scanned("#- s.schema.yaml\ntype: strng\n#- s.yaml\ntype: strng\n#- .schema.yaml\ntype: strng\n");
    expect![[r#"
        1:7 json-schema/keyword-value `strng` is not a type
    "#]]
    .assert_eq(&fixture.diagnostics("s.schema.yaml"));
    expect![""].assert_eq(&fixture.diagnostics("s.yaml"));
    expect![""].assert_eq(&fixture.diagnostics(".schema.yaml"));
    // What names a schema for it takes precedence.
    fixture.open("s.schema.yaml", "# yaml-language-server: $schema=none\ntype: strng\n");
    expect![""].assert_eq(&fixture.diagnostics("s.schema.yaml"));
}

#[test]
fn references_are_those_of_the_file_and_of_other_schemas() {
    let fixture = Fixture::scanned(
        "#- a.schema.yaml\ntype: object\n$defs: {x/y: {}, z z: {}}\n#- b/b.schema.json\n{\"definitions\": {\"c\": {}}}\n\
         #- values.yaml\na: 1\n",
    );
    let snapshot = fixture.workspace.snapshot();
    let written = |path: &str, typed: &str| snapshot.references_to_write(fixture.id(path), typed);
    let all = ["#/$defs/x~1y", "#/$defs/z%20z", "#", "b/b.schema.json", "b/b.schema.json#/definitions/c"];
    assert_eq!(written("a.schema.yaml", ""), all);
    assert_eq!(written("a.schema.yaml", "#/"), all[..3]);
    assert_eq!(written("a.schema.yaml", "b/b.schema.json#"), all[4..]);
    assert!(written("values.yaml", "").is_empty());
}

#[test]
fn a_comment_that_names_a_draft_makes_a_schema() {
    for draft in ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"] {
        let text = format!("# yaml-language-server: $schema={draft}\ntype: strng\n$defs: {{a: {{}}}}\n");
        let fixture = Fixture::scanned(&format!("#- s.yaml\n{text}"));
        expect![[r#"
            2:7 json-schema/keyword-value `strng` is not a type
            3:9 json-schema/unused-definition nothing uses the definition `a`
        "#]]
        .assert_eq(&fixture.diagnostics("s.yaml"));
    }
}

/// Expressions as descriptions of interfaces have them: their counts are far higher than the texts are long.
#[test]
fn patterns_may_have_high_counts() {
    let patterns = [
        r"^.{1,1600}$",
        r"^\S{0,262144}$",
        r"^(?!-)[\p{L}\p{N}_-]{1,63}[^-]{1,4000}$",
        r"[\uD800\uDBFF-\uDC00\uDFFF\t]*",
    ];
    let schema: String =
        patterns.iter().enumerate().map(|(at, pattern)| format!("  p{at}: {{pattern: '{pattern}'}}\n")).collect();
    let long = "a".repeat(5000);
    let fixture = Fixture::scanned(&format!(
        "#- s.schema.yaml\ntype: object\nproperties:\n{schema}  p4: {{pattern: '[z-a]{{1,1600}}'}}\n\
         #- b.yaml\n# yaml-language-server: $schema=s.schema.yaml\np0: a\np1: a\np2: aaa\n\
         #- c.yaml\n# yaml-language-server: $schema=s.schema.yaml\np0: ''\np1: a a\np2: -a\n\
         #- d.yaml\n# yaml-language-server: $schema=s.schema.yaml\np0: {long}\n"
    ));
    expect![[r#"
        7:17 json-schema/keyword-value this regular expression cannot be read
    "#]]
    .assert_eq(&fixture.diagnostics("s.schema.yaml"));
    expect![""].assert_eq(&fixture.diagnostics("b.yaml"));
    expect![[r#"
        2:5 json-schema/pattern `p0` should match `^.{1,1600}$`, but is ""
        3:5 json-schema/pattern `p1` should match `^\S{0,262144}$`, but is "a a"
        4:5 json-schema/pattern `p2` should match `^(?!-)[\p{L}\p{N}_-]{1,63}[^-]{1,4000}$`, but is "-a"
    "#]]
    .assert_eq(&fixture.diagnostics("c.yaml"));
    expect![[r#"
        2:5 json-schema/pattern `p0` should match `^.{1,1600}$`, but is "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"
    "#]]
    .assert_eq(&fixture.diagnostics("d.yaml"));
}

/// A string that does not match the pattern of one alternative may be of the wrong type: the others are named as well.
#[test]
fn alternatives_of_other_types_are_named_beside_a_pattern() {
    let fixture = Fixture::scanned(
        r##"#- s.schema.yaml
type: object
properties:
  env: {oneOf: [{type: object}, {type: string, pattern: '^.*\$\{\{(.|[\r\n])*\}\}.*$'}]}
  steps: {anyOf: [{type: 'null'}, {type: string, pattern: '^a$'}, {type: array}]}
  only: {oneOf: [{type: 'null'}, {type: string, pattern: '^a$'}]}
#- b.yaml
# yaml-language-server: $schema=s.schema.yaml
env: A=b
steps: b
only: b
"##,
    );
    expect![[r#"
        2:6 json-schema/pattern `env` should be a map, or contain an expression `${{ … }}`, but is "A=b"
        3:8 json-schema/pattern `steps` should be an array, or match `^a$`, but is "b"
        4:7 json-schema/pattern `only` should match `^a$`, but is "b"
    "#]]
    .assert_eq(&fixture.diagnostics("b.yaml"));
}
