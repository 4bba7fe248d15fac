//! Changes are written as the text around them.

use super::{all_at, applied};
use crate::fixture::open;
use expect_test::{Expect, expect};
use lofting_workspace::CancelFlag;

const SCHEMA: &str = r##"#- s.json
{
  "type": "object",
  "additionalProperties": false,
  "required": ["need", "on", "map"],
  "properties": {
    "$schema": {},
    "need": {"type": "string"},
    "on": {"enum": ["x", 1]},
    "map": {"type": "object", "additionalProperties": false, "properties": {"name": {}, "size": {"type": "integer"}}},
    "en": {"enum": ["alpha", "beta"]},
    "al": {"enum": ["on", "off"]},
    "flag": {"type": "boolean"},
    "text": {"type": "string", "minLength": 3},
    "list": {"type": "array", "items": {"type": "string"}},
    "patterned": {"type": "object", "additionalProperties": false, "patternProperties": {"^(get|put)$": {"type": "object"}}}
  }
}
"##;

/// The lines that a text has after each fix.
fn fixed(text: &str, title: &str) -> String {
    let fixture = open(&format!("{SCHEMA}#- a.yaml\n# yaml-language-server: $schema=s.json\n{text}"));
    let found = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset).into_iter();
    let change = found.filter(|action| action.name.title.starts_with(title)).find_map(|action| action.change);
    let change = change.expect("it is offered");
    let text = applied(&fixture.snapshot, &change).text(fixture.file).to_string();
    text.split_once('\n').map_or("", |(_, rest)| rest).to_owned()
}

#[track_caller]
fn check(text: &str, title: &str, expect: Expect) {
    expect.assert_eq(&fixed(text, title));
}

#[test]
fn quotes_are_kept() {
    check("$0al: \"of\"", "Change to", expect![[r#"al: "on""#]]);
    check("$0al: 'of'", "Change to", expect!["al: 'on'"]);
    check("$0al: of", "Change to", expect!["al: on"]);
    check("$0\"mpa\": {}", "Rename to", expect![[r#""map": {}"#]]);
    // The quotes are what is wrong.
    check("$0flag: \"true\"", "Remove", expect!["flag: true"]);
}

#[test]
fn an_array_has_one_item() {
    check("$0list: a, b", "Make it an array", expect![[r#"list: ["a, b"]"#]]);
    check("$0list: a,", "Make it an array", expect![[r#"list: ["a,"]"#]]);
    check("$0list: a", "Make it an array", expect!["list: [a]"]);
    check("$0list: 'a, b'", "Make it an array", expect!["list: ['a, b']"]);
    check("$0list: \"a\"", "Make it an array", expect![[r#"list: ["a"]"#]]);
}

#[test]
fn a_key_of_a_pattern_is_meant() {
    check("$0patterned: {gett: {}}", "Rename to `get`", expect!["patterned: {get: {}}"]);
}

/// A fix for values of this schema, and its certainty: the titles, of which `*` marks the preferred one.
fn offered(schema: &str, text: &str) -> String {
    let fixture = open(&format!("#- s.json\n{schema}\n#- a.yaml\n# yaml-language-server: $schema=s.json\n{text}"));
    let titles = super::titles(&fixture);
    let own = titles.lines().filter(|line| !line.starts_with("Ignore ") && line.contains("quickfix"));
    own.map(|line| format!("{line}\n")).collect()
}

/// Two names are one slip away: the one whose schema accepts the value is meant, or else none is.
#[test]
fn of_names_that_are_equally_near_the_value_decides() {
    let schema = r#"{"type": "object", "additionalProperties": false, "properties": {
        "element": {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": false},
        "elements": {"type": "object", "properties": {"label": {"type": "string"}}, "additionalProperties": false},
        "level": {"enum": ["element", "elements"]}}}"#;
    let check = |text: &str, expect: Expect| expect.assert_eq(&offered(schema, text));
    check(
        "$0elemenst: {label: a}\n",
        expect![[r#"
        * Rename to `elements` (quickfix, Likely)
        Remove the key (quickfix, Possible)
        Declare `elemenst` in the schema (quickfix, Possible)
    "#]],
    );
    check(
        "$0elemenst: {name: a}\n",
        expect![[r#"
        * Rename to `element` (quickfix, Likely)
        Remove the key (quickfix, Possible)
        Declare `elemenst` in the schema (quickfix, Possible)
    "#]],
    );
    check(
        "$0elemenst: {}\n",
        expect![[r#"
        Rename to `element` (quickfix, Possible)
        Rename to `elements` (quickfix, Possible)
        Remove the key (quickfix, Possible)
        Declare `elemenst` in the schema (quickfix, Possible)
    "#]],
    );
    check(
        "level: $0elemenst\n",
        expect![[r#"
        Change to "elements" (quickfix, Possible)
        Change to "element" (quickfix, Possible)
    "#]],
    );
    let required = schema.replace(
        "\"additionalProperties\": false, \"properties\": {\n        \"element\"",
        "\"additionalProperties\": false, \"required\": [\"element\"], \"properties\": {\n        \"element\"",
    );
    expect![[r#"
        * Add `element` (quickfix, Likely)
        Add all keys that are missing (quickfix, Likely)
        * Rename to `elements` (quickfix, Likely)
        Remove the key (quickfix, Possible)
        Declare `elemenst` in the schema (quickfix, Possible)
    "#]]
    .assert_eq(&offered(&required, "$0elemenst: {label: a}\n"));
    expect![[r#"
        * Rename to `element` (quickfix, Likely)
        Rename to `elements` (quickfix, Possible)
        Remove the key (quickfix, Possible)
        Declare `elemenst` in the schema (quickfix, Possible)
    "#]]
    .assert_eq(&offered(&required, "$0elemenst: {}\n"));
}

/// Of more values than are compared, none is named as the nearest.
#[test]
fn of_very_many_values_none_is_said_to_be_meant() {
    let values = |count: usize| (0..count).map(|i| format!("\"value-{i}\"")).collect::<Vec<_>>().join(",");
    for (count, is_offered) in [(4_000, true), (6_000, false)] {
        let schema = format!("{{\"properties\": {{\"a\": {{\"enum\": [{}, \"portal\"]}}}}}}", values(count));
        let offered = offered(&schema, "a: $0protal\n");
        assert_eq!(offered.starts_with('*'), is_offered, "{count}: {offered}");
        assert!(is_offered || !offered.contains("Sure"), "{offered}");
    }
}

/// What is offered is accepted.
#[test]
fn values_that_the_schema_refuses_are_not_offered() {
    let maps = r#"{"type": "object", "properties": {"max-files": {"type": "integer"}},
        "additionalProperties": {"type": "array", "items": {"type": "object"}}}"#;
    expect![[r#"
        Rename to `max-files` (quickfix, Possible)
    "#]]
    .assert_eq(&offered(maps, "$0Max-files: 5\n"));
    let arrays = r#"{"additionalProperties": {"type": "array", "items": {"type": "integer"}}}"#;
    expect![[r#"
        * Make it an array (quickfix, Likely)
    "#]]
    .assert_eq(&offered(arrays, "$0a: 5\n"));
    let texts = r#"{"properties": {"b": {"type": "string", "minLength": 2}, "c": {"type": "string"}, "d": {"oneOf": [{"type": "string", "minLength": 2}, {"type": "integer"}]}, "e": {"type": ["string", "array"], "minItems": 1}}}"#;
    for (text, expected) in [
        ("$0b:\n", expect!["give a value, or remove the key if it may be missing"]),
        (
            "$0c:\n",
            expect![[r#"
        * Make it an empty string (quickfix, Likely)
        write `""` for an empty string, or remove the key if it may be missing"#]],
        ),
        ("$0d:\n", expect!["give a value, or remove the key if it may be missing"]),
        (
            "$0e: null\n",
            expect![[r#"
        Make it an empty string (quickfix, Possible)
        write `""` for an empty string, or remove the key if it may be missing"#]],
        ),
    ] {
        let fixture = open(&format!("#- s.json\n{texts}\n#- a.yaml\n# yaml-language-server: $schema=s.json\n{text}"));
        let found = fixture.snapshot.diagnostics(fixture.file, &CancelFlag::new());
        let help = found.iter().filter_map(|finding| finding.help.clone()).collect::<Vec<_>>().join("\n");
        expected.assert_eq(&format!("{}{help}", offered(texts, text)));
    }
}

/// Readers of YAML 1.1 end a text between brackets at a question mark.
#[test]
fn what_is_written_between_brackets_is_read_there() {
    check("$0list: a ? b", "Make it an array", expect![[r#"list: ["a ? b"]"#]]);
    check(
        "$0map:\n  name: 0 0 ? * *\n",
        "Write it on one line",
        expect![[r#"
        map: {name: "0 0 ? * *"}
    "#]],
    );
}

/// Every change that is offered in JSON leaves it JSON.
#[test]
fn what_is_json_stays_json() {
    let texts = [
        r#"{"$schema": "./s.json", "en": "alpa", "al": "of", "flag": "true", "text": 1, "list": "a, b", "mpa": {}}"#,
        "{\n  \"$schema\": \"./s.json\",\n  \"neeed\": \"a\",\n  \"list\": {\"a\": 1},\n  \"flag\": 1\n}\n",
        r#"{"$schema": "./s.json", "map": {"nmae": 1, "size": "1"}, "text": true, "list": null, "on": "y"}"#,
        r#"{"$schema": "./s.json", "map": {"size": 2.0}, "patterned": {"gett": {}}, "extra": [], "list": [1, "a"]}"#,
        r#"{"$schema": "./s.json"}"#,
    ];
    let mut count = 0;
    for text in texts {
        assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (before, after) = text.split_at(at);
            let fixture = open(&format!("{SCHEMA}#- a.json\n{before}$0{after}"));
            for action in all_at(&fixture.snapshot, fixture.file, at..at) {
                let Some(change) = action.change.filter(|change| change.refused.is_none()) else { continue };
                let Some(new) = change.apply(fixture.file, text) else { panic!("{text}: {}", action.name.title) };
                let is_json = serde_json::from_str::<serde_json::Value>(&new).is_ok();
                assert!(is_json, "{text}\n{:?}: {new}", action.name);
                count += 1;
            }
        }
        let fixture = open(&format!("{SCHEMA}#- a.json\n{text}"));
        let fixed = crate::fix_all(
            &fixture.snapshot,
            fixture.file,
            lofting_diagnostic::Confidence::Possible,
            &CancelFlag::new(),
        );
        let new = fixed.map_or(text.to_owned(), |fixed| fixed.text);
        assert!(serde_json::from_str::<serde_json::Value>(&new).is_ok(), "{text}\n{new}");
    }
    assert!(count > 100, "{count}");
}
