//! JSON Schema's keywords for editors, and alternatives that written values exclude.

use crate::fixture::open;
use crate::{CompletionItem, Markup};
use expect_test::{Expect, expect};

const SCHEMA: &str = r##"#- schema.json
{
  "type": "object",
  "properties": {
    "box": {"type": "object", "required": ["name", "size"], "properties": {
      "name": {"type": "string"},
      "size": {"type": "object", "required": ["wide"], "properties": {"wide": {"enum": [1, 2]}, "high": {}}},
      "note": {"type": "string"}
    }},
    "on": {"type": "string", "enum": ["push", "pull"], "enumDescriptions": ["Who pushes.", "Who pulls."]},
    "hidden": {"type": "string", "doNotSuggest": true},
    "job": {
      "type": "object",
      "defaultSnippets": [
        {"label": "a job", "description": "Runs one step.", "body": {"name": "${1:job}", "steps": [{"run": "$2", "count": "^$3"}]}}
      ],
      "properties": {"name": {}, "steps": {}}
    },
    "list": {"type": "array", "defaultSnippets": [{"label": "two", "body": ["a: b", "${1:x}"]}], "items": {"type": "string"}},
    "word": {"type": "string", "defaultSnippets": [{"label": "w", "body": "$$"}]},
    "step": {"oneOf": [
      {"properties": {"kind": {"const": "run"}, "command": {}}},
      {"properties": {"kind": {"const": "copy"}, "from": {}, "to": {}}}
    ]},
    "pick": {
      "properties": {"mode": {"enum": ["fast", "slow"]}},
      "if": {"properties": {"mode": {"const": "fast"}}, "required": ["mode"]},
      "then": {"properties": {"speed": {}}},
      "else": {"properties": {"rest": {}}}
    }
  }
}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

fn items(text: &str) -> Vec<CompletionItem> {
    open(&format!("{SCHEMA}{text}")).completions(true)
}

fn labels(text: &str) -> String {
    items(text).into_iter().map(|item| item.label).collect::<Vec<_>>().join(", ")
}

fn accepted(text: &str, label: &str, expect: Expect) {
    let fixture = open(&format!("{SCHEMA}{text}"));
    let found = fixture.completions(true).into_iter().find(|item| item.label == label).expect("it is offered");
    let whole = fixture.accept(&found);
    expect.assert_eq(whole.split_once('\n').map_or("", |(_, rest)| rest.trim_end()));
}

#[test]
fn a_key_comes_with_what_its_value_has_to_have() {
    accepted(
        "$0",
        "box",
        expect![[r#"
        box:
          name: $1
          size:
            wide: ${2|1,2|}"#]],
    );
    accepted("$0", "job", expect!["job:"]);
    accepted("$0", "on", expect!["on:"]);
    expect!["box, on, job, list, word, step, pick"].assert_eq(&labels("hi$0"));
}

#[test]
fn allowed_values_are_explained() {
    let fixture = open(&format!("{SCHEMA}on: $0"));
    let about = |item: &CompletionItem| item.documentation(&fixture.snapshot, Markup::Plain).unwrap_or_default();
    let about: Vec<String> =
        fixture.completions(true).iter().map(|item| format!("{}: {}", item.label, about(item).into_string())).collect();
    expect![[r#"
        push: Who pushes.
        pull: Who pulls."#]]
    .assert_eq(&about.join("\n"));
}

#[test]
fn snippets_of_the_schema() {
    accepted(
        "job:\n  $0",
        "a job",
        expect![[r#"
        job:
          name: ${1:job}
          steps:
          - run: $2
            count: $3"#]],
    );
    accepted(
        "job: $0",
        "a job",
        expect![[r#"
        job:
          name: ${1:job}
          steps:
          - run: $2
            count: $3"#]],
    );
    accepted(
        "list:\n  $0",
        "two",
        expect![[r#"
        list:
          - "a: b"
          - ${1:x}"#]],
    );
    accepted("word: $0", "w", expect![[r#"word: \$\$"#]]);
}

#[test]
fn what_is_written_rules_alternatives_out() {
    let all: Vec<String> = [
        "step:\n  $0",
        "step:\n  kind: run\n  $0",
        "step:\n  $0\n  kind: copy\n",
        "step:\n  kind: none\n  $0",
        "pick:\n  $0",
        "pick:\n  mode: fast\n  $0",
        "pick:\n  mode: slow\n  $0",
    ]
    .into_iter()
    .map(|text| format!("{text:?}: {}\n", labels(text)))
    .collect();
    expect![[r#"
        "step:\n  $0": kind, command, from, to, (all keys) kind: run, command, (all keys) kind: copy, from, to
        "step:\n  kind: run\n  $0": command
        "step:\n  $0\n  kind: copy\n": from, to
        "step:\n  kind: none\n  $0": command, from, to
        "pick:\n  $0": mode, speed, rest
        "pick:\n  mode: fast\n  $0": speed
        "pick:\n  mode: slow\n  $0": rest
    "#]]
    .assert_eq(&all.concat());
}

#[test]
fn messages_are_those_of_the_schema() {
    let fixture = open(
        "#- schema.json
{\"properties\": {
  \"a\": {\"type\": \"string\", \"pattern\": \"^x\", \"patternErrorMessage\": \"begin with an x\"},
  \"b\": {\"type\": \"integer\", \"maximum\": 3, \"errorMessage\": \"a small number, please\"}
}}
#- a.yaml
# $schema: schema.json
a: y$0
b: 4
",
    );
    let found = crate::diagnostics(&fixture.snapshot, fixture.file, &lofting_workspace::CancelFlag::new());
    let words: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(words, ["`a`: begin with an x", "`b`: a small number, please"]);
}

#[test]
fn schemas_are_written_with_the_schema_of_their_draft() {
    let schema = |draft: &str, text: &str| {
        open(&format!("#- s.yaml\n$schema: {draft}\n{text}"))
            .completions(true)
            .into_iter()
            .map(|item| item.label)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (four, seven, latest) = (
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    );
    let has = |list: &str, key: &str| list.split(", ").any(|label| label == key);
    let keys = schema(seven, "$0\n");
    assert!(has(&keys, "if") && has(&keys, "definitions") && !has(&keys, "prefixItems"), "{keys}");
    let keys = schema(latest, "properties:\n  a:\n    $0\n");
    assert!(has(&keys, "prefixItems") && has(&keys, "minimum"), "{keys}");
    let keys = schema(four, "$0\n");
    assert!(has(&keys, "id") && !has(&keys, "const"), "{keys}");
    for draft in [four, seven, latest] {
        assert!(has(&schema(draft, "properties:\n  a:\n    type: $0\n"), "integer"), "{draft}");
    }
}

#[test]
fn below_a_key_of_which_nothing_is_known_an_item_is_offered() {
    // On a line of its own, with and without items above it.
    for (text, want) in [
        ("free:\n  $0\n", vec!["- "]),
        ("free:\n$0\n", vec!["- "]),
        ("free:\n- a\n$0\n", vec!["- "]),
        ("free:\n  - a\n  $0\n", vec!["- "]),
        ("free:\n  - a: 1\n  - $0\n", vec!["a", "- "]),
        ("step:\n  kind: run\n  free:\n    - a\n    $0\n", vec!["- "]),
        ("free: $0\n", vec![]),
        ("free: a$0\n", vec![]),
        ("list:\n  $0\n", vec!["two", "- "]),
        // Whatever the schema says, there are items.
        ("box:\n  $0\n  - a\n", vec!["- "]),
    ] {
        let labels = labels(text);
        let offered: Vec<&str> = labels.split(", ").filter(|label| ["- ", "a", "two"].contains(label)).collect();
        assert_eq!(offered, want, "{text:?}: {labels}");
    }
    accepted(
        "free:\n  - a\n  $0\n",
        "- ",
        expect![[r#"
        free:
          - a
          -"#]],
    );
    let unasked = open(&format!("{SCHEMA}free:\n  $0\n")).unasked();
    assert!(unasked.is_empty(), "{unasked:?}");
}

#[test]
fn a_new_document_begins_like_the_others_of_its_file() {
    let file = "#- crd.yaml\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: a.b\n  \
                names: {kind: Shop}\n  versions:\n  - name: v1\n    schema: {openAPIV3Schema: {type: object}}\n\
                #- shops.yaml\napiVersion: a.b/v1\nkind: Shop\nmetadata: {name: a}\n---\n";
    let labels = |text: &str| {
        let items = open(&format!("{file}{text}")).completions(false).into_iter();
        items.map(|item| item.label).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(labels("$0"), "apiVersion, kind, metadata");
    assert_eq!(labels("ap$0"), "apiVersion, kind, metadata");
    assert_eq!(labels("$0\nkind: Shop\n"), "apiVersion: a.b/v1, apiVersion, metadata");
}

#[test]
fn keywords_are_those_of_the_type() {
    let offered = |text: &str| {
        let items = open(&format!("#- s.schema.yaml\n{text}")).completions(true);
        items.into_iter().map(|item| item.label).collect::<Vec<_>>()
    };
    let has = |list: &[String], key: &str| list.iter().any(|label| label == key);
    let of_text = offered("properties:\n  a:\n    type: string\n    $0\n");
    assert!(has(&of_text, "minLength") && has(&of_text, "enum"), "{of_text:?}");
    assert!(!has(&of_text, "minimum") && !has(&of_text, "properties"), "{of_text:?}");
    let of_map = offered("type: object\n$0\n");
    assert!(has(&of_map, "required") && !has(&of_map, "items"), "{of_map:?}");
    let of_any = offered("properties:\n  a:\n    type: [string, array]\n    $0\n");
    assert!(has(&of_any, "minLength") && has(&of_any, "items"), "{of_any:?}");
    assert!(has(&offered("properties:\n  a:\n    type: string\n    format: $0\n"), "date-time"));
    assert!(has(&offered("properties: {size: {}}\nrequired: [$0]\n"), "size"));
}

#[test]
fn references_lead_to_definitions() {
    let fixture = |text: &str| {
        open(&format!("#- other.schema.json\n{{\"definitions\": {{\"c\": {{}}}}}}\n#- s.schema.yaml\n{text}"))
    };
    let offered = |text: &str| {
        let items = fixture(text).completions(true);
        items.into_iter().map(|item| item.label).collect::<Vec<_>>().join(", ")
    };
    let definitions = "definitions:\n  size: {}\n";
    // Shorter names come before those that they begin.
    let all = "#, #/definitions/size, other.schema.json, other.schema.json#/definitions/c";
    assert_eq!(offered(&format!("properties:\n  a:\n    $ref: $0\n{definitions}")), all);
    assert_eq!(offered(&format!("properties:\n  a: {{$ref: '#/$0'}}\n{definitions}")), "#, #/definitions/size");
    let fixture = fixture(&format!("properties:\n  a:\n    $ref: $0\n{definitions}"));
    let item = fixture.completions(true).into_iter().nth(1).expect("it is offered");
    assert!(fixture.accept(&item).contains("$ref: \"#/definitions/size\""), "{}", fixture.accept(&item));
}

#[test]
fn keys_that_may_not_be_beside_what_is_written_are_not_offered() {
    let offered = |rule: &str, text: &str| {
        let schema = format!("{{\"properties\": {{\"a\": {{}}, \"b\": {{}}, \"c\": {{}}}}, {rule}}}");
        let text = format!("#- schema.json\n{schema}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\n{text}");
        open(&text).completions(true).into_iter().map(|item| item.label).collect::<Vec<_>>().join(" ")
    };
    let both = r#""not": {"required": ["a", "b"]}"#;
    assert_eq!(offered(both, "c: 1\n$0\n"), "a b");
    assert_eq!(offered(both, "a: 1\n$0\n"), "c");
    assert_eq!(offered(both, "b: 1\n$0\n"), "c");
    let any = r#""not": {"anyOf": [{"required": ["a", "b"]}, {"required": ["b", "c"]}]}"#;
    assert_eq!(offered(any, "b: 1\n$0\n"), "");
    assert_eq!(offered(any, "a: 1\n$0\n"), "c");
    let one = r#""oneOf": [{"required": ["a"]}, {"required": ["b"]}]"#;
    assert_eq!(offered(one, "a: 1\n$0\n"), "c");
    assert_eq!(offered(one, "c: 1\n$0\n"), "a b");
    // What depends on values may still fit.
    let of_value = r#""not": {"required": ["a", "b"], "properties": {"a": {"const": 1}}}"#;
    assert_eq!(offered(of_value, "a: 2\n$0\n"), "b c");
    let few = r#""not": {"required": ["a", "b"], "maxProperties": 2}"#;
    assert_eq!(offered(few, "a: 2\n$0\n"), "b c");
    let any_of = r#""anyOf": [{"required": ["a"]}, {"required": ["b"]}]"#;
    assert_eq!(offered(any_of, "a: 2\n$0\n"), "b c");
}

#[test]
fn defaults_and_examples_of_other_types_are_not_offered() {
    let offered = |about: &str| {
        let schema = format!("{{\"properties\": {{\"a\": {{{about}}}}}}}");
        let text = format!("#- schema.json\n{schema}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\na: $0\n");
        open(&text).completions(true).into_iter().map(|item| item.label).collect::<Vec<_>>().join(" ")
    };
    for (about, expected) in [
        (r#""type": "integer", "default": "many""#, ""),
        (r#""type": "integer", "default": 3"#, "3"),
        (r#""type": "number", "default": 3"#, "3"),
        (r#""type": "boolean", "default": "yes""#, "true false"),
        (r#""type": "string", "examples": ["a", 1, null, "b"]"#, "a b"),
        (r#""type": ["string", "null"], "default": null"#, "null"),
        (r#""default": "many""#, "many"),
    ] {
        assert_eq!(offered(about), expected, "{about}");
    }
}

#[test]
fn a_condition_about_more_than_lists_and_patterns_leaves_both_branches() {
    for (rule, expected) in [
        (r#""pattern": "^f""#, "speed"),
        (r#""pattern": "^s""#, "rest"),
        (r#""pattern": "^f", "minLength": 9"#, "speed rest"),
        (r#""minLength": 9"#, "speed rest"),
        (r#""const": "fast""#, "speed"),
        (r#""enum": ["slow"]"#, "rest"),
        ("", "speed"),
    ] {
        let schema = format!(
            r#"{{"properties": {{"mode": {{}}}}, "if": {{"properties": {{"mode": {{{rule}}}}}, "required": ["mode"]}},
            "then": {{"properties": {{"speed": {{}}}}}}, "else": {{"properties": {{"rest": {{}}}}}}}}"#
        );
        let head = "# yaml-language-server: $schema=schema.json";
        let text = format!("#- schema.json\n{schema}\n#- a.yaml\n{head}\nmode: fast\n$0\n");
        let labels: Vec<_> = open(&text).completions(true).into_iter().map(|item| item.label).collect();
        assert_eq!(labels.join(" "), expected, "{rule}");
    }
}

#[test]
fn no_value_is_offered_beside_one_on_the_lines_below() {
    let schema = r#"{"properties": {"list": {"type": "array", "items": {"enum": ["a", "b"]}, "default": []},
        "map": {"type": "object", "default": {}}, "any": {"enum": ["x", "y"]}, "z": {}}}"#;
    let offered = |text: &str| {
        let head = "# yaml-language-server: $schema=schema.json";
        let text = format!("#- schema.json\n{schema}\n#- a.yaml\n{head}\n{text}");
        open(&text).completions(true).len()
    };
    for gap in ["", " ", "  "] {
        for comment in ["", " # why"] {
            for line_break in ["\n", "\r\n"] {
                for below in ["- a", "  - a", "  # why\n  - a", "\n  - a"] {
                    let text = format!("list:{gap}$0{comment}\n{below}\nz: 1\n").replace('\n', line_break);
                    assert_eq!(offered(&text), 0, "{text:?}");
                }
                for below in ["  k: 1", "  # why\n\n  k: 1"] {
                    let text = format!("map:{gap}$0{comment}\n{below}\nz: 1\n").replace('\n', line_break);
                    assert_eq!(offered(&text), 0, "{text:?}");
                }
                let item = format!("list:\n-{gap}$0{comment}\n  a\nz: 1\n").replace('\n', line_break);
                assert_eq!(offered(&item), 0, "{item:?}");
                let alone = format!("any:{gap}$0{comment}\nz: 1\n").replace('\n', line_break);
                assert_eq!(offered(&alone), 2, "{alone:?}");
            }
        }
    }
}

const JOBS: &str = r##"#- schema.json
{"properties": {"jobs": {"additionalProperties": {"oneOf": [
  {"additionalProperties": false, "required": ["runs-on"], "properties": {"name": {}, "runs-on": {}, "steps": {"type": "array", "items": {
    "type": "object",
    "properties": {"uses": {"type": "string"}, "run": {"type": "string"}, "with": {}, "cancel": {"type": "string"}},
    "oneOf": [{"required": ["uses"]}, {"required": ["run"]}, {"required": ["cancel"]}]
  }}}},
  {"additionalProperties": false, "required": ["uses"], "properties": {"name": {}, "uses": {}, "with": {}}}
]}}}}
#- a.yaml
# yaml-language-server: $schema=schema.json
"##;

#[test]
fn a_written_key_excludes_alternatives_that_do_not_declare_it() {
    let offered = |text: &str| {
        let items = open(&format!("{JOBS}{text}")).completions(true).into_iter();
        items.map(|item| item.label).filter(|label| !label.starts_with('(')).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(offered("jobs:\n  a:\n    runs-on: u\n    $0\n    steps: []\n"), "name");
    assert_eq!(offered("jobs:\n  a:\n    with: u\n    $0\n"), "uses name");
    assert_eq!(offered("jobs:\n  a:\n    name: u\n    $0\n"), "runs-on uses steps with");
    // What the only alternative that is left says of its parts is certain.
    assert_eq!(offered("jobs:\n  a:\n    runs-on: u\n    steps:\n    - run: u\n      $0\n"), "with");
    // A key that no alternative declares says nothing.
    assert_eq!(offered("jobs:\n  a:\n    other: u\n    $0\n"), "runs-on uses name steps with");
}

#[test]
fn all_keys_are_those_that_may_be_there_together() {
    let fixture = open(&format!("{JOBS}jobs:\n  a:\n    steps:\n    $0\n"));
    let found =
        fixture.completions(false).into_iter().find(|item| item.label == "- (all keys)").expect("it is offered");
    expect![[r#"
        - uses: 
              with: "#]]
    .assert_eq(&found.edit.1);
}

/// What is written decides, also above the first key.
#[test]
fn keys_above_the_first_one_fit_those_below() {
    let schema = r#"{"type": "object", "properties": {"version": {"enum": ["v1", "v2"]}},
        "if": {"properties": {"version": {"const": "v1"}}},
        "then": {"properties": {"version": {}, "lint": {"type": "string"}}, "additionalProperties": false},
        "else": {"properties": {"version": {}, "modules": {"type": "string"}}, "additionalProperties": false}}"#;
    let head = "# yaml-language-server: $schema=s.json\n";
    for text in ["$0\nversion: v1\n", "version: v1\n$0\n", "---\n$0\nversion: v1\n"] {
        super::check_labels(&format!("#- s.json\n{schema}\n#- a.yaml\n{head}{text}"), expect!["lint"]);
    }
    let config = "#- lofting.toml\n[[schemas]]\npath = \"s.json\"\nfiles = [\"a.yaml\"]\n";
    for text in ["$0\nversion: v1\n", "version: v1\n$0\n"] {
        super::check_labels(&format!("{config}#- s.json\n{schema}\n#- a.yaml\n{text}"), expect!["lint"]);
    }
}

/// A default that its own schema refuses is of no use.
#[test]
fn wrong_defaults_are_not_offered() {
    let schema = r#"{"type": "object", "properties": {"all": {"type": "object", "required": ["port", "count", "level"], "properties": {
        "port": {"type": "integer", "default": "3306"}, "count": {"type": "integer", "default": 11, "maximum": 10},
        "level": {"type": "integer", "default": 3, "maximum": 10}}}}}"#;
    let open =
        |text: &str| open(&format!("#- s.json\n{schema}\n#- a.yaml\n# yaml-language-server: $schema=s.json\n{text}"));
    for (text, expected) in [("all:\n  count: $0", ""), ("all:\n  port: $0", ""), ("all:\n  level: $0", "3")] {
        let labels: Vec<String> = open(text).completions(false).into_iter().map(|item| item.label).collect();
        assert_eq!(labels.join(" "), expected, "{text}");
    }
    let fixture = open("$0");
    let items = fixture.completions(true);
    let texts: Vec<&str> = items.iter().map(|item| item.edit.1.as_str()).collect();
    assert!(texts.iter().any(|text| text.contains("level: ${3:3}")), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("3306") || text.contains("11")), "{texts:?}");
}

#[test]
fn keywords_are_offered_in_schemas_below_other_documents() {
    let offered = |text: &str| {
        let schema = format!(
            "#- type.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {{name: a}}\nspec:\n  parameters:\n    \
             openAPIV3Schema:\n{text}"
        );
        let items = open(&schema).completions(true);
        items.into_iter().map(|item| item.label).collect::<Vec<_>>()
    };
    let has = |list: &[String], key: &str| list.iter().any(|label| label == key);
    let of_root = offered("      type: object\n      $0\n");
    assert!(has(&of_root, "properties") && has(&of_root, "$defs") && !has(&of_root, "items"), "{of_root:?}");
    let of_text = offered("      type: object\n      properties:\n        a:\n          type: string\n          $0\n");
    assert!(has(&of_text, "minLength") && has(&of_text, "default"), "{of_text:?}");
    assert!(!has(&of_text, "minimum") && !has(&of_text, "const"), "{of_text:?}");
    let types = offered("      type: object\n      properties:\n        a:\n          type: $0\n");
    assert_eq!(types, ["string", "integer", "number", "boolean", "array", "object"]);
}
