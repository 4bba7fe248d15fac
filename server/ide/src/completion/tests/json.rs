//! What is inserted in JSON is JSON, and commas between brackets.

use crate::fixture::{Fixture, open};
use expect_test::{Expect, expect};

const SCHEMA: &str = r##"#- s.json
{
  "type": "object",
  "properties": {
    "en": {"enum": ["alpha", "no", 1, null]},
    "on": {"type": "boolean"},
    "obj": {"type": "object", "properties": {"n": {"type": "string"}, "en": {"const": "x"}}},
    "list": {"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b,c", "d"]}},
    "any": {"type": "string", "default": "it's", "examples": ["say \"hi\"", "\u001b"]},
    "snip": {"type": "string", "defaultSnippets": [{"label": "L", "body": "foo: ${1:bar}"}, {"label": "T", "bodyText": "x"}]},
    "2": {}
  }
}
"##;

fn fixture(file: &str, text: &str) -> Fixture {
    open(&format!("{SCHEMA}#- {file}\n{text}"))
}

/// The texts after each item has been accepted.
fn accepted(file: &str, text: &str, snippets: bool) -> String {
    let fixture = fixture(file, text);
    let texts = fixture.completions(snippets).into_iter().map(|item| format!("{}\n", fixture.accept(&item)));
    texts.collect()
}

#[track_caller]
fn check(text: &str, expect: Expect) {
    let texts = accepted("a.json", &format!("{{\"$schema\":\"./s.json\",{text}}}"), true);
    expect.assert_eq(&texts.replace("\"$schema\":\"./s.json\",", ""));
}

#[test]
fn keys_and_values_are_in_quotes() {
    check(
        "$0",
        expect![[r#"
        {"en": }
        {"on": }
        {"obj": {$1}}
        {"list": [$1]}
        {"any": }
        {"snip": }
        {"2": }
    "#]],
    );
    check(
        "\"e$0\"",
        expect![[r#"
        {"en": }
        {"on": }
        {"obj": {$1}}
        {"list": [$1]}
        {"any": }
        {"snip": }
        {"2": }
    "#]],
    );
    check(
        "\"e$0\": 1",
        expect![[r#"
        {"en": 1}
        {"on": 1}
        {"obj": 1}
        {"list": 1}
        {"any": 1}
        {"snip": 1}
        {"2": 1}
    "#]],
    );
    check(
        "\"en\": $0",
        expect![[r#"
        {"en": "alpha"}
        {"en": "no"}
        {"en": 1}
        {"en": null}
    "#]],
    );
    check(
        "\"en\": \"$0\"",
        expect![[r#"
        {"en": "alpha"}
        {"en": "no"}
    "#]],
    );
    check(
        "\"list\": [$0]",
        expect![[r#"
        {"list": ["a"]}
        {"list": ["b,c"]}
        {"list": ["d"]}
    "#]],
    );
    check(
        "\"snip\": $0",
        expect![[r#"
        {"snip": "foo: ${1:bar}"}
    "#]],
    );
}

/// Everything that is offered anywhere in a text leaves it JSON, once what was not given a value has one.
#[test]
fn what_is_json_stays_json() {
    let texts = [
        r#""obj": {"n": "a", "en": "x"}, "list": ["a", "d"], "en": "alpha", "any": "x""#,
        "\n  \"obj\": {\n    \"n\": \"a\"\n  },\n  \"list\": [\n    \"a\"\n  ],\n  \"on\": true\n",
        r#""obj": {}, "list": [], "en": "", "any": "", "on": null"#,
    ];
    for text in texts {
        let text = format!("{{\"$schema\":\"./s.json\",{text}}}");
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (before, after) = text.split_at(at);
            let fixture = fixture("a.json", &format!("{before}$0{after}"));
            for snippets in [false, true] {
                for item in fixture.completions(snippets) {
                    let new = fixture.accept(&item).replace("{$1}", "{}").replace("[$1]", "[]").replace("$1", "null");
                    let with_value =
                        new.replace(": ,", ": null,").replace(": }", ": null}").replace(": \n", ": null\n");
                    assert!(
                        serde_json::from_str::<serde_json::Value>(&with_value).is_ok(),
                        "{before}|{after}\n{}: {new}",
                        item.label
                    );
                }
            }
        }
    }
}

#[test]
fn a_file_is_json_by_what_it_says() {
    let yaml = |text: &str| accepted("a.yaml", &format!("# yaml-language-server: $schema=s.json\n{text}"), false);
    assert!(yaml("{\"en\": 1, o$0}").contains("{\"en\": 1, \"any\": }"));
    assert!(yaml("{en: 1, o$0}").contains("{en: 1, any: }"));
    assert_eq!(accepted("a.json", "$0", false), "");
}

#[test]
fn a_comma_is_before_what_follows() {
    let yaml = |text: &str, snippets: bool| {
        let text = format!("# yaml-language-server: $schema=s.json\n{text}");
        accepted("a.yaml", &text, snippets).replace("# yaml-language-server: $schema=s.json\n", "")
    };
    expect![[r#"
        obj: {
          "n": $1,
          en: x
        }

    "#]]
    .assert_eq(&yaml("obj: {\n  $0\n  en: x\n}\n", true));
    expect![[r#"
        obj: {
          "n": , # note
          en: x
        }

    "#]]
    .assert_eq(&yaml("obj: {\n  n$0 # note\n  en: x\n}\n", false));
    expect![[r#"
        obj: {"n": , en: x}

    "#]]
    .assert_eq(&yaml("obj: {$0 en: x}\n", false));
    expect![[r#"
        obj: {"n": }

        obj: {en: x}

    "#]]
    .assert_eq(&yaml("obj: {$0}\n", false));
    expect![[r#"
        obj: {"n": , en: x}

    "#]]
    .assert_eq(&yaml("obj: {$0, en: x}\n", false));
    expect![[r#"
        obj: {n: "", en: x
          # note
        }

    "#]]
    .assert_eq(&yaml("obj: {n: \"\", $0\n  # note\n}\n", false));
    expect![[r#"
        obj: {
          "n": 
        on: true

        obj: {
          en: x
        on: true

    "#]]
    .assert_eq(&yaml("obj: {\n  $0\non: true\n", false));
    expect![[r#"
        list: [
          a,
          d
        ]

        list: [
          "b,c",
          d
        ]

    "#]]
    .assert_eq(&yaml("list: [\n  $0\n  d\n]\n", false));
    check(
        "\"obj\": {\n  $0\n  \"en\": \"x\"\n}",
        expect![[r#"
        {"obj": {
          "n": $1,
          "en": "x"
        }}
    "#]],
    );
    check(
        "\"obj\": {\n  \"n$0\"\n  \"en\": \"x\"\n}",
        expect![[r#"
        {"obj": {
          "n": $1,
          "en": "x"
        }}
    "#]],
    );
}

#[test]
fn the_quotes_of_a_key_are_kept() {
    let yaml = |text: &str| {
        let text = format!("# yaml-language-server: $schema=s.json\n{text}");
        accepted("a.yaml", &text, false).replace("# yaml-language-server: $schema=s.json\n", "")
    };
    expect![[r#"
        obj:
          "n": 

        obj:
          "en": x

    "#]]
    .assert_eq(&yaml("obj:\n  \"n$0\"\n"));
    expect![[r#"
        obj:
          'n': 

        obj:
          'en': x

    "#]]
    .assert_eq(&yaml("obj:\n  'n$0'\n"));
    expect![[r#"
        obj:
          'n': x

        obj:
          'en': x

    "#]]
    .assert_eq(&yaml("obj:\n  'n$0': x\n"));
    expect![[r#"
        obj: {"n": }

        obj: {"en": x}

    "#]]
    .assert_eq(&yaml("obj: {\"$0\"}\n"));
}
