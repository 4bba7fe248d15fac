//! `lofting impact` and `lofting check --since`: what a change does to the files of a repository.

use lofting_tests::history::History;
use serde_json::{Value, json};
use std::path::Path;

use crate::command_line::{json_of, lofting, workspace};

const SCHEMA: &str = "#@data/values-schema\n---\nservice:\n  port: 80\n  host: \"\"\n";
const CONFIG: &str = "[sets.app]\nfiles = [\"config\"]\nvalues = [\"values/prod.yml\"]\n";

pub(crate) fn out(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        std::fs::create_dir_all(root.join(name).parent().expect("a folder")).expect("a folder");
        std::fs::write(root.join(name), text).expect("a file");
    }
}

/// A repository with one commit, whose values are valid but for one finding.
fn repository() -> (tempfile::TempDir, History) {
    let directory = workspace(&[
        ("lofting.toml", CONFIG),
        ("config/schema.yml", SCHEMA),
        ("values/dev.yml", "service:\n  port: 81\n  host: a\n"),
        ("values/prod.yml", "service:\n  port: 82\n"),
        ("values/known.yml", "service:\n  colour: red\n"),
    ]);
    let mut history = History::at(directory.path());
    history.commit_all("main");
    (directory, history)
}

/// What code reads is due to the change of the key that it reads.
#[test]
fn reads_in_templates_are_grouped_by_the_change_of_their_key() {
    let (directory, mut history) = repository();
    let root = directory.path();
    let template = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.service.port\nb: #@ data.values.service.host\n";
    write(root, &[("config/app.yml", template)]);
    history.commit_all("main");
    write(root, &[("config/schema.yml", "#@data/values-schema\n---\nservice:\n  number: 80\n  host: a\n")]);
    let output = lofting(root, &["impact", "--against", "HEAD", "--format", "json", "config/app.yml"]);
    let answer = json_of(&output);
    let cause = &answer["causes"][0];
    assert_eq!(
        (&cause["change"]["path"], &cause["change"]["kind"]),
        (&json!("service.port"), &json!("removed")),
        "{answer:#}"
    );
    assert_eq!((&cause["findings"][0]["file"], &cause["findings"][0]["line"]), (&json!("config/app.yml"), &json!(2)));
}

/// What was not evaluated may be what the change breaks.
#[test]
fn code_that_was_stopped_is_no_success() {
    let (directory, mut history) = repository();
    let root = directory.path();
    let rule = "#@ def big(value): return (\"a\" * 100000000000) == value\n#@data/values-schema\n---\nservice:\n  \
                #@schema/validation (\"big\", big)\n  port: 80\n  host: \"\"\n";
    write(root, &[("config/schema.yml", rule)]);
    history.commit_all("main");
    write(root, &[("values/prod.yml", "service:\n  port: 83\n")]);
    for (arguments, code) in [(&[][..], 2), (&["--fail-on", "never"], 0)] {
        let output = lofting(root, &[&["impact", "--against", "HEAD"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    }
}

#[test]
fn new_findings_are_grouped_by_the_change_that_causes_them() {
    let (directory, _) = repository();
    let root = directory.path();
    let impact = |arguments: &[&str]| lofting(root, &[&["impact", "--against", "HEAD"], arguments].concat());
    let output = impact(&[]);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "Nothing is new compared with HEAD.\n"));
    write(
        root,
        &[
            ("config/schema.yml", "#@data/values-schema\n---\n#! moved down\nservice:\n  port: \"\"\n"),
            ("values/known.yml", "\n\nservice:\n  colour: red\n"),
            ("values/new.yml", "service: 1\n"),
        ],
    );
    let output = impact(&["--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer = json_of(&output);
    crate::programs::fits("impact", &answer);
    let causes: Vec<(String, Value, Vec<String>)> = answer["causes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|cause| {
            let findings = cause["findings"].as_array().into_iter().flatten();
            let findings = findings.map(|finding| format!("{}:{}", finding["file"], finding["line"]).replace('"', ""));
            let place = format!("{}:{}", cause["file"], cause["line"]).replace('"', "");
            (place, cause["change"]["kind"].clone(), findings.collect())
        })
        .collect();
    let strings = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        causes,
        [
            (
                "config/schema.yml:5".to_owned(),
                json!("type-changed"),
                strings(&["values/dev.yml:2", "values/prod.yml:2"])
            ),
            ("config/schema.yml:4".to_owned(), json!("removed"), strings(&["values/dev.yml:3"])),
            ("values/new.yml:null".to_owned(), Value::Null, strings(&["values/new.yml:1"])),
        ],
        "{answer:#}"
    );
    assert_eq!(answer["summary"], json!({"errors": 4, "warnings": 0, "others": 0, "files": 3}));
    let text = out(&impact(&[]));
    assert!(text.starts_with("config/schema.yml:5: service.port: its type was integer and is string now\n"), "{text}");
    assert!(text.contains("\nconfig/schema.yml:4: service.host: it is gone"), "{text}");
    assert!(text.ends_with("\nNew compared with HEAD: 4 errors in 3 files.\n"), "{text}");
    let lists = out(&impact(&["--format", "markdown"]));
    assert!(
        lists.starts_with("### `config/schema.yml:5`: service.port: its type was integer and is string now\n"),
        "{lists}"
    );
    for (arguments, code) in
        [(&["--fail-on", "never"][..], 0), (&["config"], 0), (&["values/prod.yml"], 1), (&["nowhere.yml"], 2)]
    {
        assert_eq!(impact(arguments).status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_check_since_a_revision_reports_only_what_is_new() {
    let (directory, mut history) = repository();
    let root = directory.path();
    write(root, &[("values/dev.yml", "service:\n  port: x\n"), ("values/prod.yml", "service:\n  port: y\n")]);
    history.commit_all("other");
    write(root, &[("values/prod.yml", "service:\n  port: z\n  more: 1\n")]);
    let names = |since: &str| {
        let answer = json_of(&lofting(root, &["check", "--since", since, "--format", "json"]));
        let findings = answer["diagnostics"].as_array().into_iter().flatten();
        findings.map(|finding| format!("{} {}", finding["file"], finding["path"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(
        names("HEAD"),
        ["values/dev.yml service.port", "values/prod.yml service.port", "values/prod.yml service.more"]
    );
    assert_eq!(names("other"), ["values/prod.yml service.more"]);
    let output = lofting(root, &["check", "--since", "HEAD"]);
    assert_eq!(output.status.code(), Some(1));
    write(root, &[("values/dev.yml", ""), ("values/prod.yml", "")]);
    assert_eq!(lofting(root, &["check", "--since", "HEAD"]).status.code(), Some(0), "what was known does not fail");
    assert_eq!(lofting(root, &["check", "--since", "nothing"]).status.code(), Some(2));
}

#[test]
fn shards_together_are_the_whole() {
    let (directory, _) = repository();
    let root = directory.path();
    for index in 0..20 {
        write(root, &[(&format!("values/{index}.yml"), "service:\n  port: x\n")]);
    }
    let names = |arguments: &[&str]| {
        let output = lofting(root, &[arguments, &["--format", "json"]].concat());
        let answer = json_of(&output);
        let causes = answer["causes"].as_array().into_iter().flatten().flat_map(|cause| cause["findings"].as_array());
        let findings = answer["diagnostics"].as_array().into_iter().chain(causes).flatten();
        findings.map(|finding| finding["file"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    for command in [&["check"][..], &["check", "--since", "HEAD"], &["impact", "--against", "HEAD"]] {
        let mut whole = names(command);
        let shards = ["1/3", "2/3", "3/3"].map(|shard| names(&[command, &["--shard", shard]].concat()));
        assert!(shards.iter().all(|shard| shard.len() > 1), "{shards:?}");
        let mut all = shards.concat();
        all.sort();
        whole.sort();
        assert_eq!(all, whole);
    }
    for wrong in ["0/3", "4/3", "3", "a/b", "1/0"] {
        assert_eq!(lofting(root, &["check", "--shard", wrong]).status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn what_was_announced_does_not_count() {
    let deprecated = SCHEMA.replace("  host", "  #@schema/deprecated \"no\"\n  host");
    let directory = workspace(&[
        ("lofting.toml", CONFIG),
        ("config/schema.yml", &deprecated),
        ("values/prod.yml", "service:\n  host: a\n"),
    ]);
    let root = directory.path();
    let mut history = History::at(root);
    let release = history.commit_all("main");
    history.set("refs/tags/v1", &release);
    write(root, &[("config/schema.yml", &SCHEMA.replace("  host: \"\"\n", ""))]);
    let impact = || lofting(root, &["impact", "--against", "HEAD"]);
    assert_eq!(impact().status.code(), Some(1));
    write(root, &[("lofting.toml", &format!("{CONFIG}[deprecation]\nrelease = \"v1\"\n"))]);
    let output = impact();
    assert!(out(&output).contains("service.host: it is gone, and was deprecated in v1"), "{}", out(&output));
    assert_eq!(output.status.code(), Some(0));
}
