//! Every keyword of JSON Schema that says which keys or items there are, in everything that an editor asks about them.

use crate::fixture::{Fixture, open};
use crate::{Markup, goto_definition, hover};
use lofting_workspace::CancelFlag;

const DRAFT_4: &str = "http://json-schema.org/draft-04/schema#";
const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019: &str = "https://json-schema.org/draft/2019-09/schema";
const DRAFT_2020: &str = "https://json-schema.org/draft/2020-12/schema";

/// What a row says about the key `found`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    /// It is offered, and so are its values; it can be explained and leads to its declaration.
    Offered,
    /// Not offered, because any key would do; the rest is the same.
    Known,
    /// Neither offered nor known, but allowed.
    Free,
    /// Not offered, and an error where it is written.
    Forbidden,
}
use Said::{Forbidden, Free, Known, Offered};

/// A draft, the keywords of a schema, what is written above `found` and how deep that is, and the message. `F` is a map
/// with the key, `V` its value.
const ROWS: &[(&str, &str, &str, Said)] = &[
    (DRAFT_4, r#""properties": {"found": V}"#, "", Offered),
    (DRAFT_4, r#""properties": {"box": F}"#, "box:\n  ", Offered),
    (DRAFT_4, r#""patternProperties": {"^f": V}"#, "", Known),
    (DRAFT_4, r#""additionalProperties": V"#, "", Known),
    (DRAFT_4, r#""additionalProperties": false"#, "", Forbidden),
    (DRAFT_7, r#""properties": {"found": false}"#, "", Forbidden),
    (DRAFT_4, r#""allOf": [F]"#, "", Offered),
    (DRAFT_4, r#""allOf": [F, {"additionalProperties": false}]"#, "", Forbidden),
    (DRAFT_4, r#""anyOf": [{"properties": {"other": {}}}, F]"#, "", Offered),
    (
        DRAFT_4,
        r#""oneOf": [{"properties": {"kind": {"enum": ["a"]}}}, {"properties": {"kind": {"enum": ["b"]}, "found": V}}]"#,
        "kind: b\n",
        Offered,
    ),
    (
        DRAFT_4,
        r#""oneOf": [{"properties": {"kind": {"enum": ["a"]}}}, {"properties": {"kind": {"enum": ["b"]}, "found": V}}]"#,
        "kind: a\n",
        Free,
    ),
    (DRAFT_4, r#""$ref": "other.json#/definitions/f""#, "", Offered),
    (DRAFT_7, r#""$ref": "other.json#/definitions/f", "properties": {"found": false}"#, "", Offered),
    (DRAFT_2019, r#""$ref": "other.json#/definitions/f", "additionalProperties": true"#, "", Offered),
    (DRAFT_2019, r##""properties": {"next": {"$recursiveRef": "#"}, "found": V}"##, "next:\n  ", Offered),
    (
        DRAFT_2020,
        r##""$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}, "found": V}"##,
        "next:\n  ",
        Offered,
    ),
    (DRAFT_7, r#""if": {"required": ["on"]}, "then": F"#, "on: 1\n", Offered),
    (DRAFT_7, r#""if": {"required": ["on"]}, "then": F"#, "on:\n  a: 1\n", Offered),
    (
        DRAFT_7,
        r#""if": {"properties": {"on": {"const": 1}}, "required": ["on"]}, "then": F, "else": {}"#,
        "on: 2\n",
        Free,
    ),
    (DRAFT_7, r#""if": {"properties": {"on": {"const": 1}}, "required": ["on"]}, "else": F"#, "on: 2\n", Offered),
    (
        DRAFT_7,
        r#""properties": {"found": V}, "if": {"properties": {"on": {"const": 1}}, "required": ["on"]}, "then": {"properties": {"found": false}}"#,
        "on: 1\n",
        Forbidden,
    ),
    (
        DRAFT_7,
        r#""properties": {"found": V}, "if": {"properties": {"on": {"const": 1}}, "required": ["on"]}, "then": {"properties": {"found": false}}"#,
        "on: 2\n",
        Offered,
    ),
    (DRAFT_4, r#""dependencies": {"on": F}"#, "on: 1\n", Offered),
    (DRAFT_4, r#""dependencies": {"on": F}"#, "on:\n  a: 1\n", Offered),
    (DRAFT_4, r#""dependencies": {"on": F}"#, "off: 1\n", Free),
    (DRAFT_4, r#""properties": {"found": V}, "dependencies": {"on": ["found"]}"#, "on: 1\n", Offered),
    (DRAFT_2019, r#""dependentSchemas": {"on": F}"#, "on: [1]\n", Offered),
    (DRAFT_2019, r#""dependentSchemas": {"on": F}"#, "off: 1\n", Free),
    (
        DRAFT_2019,
        r#""properties": {"found": V}, "dependentSchemas": {"on": {"properties": {"found": false}}}"#,
        "on: 1\n",
        Forbidden,
    ),
    (DRAFT_2019, r#""properties": {"box": {"dependentSchemas": {"on": F}}}"#, "box:\n  on: 1\n  ", Offered),
    (
        DRAFT_2019,
        r#""properties": {"box": {}}, "dependentSchemas": {"box": {"properties": {"box": F}}}"#,
        "box:\n  ",
        Offered,
    ),
    (DRAFT_2019, r#""properties": {"found": V}, "dependentRequired": {"on": ["found"]}"#, "on: 1\n", Offered),
    (DRAFT_2019, r#""unevaluatedProperties": V"#, "", Known),
    (DRAFT_2019, r#""allOf": [F], "unevaluatedProperties": false"#, "", Offered),
    (DRAFT_2019, r#""properties": {"other": {}}, "unevaluatedProperties": false"#, "", Forbidden),
    (
        DRAFT_2019,
        r#""if": {"required": ["on"]}, "then": F, "properties": {"on": {}}, "unevaluatedProperties": false"#,
        "on: 1\n",
        Offered,
    ),
    (
        DRAFT_2019,
        r#""anyOf": [{"properties": {"on": {"const": 1}, "found": V}}, {"properties": {"on": {"const": 2}}}], "unevaluatedProperties": false"#,
        "on: 2\n",
        Forbidden,
    ),
    (
        DRAFT_2019,
        r#""dependentSchemas": {"on": F}, "properties": {"off": {}}, "unevaluatedProperties": false"#,
        "off: 1\n",
        Forbidden,
    ),
    (DRAFT_7, r#""propertyNames": {"enum": ["found"]}, "additionalProperties": V"#, "", Offered),
    (DRAFT_7, r#""propertyNames": {"const": "found"}, "patternProperties": {"f": V}"#, "", Offered),
    (DRAFT_7, r#""not": F"#, "", Free),
    (DRAFT_4, r#""properties": {"list": {"items": F}}"#, "list:\n- a: 1\n- ", Offered),
    (DRAFT_4, r#""properties": {"list": {"items": [{}, F]}}"#, "list:\n- a: 1\n- ", Offered),
    (DRAFT_4, r#""properties": {"list": {"items": [{}], "additionalItems": F}}"#, "list:\n- a: 1\n- ", Offered),
    (DRAFT_2020, r#""properties": {"list": {"prefixItems": [{}, F]}}"#, "list:\n- a: 1\n- ", Offered),
    (DRAFT_2020, r#""properties": {"list": {"prefixItems": [{}], "items": F}}"#, "list:\n- a: 1\n- ", Offered),
    (DRAFT_2020, r#""properties": {"list": {"unevaluatedItems": F}}"#, "list:\n- a: 1\n- ", Offered),
    (
        DRAFT_2020,
        r#""properties": {"list": {"prefixItems": [{}], "unevaluatedItems": F}}"#,
        "list:\n- a: 1\n- ",
        Offered,
    ),
];

const VALUE: &str = r#"{"description": "Here.", "enum": ["one", "two"]}"#;

fn file(draft: &str, keywords: &str, text: &str) -> Fixture {
    let map = format!(r#"{{"properties": {{"found": {VALUE}}}}}"#);
    let is_place = |before: char| matches!(before, ' ' | '[');
    let mut written = String::new();
    for (index, letter) in keywords.char_indices() {
        let after = keywords.get(..index).is_some_and(|before| before.ends_with(is_place));
        match letter {
            'F' if after => written.push_str(&map),
            'V' if after => written.push_str(VALUE),
            _ => written.push(letter),
        }
    }
    open(&format!(
        "#- other.json\n{{\"definitions\": {{\"f\": {map}}}}}\n#- schema.json\n{{\"$schema\": \"{draft}\", {written}}}\n\
         #- a.yaml\n# yaml-language-server: $schema=schema.json\n{text}"
    ))
}

fn labels(fixture: &Fixture) -> Vec<String> {
    fixture.completions(false).into_iter().map(|item| item.label).collect()
}

/// Draft, the schema of `found` and what is beside it, what is written above, and the values that are offered.
const VALUES: &[(&str, &str, &str, &[&str])] = &[
    (DRAFT_4, r#""properties": {"found": {"enum": ["a", "b"]}}"#, "", &["a", "b"]),
    (DRAFT_7, r#""properties": {"found": {"const": "a"}}"#, "", &["a"]),
    (DRAFT_4, r#""properties": {"found": {"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}}"#, "", &["b"]),
    (DRAFT_4, r#""properties": {"found": {"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}}"#, "", &["a", "b"]),
    (DRAFT_4, r#""properties": {"found": {"enum": ["a", "b"], "not": {"enum": ["a"]}}}"#, "", &["b"]),
    (
        DRAFT_7,
        r#""properties": {"found": {"enum": ["a", "b"]}}, "if": {"properties": {"on": {"const": 1}}, "required": ["on"]}, "then": {"properties": {"found": {"enum": ["a"]}}}"#,
        "on: 1\n",
        &["a"],
    ),
    (
        DRAFT_7,
        r#""properties": {"found": {"enum": ["a", "b"]}}, "if": {"properties": {"on": {"const": 1}}, "required": ["on"]}, "then": {"properties": {"found": {"enum": ["a"]}}}"#,
        "on: 2\n",
        &["a", "b"],
    ),
    (
        DRAFT_2019,
        r#""properties": {"found": {"enum": ["a", "b"]}}, "dependentSchemas": {"on": {"properties": {"found": {"const": "b"}}}}"#,
        "on: 2\n",
        &["b"],
    ),
    (
        DRAFT_2019,
        r#""allOf": [{"properties": {"found": {"enum": ["a", "b"]}}}], "unevaluatedProperties": {"enum": ["z"]}"#,
        "",
        &["a", "b"],
    ),
    (DRAFT_7, r#""properties": {"found": {"type": ["string", "null"], "enum": ["a", null]}}"#, "", &["a", "null"]),
    (DRAFT_7, r#""properties": {"found": {"type": "boolean", "not": {"const": true}}}"#, "", &["false"]),
];

#[test]
fn values_that_no_keyword_refuses() {
    for (draft, keywords, above, values) in VALUES {
        let found = labels(&file(draft, keywords, &format!("{above}found: $0")));
        assert_eq!(found, *values, "{draft} {keywords} {above:?}");
    }
}

#[test]
fn every_keyword_in_every_feature() {
    let mut wrong = String::new();
    for (draft, keywords, above, said) in ROWS {
        let mut check = |what: &str, is_right: bool, got: String| {
            if !is_right {
                wrong += &format!("{said:?}: {draft} {keywords} {above:?}: {what}: {got}\n");
            }
        };
        let keys = labels(&file(draft, keywords, &format!("{above}$0")));
        check("keys", keys.contains(&"found".to_owned()) == (*said == Offered), format!("{keys:?}"));
        let values = labels(&file(draft, keywords, &format!("{above}found: $0")));
        let is_known = matches!(said, Offered | Known);
        if is_known {
            check("values", values == ["one", "two"], format!("{values:?}"));
        }
        let fixture = file(draft, keywords, &format!("{above}fou$0nd: one\n"));
        let hovered = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
        let hovered = hovered.map(|hovered| hovered.text.into_string()).unwrap_or_default();
        check("hover", hovered.contains("Here.") == is_known || *said == Forbidden, hovered);
        let leads = goto_definition(&fixture.snapshot, fixture.file, fixture.offset);
        let leads: Vec<_> = leads.iter().map(|it| fixture.snapshot.shown_path(it.target.file)).collect();
        let is_schema = leads.first().is_some_and(|name| name.ends_with(".json"));
        check("definition", is_schema == is_known || *said == Forbidden, format!("{leads:?}"));
        let found = fixture.snapshot.diagnostics(fixture.file, &CancelFlag::new());
        let codes: Vec<_> = found.iter().map(|finding| finding.code().into_owned()).collect();
        check("findings", codes.is_empty() != (*said == Forbidden) || keywords.contains("not"), format!("{codes:?}"));
    }
    assert!(wrong.is_empty(), "{wrong}");
}
