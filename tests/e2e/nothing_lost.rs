//! What a check leaves out never hides an error, and the reason why it fails is printed.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::command_line::{json_of, lofting, text, workspace};

const NAMED: &str = "# yaml-language-server: $schema=s.json\n";
const NUMBERS: &str = "{\"additionalProperties\": {\"type\": \"integer\"}}";

/// A file with a warning, one with a warning and an error, and one with an error.
fn three() -> tempfile::TempDir {
    let file = |lines: &str| format!("{NAMED}{lines}");
    workspace(&[
        ("s.json", NUMBERS),
        ("sub/s.json", NUMBERS),
        ("a.yaml", &file("q: 1\nq: 1\n")),
        ("b.yaml", &file("a: x\nq: 1\nq: 1\n")),
        ("c.yaml", &file("a: x\n")),
        ("sub/d.yaml", &file("a: x\n")),
    ])
}

#[test]
fn a_limit_of_findings_leaves_errors_and_says_what_is_hidden() {
    let directory = three();
    let check = |format: &str| {
        lofting(directory.path(), &["check", "--format", format, "--max-findings", "1", "a.yaml", "b.yaml", "c.yaml"])
    };
    let report = json_of(&check("json"));
    assert_eq!(report["diagnostics"][0]["severity"], "error", "{report}");
    assert_eq!(report["summary"]["hidden"], 3, "{report}");
    let junit = text(&check("junit"));
    for part in [
        "<testsuites name=\"lofting\" tests=\"3\" failures=\"2\" errors=\"0\">",
        "<testsuite name=\"a.yaml\" tests=\"1\" failures=\"0\"",
        "<testsuite name=\"c.yaml\" tests=\"1\" failures=\"1\"",
        "1 error not shown (--max-findings)",
    ] {
        assert!(junit.contains(part), "{part}: {junit}");
    }
    for format in ["json-lines", "github", "gitlab", "sarif", "junit", "checkstyle", "rdjson"] {
        let output = check(format);
        assert_eq!(output.status.code(), Some(1), "{format}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("lofting: 3 findings are not shown (--max-findings)\n"), "{format}: {said}");
    }
}

/// However a path is written, its files are the same.
#[test]
fn names_in_reports_are_those_seen_from_the_current_directory() {
    let directory = three();
    let output = lofting(directory.path(), &["check", "--format", "json", "sub"]);
    std::fs::write(directory.path().join("baseline.json"), &output.stdout).expect("a file");
    let whole = directory.path().canonicalize().expect("a path").join("sub").to_string_lossy().into_owned();
    for path in ["sub", "./sub", "sub/", "sub/.", "sub/../sub", "sub/d.yaml", "./sub/d.yaml", &whole] {
        let output = lofting(directory.path(), &["check", "--baseline", "baseline.json", path]);
        assert_eq!(output.status.code(), Some(0), "{path}: {}", text(&output));
        let output = lofting(directory.path(), &["check", "--format", "gitlab", path]);
        let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(found[0]["location"]["path"], "sub/d.yaml", "{path}");
    }
}

/// A baseline has all findings, and a new one is reported however many there are.
#[test]
fn a_baseline_is_compared_before_anything_is_cut() {
    let known: String = (0..1_500).map(|number| format!("k{number}: x\n")).collect();
    let directory = workspace(&[("s.json", NUMBERS), ("a.yaml", &format!("{NAMED}{known}"))]);
    let output = lofting(directory.path(), &["check", "--format", "json"]);
    std::fs::write(directory.path().join("baseline.json"), &output.stdout).expect("a file");
    let check = || lofting(directory.path(), &["check", "--baseline", "baseline.json"]);
    assert_eq!(check().status.code(), Some(0));
    std::fs::write(directory.path().join("a.yaml"), format!("{NAMED}new: x\n{known}")).expect("a file");
    let output = check();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("`new` should be an integer"), "{}", text(&output));
}

#[test]
fn warnings_about_what_is_rendered_hide_no_errors() {
    let schema = "{\"properties\": {\"old\": {\"enum\": [\"a\"]}, \"size\": {\"type\": \"integer\"}}}";
    let toml = "[[schemas]]\nkubernetes = \"b\"\n[rules]\n\"kubernetes/one-of\" = \"warning\"\n[sets.s]\nfiles = [\"config\"]\n";
    let head = "#@ old = \"x\"\n#@ size = \"3\"\n";
    let warned = "---\napiVersion: x.io/v1\nkind: Foo\nold: #@ old\n".repeat(1_100);
    let wrong = "---\napiVersion: x.io/v1\nkind: Foo\nsize: #@ size\n";
    for files in [
        vec![("config/a.yml", format!("{head}{warned}{wrong}"))],
        vec![("config/a.yml", format!("{head}{warned}")), ("config/b.yml", format!("{head}{wrong}"))],
    ] {
        let mut all = vec![("lofting.toml", toml), ("b/foo-x-v1.json", schema)];
        all.extend(files.iter().map(|(name, text)| (*name, text.as_str())));
        let output = lofting(workspace(&all).path(), &["check", "--render", "--format", "github"]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        assert!(text(&output).contains("`size` should be an integer"), "{}", text(&output));
    }
}

#[test]
fn a_check_that_fails_says_why() {
    let directory = workspace(&[
        ("s.json", "{\"properties\": {\"a\": {\"minimum\": \"x\"}}}"),
        ("lofting.toml", "[[schemas]]\npath = \"s.json\"\nfiles = [\"v.yaml\"]\n"),
        ("v.yaml", "a: x\n"),
        ("latin.yaml", ""),
    ]);
    let output = lofting(directory.path(), &["check", "--strict", "--quiet", "v.yaml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("not checked: the schema `s.json` is used without its faulty parts"));
    let quiet = lofting(directory.path(), &["check", "--quiet", "v.yaml"]);
    assert_eq!((quiet.status.code(), text(&quiet)), (Some(0), String::new()));
    std::fs::write(directory.path().join("latin.yaml"), b"a: \xff\n").expect("a file");
    let said = |paths: &[&str]| text(&lofting(directory.path(), &[&["check", "--quiet"][..], paths].concat()));
    assert!(said(&["latin.yaml"]).ends_with("lofting: 1 file could not be read\n"));
    assert!(said(&["latin.yaml", "v.yaml"]).ends_with("lofting: 1 file could not be read; the others were checked\n"));
}

#[test]
fn a_schema_of_the_command_line_is_for_folders_and_standard_input_as_well() {
    let directory = workspace(&[("s.json", NUMBERS), ("w/v.yaml", "a: x\n"), ("w/x.yaml", "a: 1\n")]);
    for arguments in [&["."][..], &[], &["w"], &["w/v.yaml"]] {
        let output = lofting(directory.path(), &[&["check", "--schema", "s.json"][..], arguments].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", text(&output));
    }
    for name in [&[][..], &["--stdin-filename", "w/none.yaml"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lofting"))
            .args([&["check", "--format", "json", "--schema", "s.json", "-"][..], name].concat())
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("a pipe").write_all(b"a: x\n").expect("it reads");
        let report = json_of(&child.wait_with_output().expect("it ends"));
        assert_eq!(report["summary"]["errors"], 1, "{name:?}: {report}");
    }
    let output = lofting(directory.path(), &["check", "--language", "kubernetes"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

#[test]
fn files_of_any_name_count_if_a_configuration_gives_them_a_schema() {
    let config = "[[schemas]]\npath = \"s.json\"\nfiles = [\"*.{json,conf}\", \".apprc\", \"/deploy/*\"]\n";
    let files = [
        ("lofting.toml", config),
        ("s.json", NUMBERS),
        ("in/a.json", "{\"a\": \"x\"}"),
        ("in/a.conf", "a: x\n"),
        ("in/.apprc", "a: x\n"),
        // A pattern that says no ending is one for YAML files.
        ("deploy/a.yml", "a: x\n"),
        ("deploy/picture.png", "a: x\n"),
        ("in/other.txt", "a: x\n"),
    ];
    let directory = workspace(&files);
    for (arguments, want) in [
        (&["."][..], &["deploy/a.yml", "in/.apprc", "in/a.conf", "in/a.json"][..]),
        (&["in"], &["in/.apprc", "in/a.conf", "in/a.json"]),
        (&["in/a.conf"], &["in/a.conf"]),
    ] {
        let output = lofting(directory.path(), &[&["check", "--format", "json"][..], arguments].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let mut found: Vec<&str> =
            report["diagnostics"].as_array().unwrap().iter().filter_map(|one| one["file"].as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, want, "{arguments:?}");
        // The schema itself matches a pattern, too.
        assert_eq!(report["not_checked"].as_array().map(Vec::len), Some(0), "{arguments:?}");
    }
}
