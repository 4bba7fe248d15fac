//! `lofting diff`: formats, exit codes, and what cannot be compared.

use serde_json::json;

use crate::command_line::{json_of, lofting, workspace};

const OLD: &str = "\
#@data/values-schema
---
service:
  host: \"\"
  port: 80
";

const NEW: &str = "\
#@data/values-schema
---
service:
  host: \"\"
  port: \"80\"
  name: web
";

fn out(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_example_of_the_manual_is_what_is_printed() {
    let directory = workspace(&[("old.yml", OLD), ("new.yml", NEW)]);
    let output = lofting(directory.path(), &["diff", "old.yml", "new.yml"]);
    assert_eq!(output.status.code(), Some(1));
    let page = include_str!("../../docs/diff.md");
    let example = format!("```console\n$ lofting diff old.yml new.yml\n{}```\n", out(&output));
    assert!(page.contains(&example), "docs/diff.md has to show:\n{example}");
}

#[test]
fn exit_codes_say_what_changed() {
    let json = |text: &'static str| text;
    let files = [
        ("old.yml", OLD),
        ("new.yml", NEW),
        ("a.json", json("{\"properties\": {\"a\": {}}}")),
        ("b.json", json("{\"properties\": {\"a\": {\"default\": 1}}}")),
        ("c.json", json("{\"properties\": {}}")),
        ("values.yml", "a: 1\n"),
        ("broken.json", "{\"type\": "),
        ("list.json", "[]"),
        ("empty.json", ""),
    ];
    let directory = workspace(&files);
    for (arguments, code) in [
        (&["old.yml", "new.yml"][..], 1),
        (&["old.yml", "new.yml", "--fail-on", "never"], 0),
        (&["old.yml", "old.yml", "--fail-on", "any"], 0),
        (&["a.json", "b.json"], 0),
        (&["a.json", "b.json", "--fail-on", "templates"], 0),
        (&["a.json", "b.json", "--fail-on", "any"], 1),
        (&["a.json", "c.json"], 0),
        (&["a.json", "c.json", "--fail-on", "templates"], 1),
        (&["old.yml", "new.yml", "--language", "ytt"], 1),
        (&["old.yml", "nowhere.yml"], 2),
        (&["old.yml", "."], 2),
        (&["old.yml", "values.yml"], 2),
        (&["old.yml", "values.yml", "--language", "ytt"], 2),
        (&["old.yml", "a.json"], 2),
        (&["a.json", "broken.json"], 2),
        (&["a.json", "list.json", "--language", "json-schema"], 2),
        (&["a.json", "empty.json"], 2),
        (&["a.json", "b.json", "--language", "crd"], 2),
        (&["a.json", "b.json", "--language", "openapi"], 2),
        (&["a.json"], 2),
        (&["a.json", "b.json", "--language", "xml"], 2),
    ] {
        let output = lofting(directory.path(), &[&["diff"], arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert_eq!(code == 2, !said.is_empty(), "a reason on stderr, and only then: {arguments:?}: {said}");
        assert_eq!(code == 2, output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_json_document_has_the_agreed_shape() {
    let directory = workspace(&[("old.yml", OLD), ("new.yml", NEW)]);
    let mut document = json_of(&lofting(directory.path(), &["diff", "old.yml", "new.yml", "--format", "json"]));
    let changes = document["changes"].take();
    assert_eq!(
        document,
        json!({
            "language": "ytt", "old": "old.yml", "new": "new.yml", "changes": null,
            "breaking": {"values": 1, "templates": 1}, "not_compared": 0, "complete": true,
        })
    );
    let of_kind = |kind: &str| {
        changes.as_array().into_iter().flatten().find(|change| change["kind"] == kind).cloned().unwrap_or_default()
    };
    assert_eq!(
        of_kind("type-changed"),
        json!({
            "path": "service.port", "kind": "type-changed", "breaks": ["values", "templates"], "severity": "error",
            "from": "integer", "to": "string", "message": "its type was integer and is string now",
            "old": {"file": "old.yml", "line": 5}, "new": {"file": "new.yml", "line": 5},
        })
    );
    assert_eq!(of_kind("default-changed")["severity"], "warning");
    assert_eq!(of_kind("added-optional")["breaks"], json!([]));
}

/// Keys, texts and file names of others must not act: not at a terminal, not in a comment, not in a build log.
#[test]
fn texts_of_schemas_never_act() {
    let old = r#"{"properties": {"\u001b[31m**a**": {"default": "<script>@all\n::error::x"}}}"#;
    let new = r#"{"properties": {"\u001b[31m**a**": {"default": "![x](http://x)\n::set-env name=x::y"}}}"#;
    let directory = workspace(&[("o,l:d.json", old), ("n,e:w.json", new)]);
    let printed =
        |format: &str| out(&lofting(directory.path(), &["diff", "o,l:d.json", "n,e:w.json", "--format", format]));
    for format in ["text", "markdown", "github", "json"] {
        let text = printed(format);
        assert!(text.contains("a**"), "{text}");
        assert!(!text.contains('\u{1b}'), "{format}: {text}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::") && format != "github"), "{text}");
    }
    let text = printed("markdown");
    assert!(!text.contains("<script>") && !text.contains("@all") && !text.contains("![x](http://x)"), "{text}");
    let text = printed("github");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("::warning file=n%2Ce%3Aw.json,line=1,title=diff/default-changed::"), "{text}");
}
