//! `lofting diff`: formats, exit codes, and what cannot be compared.

use lofting_tests::history::History;
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
            "path": "service.port", "kind": "type-changed", "rule": "diff/type-changed", "breaks": ["values", "templates"], "severity": "error",
            "from": "integer", "to": "string", "message": "its type was integer and is string now",
            "old": {"file": "old.yml", "line": 5}, "new": {"file": "new.yml", "line": 5},
        })
    );
    assert_eq!(of_kind("default-changed")["severity"], "warning");
    assert_eq!(of_kind("added-optional")["breaks"], json!([]));
}

/// Keys, texts and file names from an untrusted repository must not act: not at a terminal, not in a comment, not in a
/// build log.
#[test]
fn texts_of_schemas_never_act() {
    let old = r#"{"properties": {"\u001b[31m**a**": {"default": "<script>@all\n::error::x"}}}"#;
    let new = r#"{"properties": {"\u001b[31m**a**": {"default": "![x](http://x)\n::set-env name=x::y"}}}"#;
    let directory = workspace(&[("o,l:d.json", old), ("n,e:w.json", new)]);
    let printed =
        |format: &str| out(&lofting(directory.path(), &["diff", "o,l:d.json", "n,e:w.json", "--format", format]));
    for format in ["text", "markdown", "github", "json", "sarif", "junit", "html"] {
        let text = printed(format);
        assert!(text.contains("a**"), "{text}");
        assert!(!text.contains('\u{1b}'), "{format}: {text}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::") && format != "github"), "{text}");
    }
    let text = printed("html");
    assert!(!text.contains("<script>") && text.contains("&lt;script&gt;"), "{text}");
    let text = printed("markdown");
    assert!(!text.contains("<script>") && !text.contains("@all") && !text.contains("![x](http://x)"), "{text}");
    let text = printed("github");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("::warning file=n%2Ce%3Aw.json,line=1,title=diff/default-changed::"), "{text}");
}

#[test]
fn schemas_are_compared_with_those_of_a_revision() {
    let directory = workspace(&[]);
    let mut history = History::at(directory.path());
    let plain = "type: string\nport: 80\n";
    let draft = "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"properties\": {\"a\": {}}}";
    history.commit(
        "main",
        &[
            ("app/schema.yml", OLD),
            ("same.schema.json", "{\"type\": \"object\"}"),
            ("gone.json", draft),
            ("x.yml", plain),
        ],
    );
    let commit = history.tip("main").expect("a commit");
    for (name, text) in [
        ("app/schema.yml", NEW),
        ("app/new.schema.json", "{}"),
        ("same.schema.json", "{\"type\": \"object\"}"),
        ("x.yml", "port: 81\n"),
    ] {
        std::fs::create_dir_all(directory.path().join("app")).expect("a directory");
        std::fs::write(directory.path().join(name), text).expect("a file");
    }
    let diff = |from: &str, arguments: &[&str]| {
        lofting(&directory.path().join(from), &[&["diff", "--against", "HEAD"], arguments].concat())
    };
    let output = diff("", &["--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let document = json_of(&output);
    assert_eq!((&document["against"], &document["commit"]), (&json!("HEAD"), &json!(commit)));
    assert_eq!((&document["gone"], &document["problems"]), (&json!(["gone.json"]), &json!([])));
    assert_eq!(document["schemas"].as_array().map(Vec::len), Some(1), "{document}");
    assert_eq!(document["schemas"][0]["old"], "HEAD:app/schema.yml");
    assert_eq!(document["breaking"], json!({"values": 1, "templates": 1}));
    // From a folder, its schemas; names begin there.
    let text = out(&diff("app", &[]));
    assert!(text.starts_with("schema.yml\n\nBreaks values:\n"), "{text}");
    assert!(text.contains("HEAD:schema.yml:5 -> schema.yml:5"), "{text}");
    assert!(
        text.ends_with("1 changed schema was compared with HEAD. 3 changes: 1 breaks values, 1 breaks templates.\n")
    );
    assert!(out(&diff("app", &["--format", "markdown"])).starts_with("## `schema.yml`\n\n### Breaks values\n"));
    let sarif = json_of(&diff("", &["--format", "sarif"]));
    let results = sarif["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    let of = |rule: &str| results.iter().find(|result| result["ruleId"] == rule).cloned().unwrap_or_default();
    let place = json!({"artifactLocation": {"uri": "app/schema.yml"}, "region": {"startLine": 5}});
    assert_eq!(of("diff/type-changed")["locations"][0]["physicalLocation"], place);
    assert_eq!(
        (&of("diff/type-changed")["level"], &of("diff/schema-gone")["level"]),
        (&json!("error"), &json!("error"))
    );
    let junit = out(&diff("", &["--format", "junit"]));
    assert!(junit.contains("<testsuite name=\"app/schema.yml\" tests=\"3\" failures=\"1\""), "{junit}");
    assert!(junit.contains("<testsuite name=\"gone.json\" tests=\"1\" failures=\"1\""), "{junit}");
    let html = out(&diff("", &["--format", "html"]));
    assert!(
        html.contains("<td><code>service.port</code></td><td>its type was integer")
            && html.contains("<td><code>app/schema.yml:5</code></td>"),
        "{html}"
    );
    assert!(out(&diff("app", &["--format", "github"])).contains("::error file=schema.yml,line=5,"));
    for (from, arguments, code) in [
        ("app", &["../same.schema.json"][..], 0),
        ("", &["app/schema.yml", "--fail-on", "never"], 0),
        ("", &["app/new.schema.json", "--fail-on", "any"], 0),
        ("", &["gone.json", "--fail-on", "values"], 1),
        ("", &["gone.json", "--fail-on", "never"], 0),
        ("", &["app"], 1),
        ("", &["x.yml"], 2),
        ("", &["nowhere.yml"], 2),
        ("", &["../elsewhere.yml"], 2),
    ] {
        let output = diff(from, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}{}", out(&output));
        assert_eq!(code == 2, !said.is_empty(), "{arguments:?}: {said}");
    }
    let output = lofting(directory.path(), &["diff", "--against", "nothing"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        (output.status.code(), said.as_str()),
        (Some(2), "lofting: there is no revision `nothing` in this repository\n")
    );
}

#[test]
fn outside_of_a_repository_there_is_nothing_to_compare_with() {
    let directory = workspace(&[("schema.yml", OLD)]);
    let output = lofting(directory.path(), &["diff", "--against", "HEAD"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not in a working tree of git"));
}

#[test]
fn a_key_that_a_release_has_as_deprecated_may_go() {
    let schema = |keys: &str| format!("#@data/values-schema\n---\nkept: 1\n{keys}");
    let both = schema("#@schema/deprecated \"no\"\nold: 1\nother: 1\n");
    let directory = workspace(&[("config/schema.yml", &schema("old: 1\nother: 1\n"))]);
    let root = directory.path();
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).expect("a file");
    let mut history = History::at(root);
    history.commit_all("main");
    write("config/schema.yml", &both);
    let release = history.commit_all("main");
    history.set("refs/tags/v1", &release);
    write("config/schema.yml", &schema("other: 1\n"));
    let diff = |arguments: &[&str]| lofting(root, &[&["diff", "--against", "HEAD~1"], arguments].concat());
    assert_eq!(diff(&[]).status.code(), Some(1), "nothing says that it may go");
    write("lofting.toml", "[deprecation]\nrelease = \"v1\"\n");
    let output = diff(&["--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let document = json_of(&output);
    let change = &document["schemas"][0]["changes"][0];
    assert_eq!((&change["path"], &change["retired"]), (&json!("old"), &json!("v1")), "{document}");
    assert_eq!(change["message"], "it is gone, and was deprecated in v1");
    assert_eq!(diff(&["--fail-on", "templates"]).status.code(), Some(1));
    // A key that was not deprecated must not be removed, and a missing release is reported.
    write("config/schema.yml", &schema(""));
    assert_eq!(diff(&[]).status.code(), Some(1));
    write("lofting.toml", "[deprecation]\nrelease = \"v9\"\n");
    let output = diff(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("[deprecation] in lofting.toml: there is no revision `v9`")
    );
}

#[test]
fn descriptions_are_compared_when_asked() {
    let schema = |text: &str| format!("{{\"properties\": {{\"a\": {{\"description\": \"{text}\"}}}}}}");
    let directory = workspace(&[("a.json", &schema("one")), ("b.json", &schema("two"))]);
    let diff =
        |more: &[&str]| lofting(directory.path(), &[&["diff", "a.json", "b.json", "--fail-on", "any"], more].concat());
    assert_eq!((diff(&[]).status.code(), diff(&["--documentation"]).status.code()), (Some(0), Some(1)));
    let text = out(&diff(&["--documentation"]));
    assert!(
        text.contains("a: its description was one and is two now\n") && text.contains("[diff/documentation-changed]"),
        "{text}"
    );
}

#[test]
fn rules_of_changes_have_pages() {
    let directory = workspace(&[]);
    let page = out(&lofting(directory.path(), &["explain", "diff/narrowed-bounds"]));
    assert!(page.starts_with("# Fewer numbers are accepted\n\n`diff/narrowed-bounds`\n"), "{page}");
    let unknown = lofting(directory.path(), &["explain", "diff/narrowed-bound"]);
    assert_eq!(unknown.status.code(), Some(2));
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(said.contains("did you mean diff/narrowed-bounds?"), "{said}");
}
