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
        .env("LOFTING_CATALOGUE", "off")
        .env_remove("NO_COLOR")
        .output()
        .expect("it runs")
}

pub(crate) fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

pub(crate) fn text(output: &Output) -> String {
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
    assert_eq!(
        report["summary"],
        json!({"files": 2, "errors": 1, "warnings": 0, "not_evaluated": 0, "unreadable": 0, "hidden": 0, "ok": false})
    );
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
    assert!(shown.contains("Nothing gives it a schema"), "{shown}");
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
    // The load is not needed any more, either.
    let mut found = report["diagnostics"].as_array().into_iter().flatten();
    let found = found.find(|found| found["severity"] == "error").expect("an error");
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

#[test]
fn a_rule_is_explained() {
    let directory = workspace(&[]);
    let explained = lofting(directory.path(), &["--explain", "ytt/undeclared-key"]);
    assert_eq!(explained.status.code(), Some(0));
    let page = text(&explained);
    assert!(page.starts_with("# A key is not declared in the schema\n\n`ytt/undeclared-key`: error"), "{page}");
    assert!(page.contains("ytt refuses it") && !page.contains("additionalProperties"), "{page}");
    // As `explain`, and without ytt's words for users of other languages.
    let of_others = text(&lofting(directory.path(), &["explain", "kubernetes/undeclared-key"]));
    assert!(of_others.contains("additionalProperties") && !of_others.contains("ytt"), "{of_others}");
    for asked in [&["--explain", "ytt/undeclared-kye"], &["explain", "ytt/undeclared-kye"]] {
        let unknown = lofting(directory.path(), asked);
        assert_eq!(unknown.status.code(), Some(2));
        assert!(text(&unknown).contains("did you mean ytt/undeclared-key?"), "{}", text(&unknown));
    }
    assert_eq!(lofting(directory.path(), &[]).status.code(), Some(2));
}

#[test]
fn help_begins_with_what_everybody_needs() {
    let directory = workspace(&[]);
    let all = text(&lofting(directory.path(), &["--help"]));
    assert!(all.contains("\n  check  ") && all.contains("\nExamples:\n") && !all.contains("\n  debug "), "{all}");
    for option in ["-h", "--help"] {
        let help = text(&lofting(directory.path(), &["check", option]));
        let (own, of_ytt) = help.split_once("\nytt's input flags").expect("a heading");
        assert!(own.contains("[PATH]...") && own.contains("--format"), "{own}");
        assert!(of_ytt.contains("--data-values-file") && !own.contains("--data-values-file"), "{help}");
        assert_eq!(of_ytt.contains("--file-mark"), option == "--help", "{help}");
    }
}

/// The members below a heading of docs/json.md.
fn documented(heading: &str) -> Vec<String> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md")).expect("a page");
    let part =
        page.split(&format!("\n## {heading}\n")).nth(1).expect("the heading").split("\n## ").next().unwrap_or("");
    let rows = part.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    rows.map(str::to_owned).collect()
}

#[test]
fn every_member_of_the_json_is_documented_and_no_other() {
    fn collect(value: &Value, heading: &str, members: &mut std::collections::BTreeMap<String, Vec<String>>) {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    let known = members.entry(heading.to_owned()).or_default();
                    if !known.contains(name) {
                        known.push(name.clone());
                    }
                    let below = match name.as_str() {
                        "documents" | "diagnostics" | "related" | "range" | "fixes" | "edits" => format!("`{name}`"),
                        "marked" => "`range`".to_owned(),
                        "summary" => "`summary`".to_owned(),
                        _ => "`start` and `end`".to_owned(),
                    };
                    collect(value, &below, members);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, heading, members)),
            _ => {}
        }
    }
    let directory = workspace(&[
        ("schema.yml", SCHEMA),
        ("values.yml", "#@data/values\n---\nport: x\nname: [\n"),
        ("more.yml", "#@data/values\n---\nprot: 1\n"),
        ("other/schema.yml", "#@data/values-schema\n---\n#@schema/default \"x\"\nport: 0\n"),
    ]);
    let report = json_of(&lofting(directory.path(), &["check", "--format", "json"]));
    let mut members = std::collections::BTreeMap::new();
    collect(&report, "Report", &mut members);
    assert_eq!(members.len(), 9, "{members:?}");
    for (heading, mut found) in members {
        let mut documented = documented(&heading);
        documented.sort();
        found.sort();
        assert_eq!(documented, found, "{heading}: {report}");
    }
    let values = lofting(directory.path(), &["values", "--format", "json", "--origin", "-f", "schema.yml"]);
    let values = json_of(&values);
    let found: Vec<&String> = values.as_object().expect("an object").keys().collect();
    assert_eq!(found, documented("`lofting values --format json`").iter().collect::<Vec<_>>());
}

#[test]
fn what_could_not_be_done_is_said() {
    const SLOW: &str = "#@ def slow(old, new):\n#@   x = 0\n#@   for i in range(1000000000):\n#@     x = x + i\n#@   end\n\
                        #@   return x\n#@ end\n#@data/values\n---\n";
    let directory = workspace(&[
        ("unreadable/schema.yml", SCHEMA),
        ("unreadable/values.yml", VALUES),
        ("nothing/notes.txt", "x"),
        ("foreign/a.yml", "a: 1\n"),
        ("set/lofting.toml", "[sets.prod]\nfiles = [\"config\"]\n"),
        ("set/config/schema.yml", SCHEMA),
        ("set/config/plain.yml", "a: [1\n"),
        ("via/schema.yml", "#@data/values-schema\n---\na: 1\n"),
        ("via/values.yml", &format!("{SLOW}#@overlay/replace via=slow\na: 2\n")),
        ("assert/schema.yml", "#@data/values-schema\n---\na: 1\n"),
        ("assert/values.yml", &format!("{SLOW}#@overlay/assert via=slow\na: 2\n")),
        ("expects/schema.yml", "#@data/values-schema\n---\na: 1\n"),
        ("expects/values.yml", &format!("{}#@overlay/match expects=slow\na: 2\n", SLOW.replace("(old, new)", "(n)"))),
        ("by/schema.yml", "#@data/values-schema\n---\na: 1\n"),
        ("by/values.yml", &format!("{}#@overlay/match by=slow\na: 2\n", SLOW.replace("(old, new)", "(k, l, r)"))),
        ("rule/values.yml", "#@data/values\n---\na: 2\n"),
        (
            "rule/schema.yml",
            &format!(
                "{}#@schema/validation (\"x\", slow)\na: 1\n",
                SLOW.replace("(old, new)", "(v)").replace("data/values", "data/values-schema")
            ),
        ),
    ]);
    let path = directory.path().join("unreadable/latin.yml");
    std::fs::write(path, b"#@data/values\n---\nname: \xfc\n").expect("a file");
    let folder = |name: &str| directory.path().join(name);
    // Unreadable input: the rest is checked, the exit code says that something was not.
    for arguments in [&["check", "--format", "json"][..], &["check", "--format", "json", "-f", "."]] {
        let output = lofting(&folder("unreadable"), arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert_eq!(json_of(&output)["summary"]["unreadable"], 1);
        assert!(text(&output).contains("ytt/type-mismatch"), "{}", text(&output));
    }
    for command in ["values", "schema"] {
        let arguments: &[&str] =
            if command == "schema" { &["schema", "--to", "openapi-v3", "-f", "."] } else { &["values", "-f", "."] };
        assert_eq!(lofting(&folder("unreadable"), arguments).status.code(), Some(2), "{command}");
    }
    // Nothing to check.
    for (name, files, seen) in [
        ("nothing", "0 files checked", "no YAML files were found"),
        ("foreign", "1 file checked", "no file has a schema (1: nothing names one), so only their YAML was checked"),
    ] {
        let output = lofting(&folder(name), &["check"]);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains(files) && said.contains(seen), "{said}");
    }
    // Plain input of a set is found by association as with flags.
    for arguments in [&["check"][..], &["check", "-f", "config"]] {
        let output = lofting(&folder("set"), arguments);
        assert!(text(&output).contains("yaml/unclosed-flow"), "{arguments:?}: {}", text(&output));
    }
    // Code that was stopped.
    for name in ["via", "assert", "expects", "by", "rule"] {
        let output = lofting(&folder(name), &["check", "--strict-evaluation"]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", text(&output));
        assert!(text(&output).contains("error[ytt/not-evaluated]"), "{name}: {}", text(&output));
        let output = lofting(&folder(name), &["check", "--format", "json", "-f", "."]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", text(&output));
        assert_eq!(json_of(&output)["summary"]["not_evaluated"], 1, "{name}: {}", text(&output));
    }
}

/// What people write is checked, wherever tools want it; what tools write for themselves is not.
#[test]
fn hidden_yaml_of_people_is_checked_and_caches_are_not() {
    let wrong = "# yaml-language-server: $schema=/schema.json\nsize: x\n";
    let schema =
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"size": {"type": "integer"}}}"#;
    let seen = [".circleci/config.yml", ".github/workflows/ci.yml", ".pre-commit-config.yaml", ".travis.yml"];
    let unseen = [".cache/a.yml", ".venv/lib/b.yaml", ".git/c.yml"];
    let wrong_files = seen.iter().chain(&unseen).map(|name| (*name, wrong));
    let files: Vec<(&str, &str)> = wrong_files.chain([("schema.json", schema)]).collect();
    let directory = workspace(&files);
    let report = json_of(&lofting(directory.path(), &["check", "--format", "json"]));
    let found = report["diagnostics"].as_array().expect("an array").iter();
    assert_eq!(found.map(|finding| finding["file"].as_str().expect("a name")).collect::<Vec<_>>(), seen, "{report}");
}
