use crate::openchoreo::OpenChoreo;
use crate::{Dialect, DocumentsView, Fault, ReadsSchemas, Recognises, SchemaPart};
use expect_test::{Expect, expect};
use lofting_document::{FileId, Options, lower, write};
use lofting_overlay::NoFunctions;

/// The schema in OpenAPI, and the faults with the text they point to.
fn read(text: &str) -> (String, String) {
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, OpenChoreo.profile(), Options::default());
    let claim = OpenChoreo.section(&DocumentsView { tree: &tree, documents: &documents }).expect("a schema");
    let part = SchemaPart { document: &documents.documents[0], claim: Some(&claim), tree: Some(&tree) };
    let mut found = String::new();
    for fault in OpenChoreo.read(&[part], &NoFunctions).faults {
        let Fault::Found(finding) = fault else { continue };
        let path = finding.path.clone().unwrap_or_default();
        let place = &text[finding.span.range()];
        found.push_str(&format!("{:?} {path}: {}: {}\n", place, finding.rule.name(), finding.message));
    }
    let schema = OpenChoreo.written_out(&part).map(|schema| write::to_json(&schema)).unwrap_or_default();
    (schema, found)
}

#[track_caller]
fn found(text: &str, expected: Expect) {
    expected.assert_eq(&read(text).1);
}

#[test]
fn findings_stand_inside_the_scalar() {
    found(
        r#"parameters:
  a: int
  b: 'string | default="it''s" minLenght=3'
  c: "map[integer]string | default={\"a\": 1} required=true"
  d: >-
    integer |
    minimum=one
    maxLength=3
  e: []
  f: ""
  g: "[]Size | enum=x"
"#,
        expect![[r#"
            "int" a: unknown-type: there is no type `int`
            "minLenght" b: unknown-marker: there is no marker `minLenght`
            "integer" c: map-key-not-string: keys of maps are strings, so the key type cannot be `integer`
            "required=true" c: required-not-allowed: `required` is not a marker: a field is required exactly if it has no default
            "one" d: invalid-constraint-value: `minimum` should be a number, but is `one`
            "maxLength" d: inert-marker: `maxLength` has no effect on this type (integer): it is for string
            "[]" e: unsupported-field-definition: a field is defined by a string, such as `integer`, or by a map of further fields
            "\"\"" f: empty-expression: a type is missing, such as `string`, `integer` or `[]string`
            "Size" g: unknown-type: there is no type `Size`
            "x" g: invalid-enum-literal: `enum` should be a list in JSON, but is `x`
        "#]],
    );
}

#[test]
fn doubts() {
    found(
        r#"parameters:
  a: integer | minimum=5 maximum=3
  b: 'string | pattern="\d+" default=x|minLength=1'
  c: string | pattern=(a
  d: integer | example=1
  e: string | enum='a,b'
  f: string | default={a minLength=3
  g: string | oc:ui.order=1 oc:hidden
types:
  Unused: integr
"#,
        expect![[r#"
            "3" a: impossible-range: `maximum` leaves no value that `minimum` permits
            "\"\\d+\"" b: quotes-kept: the quotes stay part of the value, because the text between them has an invalid escape
            "x|minLength=1" b: bar-in-value: the bar belongs to the value: markers are separated by blanks
            "(a" c: invalid-pattern: this regular expression cannot be read, so that every value is refused: a `(` is not closed
            "1" d: example-becomes-boolean: the example `1` becomes the boolean true
            "'a,b'" e: comma-in-quotes: a comma separates in single quotes, too
            "{" f: unclosed-in-marker: this `{` is not closed: everything after it belongs to the value
            "Unused" Unused: unused-type: nothing uses the type `Unused`
            "integr" Unused: unknown-type: there is no type `integr`; nothing uses the type that it is in
        "#]],
    );
}

#[test]
fn one_mistake_is_one_finding() {
    found(
        r#"parameters:
  a: string | default = a
  b: string | default =a
  c: 'string | default=a # c d'
  d: string | description=how much default=a
  e: string | default minLength=3
  f: integer | default = 1 minimum=one
"#,
        expect![[r##"
            "default = a" a: marker-without-value: `default` has no value: markers are written `name=value`
            "default =a" b: marker-without-value: `default` has no value: markers are written `name=value`
            "# c d" c: marker-without-value: `# c d` has no value: markers are written `name=value`
            "much" d: marker-without-value: `much` has no value: markers are written `name=value`
            "default" e: marker-without-value: `default` has no value: markers are written `name=value`
            "default = 1" f: marker-without-value: `default` has no value: markers are written `name=value`
            "one" f: invalid-constraint-value: `minimum` should be a number, but is `one`
        "##]],
    );
    found(
        "parameters:\n  a: 'map[string, string]'\n  b: 'map[int]'\n  c: 'map[int]string'\n",
        expect![[r#"
            "string, string" a: map-key-not-string: keys of maps are strings, so the key type cannot be `string, string`
            "int" b: map-key-not-string: keys of maps are strings, so the key type cannot be `int`
            "int" c: map-key-not-string: keys of maps are strings, so the key type cannot be `int`
        "#]],
    );
    found(
        "openAPIV3Schema:\n  type: object\n  $defs: []\n  properties:\n    a: {$ref: '#/$defs/A'}\n",
        expect![[r#"
            "[]" : openapi-not-decodable: `$defs` should be a map
        "#]],
    );
}

#[test]
fn null_is_no_default_of_lists_and_maps() {
    found(
        "types:\n  T: {x: string}\nparameters:\n  a: '[]string | default=null'\n  b: map<string> | default=null\n  \
         c: T | default=null\n  d: string | default=null\n",
        expect![[r#"
            "null" a: invalid-default-literal: `default` should be a list in JSON, but is `null`
            "null" b: invalid-default-literal: `default` should be a map in JSON, but is `null`
            "null" c: invalid-default-literal: `default` should be a map in JSON, but is `null`
        "#]],
    );
}

#[test]
fn formats_of_numbers_have_an_effect() {
    found(
        "parameters:\n  a: integer | format=int32\n  b: number | format=double\n  c: integer | format=email\n",
        expect![[r#"
            "format" c: inert-marker: `format` has no effect on this type (integer): it is for string
        "#]],
    );
}

#[test]
fn keywords_that_are_not_structural_are_refused() {
    found(
        "openAPIV3Schema:\n  type: object\n  $schema: x\n  id: x\n  dependencies: {}\n  patternProperties: {}\n  \
         additionalItems: {}\n",
        expect![[r#"
            "$schema" : unknown-keyword: the platform does not support the keyword `$schema`
            "id" : unknown-keyword: the platform does not support the keyword `id`
            "dependencies" : unknown-keyword: the platform does not support the keyword `dependencies`
            "patternProperties" : unknown-keyword: the platform does not support the keyword `patternProperties`
            "additionalItems" : unknown-keyword: the platform does not support the keyword `additionalItems`
        "#]],
    );
}

#[test]
fn references_lead_to_names_as_they_are_written() {
    found(
        "openAPIV3Schema:\n  type: object\n  $defs: {A/B: {type: string}, A~1C: {type: string}}\n  properties:\n    \
         a: {$ref: '#/$defs/A~1B'}\n    b: {$ref: '#/$defs/A~1C'}\n",
        expect![[r#"
            "'#/$defs/A~1B'" : ref-not-found: there is no definition `A~1B`
        "#]],
    );
    let (schema, found) = read("types:\n  A/B~: string\nparameters:\n  a: A/B~\n");
    assert_eq!(found, "");
    assert_eq!(schema, r#"{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}"#);
}

#[test]
fn custom_types_become_references() {
    let (schema, found) = read(
        "types:\n  Port: integer | minimum=1 default=80\n  Db:\n    host: string\n    port: Port | maximum=99\n\
         parameters:\n  main: Db\n  port: Port | default=8080\n  all: '[]Db | default=[]'\n",
    );
    assert_eq!(found, "");
    expect![[r#"{"type":"object","required":["main"],"properties":{"main":{"type":"object","required":["host"],"properties":{"host":{"type":"string"},"port":{"maximum":99,"type":"integer","minimum":1,"default":80}}},"port":{"default":8080,"type":"integer","minimum":1},"all":{"type":"array","items":{"type":"object","required":["host"],"properties":{"host":{"type":"string"},"port":{"maximum":99,"type":"integer","minimum":1,"default":80}}},"default":[]}}}"#]]
        .assert_eq(&schema);
}

#[test]
fn circles_and_depth_end() {
    let (_, found) = read("types:\n  A: '[]B'\n  B: map<A>\nparameters:\n  a: A\n");
    assert!(found.contains("`A` → `B` → `A`"), "{found}");
    let chain: String = (0..2_000).map(|number| format!("  T{number}: '[]T{}'\n", number + 1)).collect();
    read(&format!("types:\n{chain}  T2000: string\nparameters:\n  a: T0\n"));
    let twice: String = (0..60).map(|number| format!("  T{number}: {{a: T{0}, b: T{0}}}\n", number + 1)).collect();
    read(&format!("types:\n{twice}  T60: string\nparameters:\n  a: T0\n"));
}

#[test]
fn every_cut_is_read() {
    let text = "types:\n  Size: string | enum=s,m default=s\nparameters:\n  a: \"[]Size | default=[\\\"s\\\"] minItems=1\"\n  \
                b:\n    $default: {}\n    c: 'map<string> | default={\"k\":\"v\"}'\n";
    for (cut, _) in text.char_indices().skip("types:\n  Size: string | enum=s,m default=s\nparameters:\n".len()) {
        read(&text[..cut]);
    }
}
