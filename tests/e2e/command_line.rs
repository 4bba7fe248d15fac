//! The command line, as scripts and CI jobs see it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::{GOOD_VALUES, SCHEMA, VALUES};

pub(crate) fn workspace(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        std::fs::write(path, content).expect("a file");
    }
    directory
}

pub(crate) fn lofting(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lofting"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("NO_COLOR")
        .output()
        .expect("it runs")
}

pub(crate) fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn exit_codes_are_a_contract() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES), ("good.yml", GOOD_VALUES)]);
    for (arguments, code) in [
        (&["check"][..], 1),
        (&["check", "."], 1),
        (&["check", "values.yml"], 1),
        (&["check", "-f", "schema.yml", "-f", "values.yml"], 1),
        (&["check", "-f", "schema.yml", "-f", "good.yml"], 0),
        (&["check", "-f", "nowhere.yml"], 2),
        (&["check", "nowhere.yml"], 2),
        (&["check", "--nonsense"], 2),
        (&["check", "--format", "xml"], 2),
        (&["debug", "events", "nowhere.yml"], 2),
        (&["explain", "values.yml"], 0),
        (&["explain", "nowhere.yml"], 2),
        (&["--version"], 0),
        (&[], 2),
    ] {
        let output = lofting(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output));
        assert_eq!(
            code == 2,
            !output.stderr.is_empty(),
            "a reason on stderr, and only then: {arguments:?}: {}",
            text(&output)
        );
    }
}

#[test]
fn the_json_report_has_the_agreed_shape() {
    let directory =
        workspace(&[("schema.yml", SCHEMA), ("values.yml", "#@data/values\n---\nname: shäp\nport: \"ä\"\n")]);
    let output = lofting(directory.path(), &["check", "--format", "json", "-f", "schema.yml", "-f", "values.yml"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let mut report = json_of(&output);
    let found = report["diagnostics"][0].take();
    assert_eq!(report["version"], 1);
    assert_eq!(report["summary"], json!({"files": 2, "errors": 1, "warnings": 0, "ok": false}));
    assert_eq!(found["file"], "values.yml");
    assert_eq!(found["range"]["start"], json!({"line": 4, "column": 7, "byte": 36}));
    assert_eq!(found["range"]["end"], json!({"line": 4, "column": 10, "byte": 40}));
    for (field, value) in [
        ("severity", "error"),
        ("code", "ytt/type-mismatch"),
        ("stage", "type"),
        ("found", "string"),
        ("expected", "integer"),
        ("path", "port"),
    ] {
        assert_eq!(found[field], value, "{field} in {found}");
    }
    assert!(found["message"].is_string(), "{found}");
    assert_eq!(found["related"][0]["file"], "schema.yml");
    assert_eq!(found["related"][0]["range"]["start"]["line"], 5);
}

#[test]
fn files_are_named_as_given_and_sorted() {
    let directory = workspace(&[
        ("sub/schema.yml", SCHEMA),
        ("sub/b-values.yml", VALUES),
        ("sub/a-values.yml", "#@data/values\n---\nport: x\nlevel: 1\n"),
    ]);
    let absolute = directory.path().join("sub").to_string_lossy().into_owned();
    for (arguments, names) in [
        (vec!["check", "--format=json"], ["sub/a-values.yml", "sub/b-values.yml"].map(str::to_owned)),
        (vec!["check", "--format=json", "sub"], ["sub/a-values.yml", "sub/b-values.yml"].map(str::to_owned)),
        (vec!["check", "--format=json", "-f", "sub"], ["sub/a-values.yml", "sub/b-values.yml"].map(str::to_owned)),
        (
            vec!["check", "--format=json", &absolute],
            ["a-values.yml", "b-values.yml"].map(|name| format!("{absolute}/{name}")),
        ),
    ] {
        let output = lofting(directory.path(), &arguments);
        let report = json_of(&output);
        let mut files: Vec<_> = report["diagnostics"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|d| d["file"].as_str().expect("a name").to_owned())
            .collect();
        files.dedup();
        assert_eq!(files, names, "{arguments:?}: {report}");
    }
}

#[test]
fn the_text_report_shows_the_place_without_colour_in_a_pipe() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES)]);
    let output = lofting(directory.path(), &["check"]);
    let shown = String::from_utf8(output.stdout).expect("text");
    assert!(!shown.contains('\u{1b}'), "{shown}");
    for part in ["error[ytt/type-mismatch]", "values.yml:4:7", "port: \"80\"", "^^^^", "schema.yml:5", "1 error"] {
        assert!(shown.contains(part), "{part} in:\n{shown}");
    }
}

#[test]
fn colour_can_be_forced_and_forbidden() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES)]);
    let forced = lofting(directory.path(), &["check", "--color", "always"]);
    assert!(String::from_utf8_lossy(&forced.stdout).contains('\u{1b}'));
    let never = lofting(directory.path(), &["check", "--color", "never"]);
    assert!(!String::from_utf8_lossy(&never.stdout).contains('\u{1b}'));
}

#[test]
fn explain_says_which_schema_and_why() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", VALUES), ("notes.yml", "a: 1\n")]);
    let shown = text(&lofting(directory.path(), &["explain", "values.yml"]));
    assert!(shown.contains("schema.yml"), "{shown}");
    let shown = text(&lofting(directory.path(), &["explain", "notes.yml"]));
    assert!(shown.contains("no schema") || shown.contains("Nothing says"), "{shown}");
}

#[test]
fn events_are_those_of_the_suite() {
    let directory = workspace(&[("a.yml", "a: [1]\n"), ("bad.yml", "a: [\n")]);
    let output = lofting(directory.path(), &["debug", "events", "a.yml"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "+STR\n+DOC\n+MAP\n=VAL :a\n+SEQ []\n=VAL :1\n-SEQ\n-MAP\n-DOC\n-STR\n"
    );
    assert_eq!(lofting(directory.path(), &["debug", "events", "bad.yml"]).status.code(), Some(1));
    let tree = lofting(directory.path(), &["debug", "tree", "bad.yml"]);
    assert_eq!(tree.status.code(), Some(0));
    assert!(!tree.stdout.is_empty());
}

#[test]
fn unreadable_input_is_said_on_stderr() {
    let directory = workspace(&[("schema.yml", SCHEMA)]);
    std::fs::write(directory.path().join("bad.yml"), b"a: \xff\n").expect("a file");
    let output = lofting(directory.path(), &["debug", "tree", "bad.yml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("not UTF-8"), "{}", text(&output));
    let output = lofting(directory.path(), &["check", "-f", "schema.yml", "-f", "bad.yml"]);
    assert_ne!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn functions_of_overlays_are_asked() {
    let schema = "#@data/values-schema\n---\n#@schema/default [1, 2]\nl:\n- 0\nm:\n  a: 1\n  b: x\n";
    let values = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def both(left, right):\n#@   return overlay.apply(left, right)\n#@ end\n#@data/values\n---\nl:\n#@overlay/match by=lambda i, l, r: l == 2\n- 5\n#@overlay/replace via=both\nm:\n  b: z\n";
    let directory = workspace(&[("schema.yml", schema), ("values.yml", values)]);
    let output = lofting(directory.path(), &["values", "-f", "schema.yml", "-f", "values.yml"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "l:\n- 1\n- 5\nm:\n  a: 1\n  b: z\n", "{}", text(&output));
    let wrong = values.replace("return overlay.apply(left, right)", "return {\"a\": right[\"b\"]}");
    std::fs::write(directory.path().join("values.yml"), wrong).expect("a file");
    let report =
        json_of(&lofting(directory.path(), &["check", "--format", "json", "-f", "schema.yml", "-f", "values.yml"]));
    let found = &report["diagnostics"][0];
    assert_eq!((&found["code"], &found["stage"]), (&json!("ytt/type-mismatch"), &json!("type")), "{report}");
    assert_eq!(found["range"]["start"]["line"], 11, "{report}");
}

#[test]
fn a_null_that_is_not_allowed_asks_no_other_rule() {
    let schema = "#@data/values-schema\n---\n#@schema/nullable\n\
                  #@schema/validation (\"short\", lambda v: len(v) < 3), not_null=True\nname: \"\"\n";
    let directory = workspace(&[("schema.yml", schema)]);
    let report = json_of(&lofting(directory.path(), &["check", "--format", "json", "-f", "schema.yml"]));
    let codes: Vec<&str> =
        report["diagnostics"].as_array().expect("findings").iter().filter_map(|found| found["code"].as_str()).collect();
    assert_eq!(codes, ["ytt/not-null"], "{report}");
}
