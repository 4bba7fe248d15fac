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
