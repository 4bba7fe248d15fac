use super::findings;
use crate::json_schema::resources::Source;
use lofting_document::{FileId, Options, lower};
use lofting_syntax::resolve::Profile;
use proptest::prelude::*;

/// The findings about a schema, a line for each: place, rule, message, and the text after the first fix.
fn found(text: &str) -> String {
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, Profile::Core12, Options::default());
    let Some(document) = documents.documents.first() else { return String::new() };
    let source = Source { uri: "file:///s.yaml", root: &document.value, joins_references: false };
    let all = findings(&[source], Some(&tree));
    let line = |finding: &lofting_diagnostic::Diagnostic| {
        let at = finding.span.range();
        let fix = finding.fixes.first().and_then(|fix| fix.edits.first());
        let fix = fix.map_or_else(String::new, |(span, new)| format!(" -> {}: {new}", &text[span.range()]));
        format!("`{}` {} {}{fix}\n", &text[at], finding.rule.name(), finding.message)
    };
    all.iter().map(line).collect()
}

/// Of a schema of draft 7, in YAML.
fn of(text: &str) -> String {
    found(&format!("$schema: http://json-schema.org/draft-07/schema#\n{text}"))
}

#[test]
fn types_are_those_of_the_meta_schema() {
    expect_test::expect![[r#"
        `strng` keyword-value `strng` is not a type -> strng: string
        `Bool` keyword-value `Bool` is not a type -> Bool: boolean
        `null` keyword-value the type of null is the string "null" -> null: "null"
        `5` keyword-value `type` should be the name of a type, or an array of names
        `'intger'` keyword-value `intger` is not a type -> 'intger': 'integer'
        `string` keyword-value `string` is already in `type`
        `[]` keyword-value `type` should have at least 1 item
    "#]]
    .assert_eq(&of("properties:
  a: {type: strng}
  b: {type: Bool}
  c: {type: null}
  d: {type: 5}
  e: {type: [string, 'intger', string, \"null\"]}
  f: {type: []}
  g: {type: }
"));
}

#[test]
fn values_of_keywords_have_the_kind_that_they_take() {
    expect_test::expect![[r#"
        `'['` keyword-value this regular expression cannot be read
        `'1'` keyword-value `minimum` should be a number -> '1': 1
        `-1` keyword-value `minLength` should be at least 0
        `0` keyword-value `multipleOf` should be more than 0
        `yes` keyword-value `uniqueItems` should be a boolean -> yes: true
        `a` keyword-value `required` should be an array -> a: [a]
        `a` keyword-value `a` is already in `required`
        `3` keyword-value the names in `required` should be strings -> 3: "3"
        `true` keyword-value `required` should be an array
        `'*'` keyword-value this regular expression cannot be read
        `[]` keyword-value `anyOf` should have at least 1 item
        `text` keyword-value a schema should be a map or a boolean
        `5` keyword-value `title` should be a string -> 5: "5"
        `[a]` keyword-value `properties` should be a map
        `x` keyword-value `examples` should be an array -> x: [x]
    "#]]
    .assert_eq(&of("properties:
  a: {pattern: '['}
  b: {minimum: '1'}
  c: {minLength: -1}
  d: {multipleOf: 0}
  e: {uniqueItems: yes}
  f: {required: a}
  g: {required: [a, a, 3]}
  h: {required: true}
  i: {patternProperties: {'*': {}}}
  j: {anyOf: []}
  k: text
  l: {title: 5}
  m: {properties: [a]}
  n: {examples: x}
"));
}

#[test]
fn drafts_differ() {
    let of_draft = |uri: &str, text: &str| found(&format!("$schema: {uri}\n{text}"));
    let schema = "additionalProperties: true\nproperties: {a: true, b: {exclusiveMinimum: true, minimum: 1}}\n";
    let want = "`true` keyword-value a schema should be a map\n";
    assert_eq!(of_draft("http://json-schema.org/draft-04/schema#", schema), want);
    let want = "`true` keyword-value `exclusiveMinimum` should be a number\n";
    assert_eq!(of_draft("http://json-schema.org/draft-07/schema#", schema), want);
    let schema = "items: [{type: string}]\n";
    assert_eq!(of_draft("https://json-schema.org/draft/2019-09/schema", schema), "");
    let want = "`[{type: string}]` keyword-value a schema should be a map or a boolean\n";
    assert_eq!(of_draft("https://json-schema.org/draft/2020-12/schema", schema), want);
}

#[test]
fn words_that_are_nearly_keywords_are_slips() {
    expect_test::expect![[r#"
        `minLenght` unknown-keyword JSON Schema has no keyword `minLenght` -> minLenght: minLength
        `"Properties"` unknown-keyword JSON Schema has no keyword `Properties` -> "Properties": "properties"
        `ref` unknown-keyword JSON Schema has no keyword `ref` -> ref: $ref
        `date-tme` unknown-keyword JSON Schema has no format `date-tme` -> date-tme: date-time
    "#]]
    .assert_eq(&of("allOf:
- {minLenght: 1, x-minLenght: 1, units: km, nullable: true, example: 1}
- {\"Properties\": {}}
- {ref: '#/definitions/a'}
- {format: date-tme}
- {format: uint32, description: minLenght}
- {$$description: a, _enum: [1], //minimum: 1, '#pattern': a, -type: string}
- properties: {minLenght: {}, itmes: {}}
  default: {itmes: {}}
  enum: [{itmes: 1}]
"));
}

#[test]
fn references_that_are_nearly_right_lead_to_a_suggestion() {
    expect_test::expect![[r##"
        `'#/definitions/sise'` ref-not-found `#/definitions/sise` leads nowhere -> '#/definitions/sise': '#/definitions/size'
        `"#/$defs/size"` ref-not-found `#/$defs/size` leads nowhere -> "#/$defs/size": "#/definitions/size"
    "##]]
    .assert_eq(&of("properties:
  a: {$ref: '#/definitions/sise'}
  b: {$ref: \"#/$defs/size\"}
  c: {$ref: '#/nothing/like/it'}
  d: {$ref: '#/definitions/size'}
definitions: {size: {}}
"));
}

#[test]
fn what_is_required_is_declared() {
    expect_test::expect![[r#"
        `nmae` required-without-property `nmae` is required, but not declared in `properties` -> nmae: name
        `other` required-without-property `other` is required, but not declared in `properties`
        `gone` required-without-property `gone` is required, but not allowed: it is not in `properties`
    "#]]
    .assert_eq(&of("properties: {name: {}, size: {}}
required: [size, nmae, other, inner, chosen, shared]
allOf:
- properties: {inner: {}}
- $ref: '#/definitions/shared'
- if: {properties: {size: {const: 1}}}
  then: {required: [name, chosen], properties: {chosen: {}}}
- anyOf: [{required: [whatever]}, {required: [name]}]
patternProperties: {^x-: {}}
definitions:
  shared: {properties: {shared: {}}}
  closed: {properties: {a: {}}, additionalProperties: false, required: [gone]}
  free: {properties: {a: {}}, additionalProperties: {type: string}, required: [b]}
  elsewhere: {properties: {a: {}}, required: [b], allOf: [{$ref: other.json}]}
  matched: {properties: {a: {}}, patternProperties: {^b: {}}, required: [b]}
  ignored: {$ref: '#/definitions/free', properties: {a: {}}, required: [b]}
"));
}

#[test]
fn keywords_without_effect() {
    let later = |text: &str| found(&format!("$schema: https://json-schema.org/draft/2020-12/schema\n{text}"));
    expect_test::expect![[r#"
        `then` inert-keyword `then` has no effect without `if`
        `minContains` inert-keyword `minContains` has no effect without `contains`
        `additionalItems` inert-keyword `additionalItems` has no meaning in 2020-12, which `$schema` names
        `$recursiveRef` inert-keyword `$recursiveRef` has no meaning in 2020-12, which `$schema` names
        `nullable` inert-keyword `nullable` has no meaning in 2020-12, which `$schema` names
    "#]]
    .assert_eq(&later(
        "properties:
  a: {then: {type: string}}
  b: {if: {type: string}, then: {}, else: {}}
  c: {minContains: 2}
  d: {minContains: 2, contains: {}}
  e: {items: {}, additionalItems: false}
  f: {$recursiveRef: '#'}
  g: {type: string, nullable: true}
  h: {type: string, nullable: false}
",
    ));
    // The keywords that these drafts have.
    assert_eq!(of("items: [{}]\nadditionalItems: false\n"), "");
    assert_eq!(found("items: [{}]\nadditionalItems: false\nnullable: true\n"), "", "it names no draft");
}

#[test]
fn anchors_and_references_to_themselves() {
    let later = |text: &str| found(&format!("$schema: https://json-schema.org/draft/2020-12/schema\n{text}"));
    expect_test::expect![[r#"
        `one` keyword-value another schema has the anchor `one`
        `'#/$defs/d'` ref-not-found `#/$defs/d` leads to the schema that it is in, and so says nothing
        `'#$defs/a'` ref-not-found `#$defs/a` leads nowhere -> '#$defs/a': '#/$defs/a'
    "#]]
    .assert_eq(&later(
        "$defs:
  a: {$anchor: one}
  b: {$anchor: one}
  c: {$id: other.json, $anchor: one}
  d: {$ref: '#/$defs/d'}
  e: {properties: {e: {$ref: '#/$defs/e'}}}
  f: {$ref: '#$defs/a'}
  g: {$ref: '#nothing'}
",
    ));
}

#[test]
fn half_typed_text_is_no_mistake() {
    assert_eq!(of("properties:\n  a:\n    type:\n    enum:\n    required:\n    -\n    pattern:\n"), "");
    assert_eq!(found("a: 1\nrequird: 2\n"), "", "not a schema");
}

#[test]
fn json_stays_json() {
    let text = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": null, "title": 5}"#;
    expect_test::expect![[r#"
        `null` keyword-value the type of null is the string "null" -> null: "null"
        `5` keyword-value `title` should be a string -> 5: "5"
    "#]]
    .assert_eq(&found(text));
}

/// What the meta-schemas accept and refuse: themselves.
#[test]
fn meta_schemas_have_no_mistakes() {
    use crate::json_schema::drafts::{Draft, meta_schema};
    for draft in Draft::ALL {
        let text = meta_schema(draft.meta_schema()).expect("built in");
        let wrong = found(text);
        assert_eq!(wrong, "", "{}", draft.name());
    }
}

proptest! {
    #[test]
    fn any_document_can_be_looked_at(text in "(\\$?(ref|type|items|properties|required|allOf|enum|definitions|pattern)|[a#\\[{},:/'\" -]|: |\n  |\n){0,40}") {
        let _ = of(&text);
    }
}
