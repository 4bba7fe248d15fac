use crate::openchoreo::OpenChoreo;
use crate::{Dialect, DocumentsView, Fault, ReadsSchemas, Recognises, SchemaPart};
use expect_test::{Expect, expect};
use lofting_document::{FileId, Options, lower};
use lofting_overlay::NoFunctions;

/// What is found in a section, each with the text that it points to.
fn read(text: &str) -> Vec<(String, String)> {
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, OpenChoreo.profile(), Options::default());
    let claim = OpenChoreo.section(&DocumentsView { tree: &tree, documents: &documents }).expect("a schema");
    let part = SchemaPart { document: &documents.documents[0], claim: Some(&claim), tree: Some(&tree) };
    let faults = OpenChoreo.read(&[part], &NoFunctions).faults.into_iter();
    let found = faults.filter_map(|fault| match fault {
        Fault::Found(finding) => Some(finding),
        _ => None,
    });
    let shown = |found: Box<lofting_diagnostic::Diagnostic>| {
        let text = text[found.span.range()].to_owned();
        (
            text,
            format!(
                "{} {}: {}",
                found.severity.as_str(),
                found.rule.name(),
                found.message_with_help().replace("\n", "; ")
            ),
        )
    };
    found.map(shown).collect()
}

#[track_caller]
fn found(schema: &str, expected: Expect) {
    let lines: String = schema
        .trim_end()
        .lines()
        .map(|line| format!("  {}\n", line.strip_prefix("        ").unwrap_or(line)))
        .collect();
    let found = read(&format!("openAPIV3Schema:\n{lines}"));
    let shown: Vec<String> = found.iter().map(|(text, message)| format!("{text:?}: {message}")).collect();
    expected.assert_eq(&shown.join("\n"));
}

#[test]
fn both_forms_have_findings_for_the_same() {
    for (shorthand, open_api, rule) in [
        ("int", "{type: int}", Some("unknown-type")),
        ("Integer", "{type: Integer}", Some("unknown-type")),
        ("strin", "{type: strin}", Some("unknown-type")),
        ("float", "{type: float}", Some("unknown-type")),
        ("string | pattern='(?=a)'", "{type: string, pattern: '(?=a)'}", Some("invalid-pattern")),
        ("integer | minimum=5 maximum=1", "{type: integer, minimum: 5, maximum: 1}", Some("impossible-range")),
        (
            "number | minimum=1 maximum=1 exclusiveMinimum=true",
            "{type: number, minimum: 1, maximum: 1, exclusiveMinimum: true}",
            Some("impossible-range"),
        ),
        ("string | minLength=3 maxLength=2", "{type: string, minLength: 3, maxLength: 2}", Some("impossible-range")),
        (
            "'[]string | minItems=3 maxItems=2'",
            "{type: array, items: {type: string}, minItems: 3, maxItems: 2}",
            Some("impossible-range"),
        ),
        (
            "map<string> | minProperties=3 maxProperties=2",
            "{type: object, additionalProperties: {type: string}, minProperties: 3, maxProperties: 2}",
            Some("impossible-range"),
        ),
        ("string | minLength=-1", "{type: string, minLength: -1}", Some("impossible-range")),
        ("integer | multipleOf=0", "{type: integer, multipleOf: 0}", Some("impossible-range")),
        ("integer | enum=1,many", "{type: integer, enum: [1, many]}", Some("invalid-enum-literal")),
        ("boolean | enum=maybe", "{type: boolean, enum: [maybe]}", Some("invalid-enum-literal")),
        ("number | enum=a", "{type: number, enum: [a]}", Some("invalid-enum-literal")),
        ("'[]string | enum=a'", "{type: array, items: {type: string}, enum: [a]}", Some("invalid-enum-literal")),
        (
            "map<string> | enum=a",
            "{type: object, additionalProperties: {type: string}, enum: [a]}",
            Some("invalid-enum-literal"),
        ),
        ("integer | minLength=1", "{type: integer, minLength: 1}", Some("inert-marker")),
        ("string | minimum=1", "{type: string, minimum: 1}", Some("inert-marker")),
        ("boolean | format=email", "{type: boolean, format: email}", Some("inert-marker")),
        ("integer | format=int32", "{type: integer, format: int32}", None),
        ("string | enum=a,b", "{type: string, enum: [a, b]}", None),
        ("integer | minimum=1 maximum=1", "{type: integer, minimum: 1, maximum: 1}", None),
        ("number | enum=1,2.5", "{type: number, enum: [1, 2.5]}", None),
        ("string | pattern='^a$'", "{type: string, pattern: '^a$'}", None),
    ] {
        let rules = |text: &str| -> Vec<String> {
            let found = read(text).into_iter().map(|(_, message)| message);
            found.filter_map(|message| Some(message.split([' ', ':']).nth(1)?.to_owned())).collect()
        };
        let expected: Vec<String> = rule.map(str::to_owned).into_iter().collect();
        let quoted = if shorthand.starts_with('\'') { shorthand.to_owned() } else { format!("\"{shorthand}\"") };
        assert_eq!(rules(&format!("parameters:\n  a: {quoted}\n")), expected, "{shorthand}");
        let open_api_text = format!("openAPIV3Schema:\n  type: object\n  properties:\n    a: {open_api}\n");
        assert_eq!(rules(&open_api_text), expected, "{open_api}");
    }
}

#[test]
fn what_is_doubtful_is_reported_at_its_place() {
    found(
        r"
        type: object
        properties:
          a: {type: int}
          b: {type: 'Map'}
          c: {type: xyz}
          d: {type: 5}
          e: {type: array, items: {type: strin}}
          f: {type: object, additionalProperties: {type: bool}}
          g: {anyOf: [{type: str}]}
          h: {type: integer, enum: [1, 2.0, 3.5, '4', null]}
          i: {type: string, nullable: true, enum: [a, null, yes]}
          j: {x-kubernetes-int-or-string: true, enum: [a, 1], minLength: 1}
          k: {type: }
          l: {type: ''}
          m: {type: string, minimum: 1, maxItems: 3}
          n: {type: array, uniqueItems: true}
          o: {type: array, uniqueItems: false}
        ",
        expect![[r#"
            "int": error unknown-type: `type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`, but is `int`; did you mean `integer`?
            "'Map'": error unknown-type: `type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`, but is `Map`; did you mean `object`?
            "xyz": error unknown-type: `type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`, but is `xyz`
            "strin": error unknown-type: `type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`, but is `strin`; did you mean `string`?
            "bool": error unknown-type: `type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`, but is `bool`; did you mean `boolean`?
            "str": error unknown-type: `type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`, but is `str`; did you mean `string`?
            "3.5": warning invalid-enum-literal: this value of `enum` is a number, but the type is integer; no value can be this one
            "'4'": warning invalid-enum-literal: this value of `enum` is a string, but the type is integer; no value can be this one
            "null": warning invalid-enum-literal: this value of `enum` is null, but the type is integer; no value can be this one
            "yes": warning invalid-enum-literal: this value of `enum` is a boolean, but the type is string; no value can be this one
            "minimum": warning inert-marker: `minimum` has no effect on this type (string): it is for integer and number
            "maxItems": warning inert-marker: `maxItems` has no effect on this type (string): it is for array
            "uniqueItems": warning unknown-keyword: the platform does not support `uniqueItems: true`
            "5": error openapi-not-decodable: `type` should be a string"#]],
    );
}

#[test]
fn definitions_are_looked_at_once() {
    found(
        r"
        $defs:
          Size: {type: integer, minimum: 5, maximum: 3}
          Port: {type: integer, maximum: 9}
          Left: {type: object, properties: {a: {type: int}}}
        type: object
        properties:
          a: {$ref: '#/$defs/Size'}
          b: {$ref: '#/$defs/Size', description: Another one.}
          c: {$ref: '#/$defs/Port', minimum: 10}
          d: {$ref: '#/$defs/Port', minLength: 1}
          e: {$ref: '#/$defs/Port', maximum: 3}
        ",
        expect![[r#"
            "10": warning impossible-range: `maximum` leaves no value that `minimum` permits
            "minLength": warning inert-marker: `minLength` has no effect on this type (integer): it is for string
            "3": warning impossible-range: `maximum` leaves no value that `minimum` permits
            "Left": hint unused-type: nothing refers to the definition `Left`
            "int": warning unknown-type: `type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`, but is `int`; did you mean `integer`?"#]],
    );
}

#[test]
fn what_is_required_is_declared() {
    found(
        r"
        $defs:
          Base: {type: object, properties: {name: {type: string}}}
        type: object
        required: [naem, size, other, '']
        properties:
          name: {type: string}
          size: {type: integer}
          a: {type: object, required: [anything]}
          b: {type: object, required: [anything], additionalProperties: {type: string}}
          c: {type: object, properties: {a: {type: string}}, required: [zoo], additionalProperties: {type: string}}
          d: {type: object, properties: {a: {type: string}}, required: [zoo], x-kubernetes-preserve-unknown-fields: true}
          e: {$ref: '#/$defs/Base', required: [name, nmae]}
          f: {type: object, properties: {a: {type: string}}, allOf: [{properties: {b: {type: string}}, required: [a, b, d]}]}
          g: {type: object, properties: {a: {type: string}}, required: [b], anyOf: [{$ref: '#/$defs/Gone'}]}
          h: {type: object, properties: {a: {type: string}}, required: [zoo], additionalProperties: false}
          i: {type: object, properties: {replicas: {type: integer}}, required: [r]}
        ",
        expect![[r#"
            "naem": warning required-without-property: `naem` is required, but not declared in `properties`; did you mean `name`?
            "other": hint required-without-property: `other` is required, but not declared in `properties`
            "nmae": hint required-without-property: `nmae` is required, but not declared in `properties`
            "d": hint required-without-property: `d` is required, but not declared in `properties`
            "zoo": warning required-without-property: `zoo` is required, but not allowed: it is not in `properties`
            "r": warning required-without-property: `r` is required, but not declared in `properties`; did you mean `replicas`?
            "'#/$defs/Gone'": error ref-not-found: there is no definition `Gone`; definitions are `Base`"#]],
    );
}
