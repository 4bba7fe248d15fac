//! What the rules for Bazel run: a check of copies of the files that they list, in shards.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::command_line::{text, workspace};

const FILES: &[(&str, &str)] = &[
    ("app/lofting.toml", "[sets.a]\nfiles = [\"schema.yml\"]\nvalues = [\"values/*.yml\"]\n"),
    ("app/schema.yml", "#@data/values-schema\n---\nport: 80\n"),
    ("app/values/it's one.yml", "port: a\n"),
    ("app/values/two.yml", "port: b\n"),
    ("app/values/three.yml", "port: 3\n"),
];

/// The files as links below a folder, as Bazel gives them to a test, and the list of them.
fn runfiles(files: &[(&str, &str)]) -> (tempfile::TempDir, tempfile::TempDir) {
    let (written, links) = (workspace(files), workspace(&[("tmp/x", "")]));
    for (name, _) in files {
        let link = links.path().join(name);
        fs::create_dir_all(link.parent().expect("a parent")).expect("directories");
        std::os::unix::fs::symlink(written.path().join(name), link).expect("a link");
    }
    let list: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    fs::write(links.path().join("list"), list).expect("a file");
    (written, links)
}

/// Runs the script with these variables.
fn run(links: &Path, variables: &[(&str, &str)]) -> Output {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../integrations/bazel/lofting_check.sh");
    let mut shell = Command::new("sh");
    shell.arg(script).args([env!("CARGO_BIN_EXE_lofting"), "list", "check", "--", "app"]).current_dir(links);
    for unset in ["TEST_TOTAL_SHARDS", "XML_OUTPUT_FILE", "LOFTING_REPORT"] {
        shell.env_remove(unset);
    }
    shell.env("TEST_TMPDIR", links.join("tmp")).envs(variables.iter().copied()).output().expect("it runs")
}

fn with_findings(output: &Output) -> Vec<&'static str> {
    let said = text(output);
    FILES.iter().map(|(name, _)| *name).filter(|name| said.contains(&format!("--> {name}:"))).collect()
}

#[test]
fn all_listed_files_are_checked_and_nothing_is_left_behind() {
    let (_written, links) = runfiles(FILES);
    let output = run(links.path(), &[("XML_OUTPUT_FILE", "test.xml"), ("LOFTING_CATALOGUE", "nonsense")]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(with_findings(&output), ["app/values/it's one.yml", "app/values/two.yml"]);
    let report = fs::read_to_string(links.path().join("test.xml")).expect("a report");
    assert!(report.contains("<testsuite") && report.contains("app/values/two.yml"), "{report}");
    let left: Vec<_> = fs::read_dir(links.path().join("tmp")).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    let output = run(links.path(), &[("LOFTING_REPORT", "sarif=report.sarif")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(fs::read_to_string(links.path().join("report.sarif")).expect("a report").contains("ytt/type-mismatch"));
}

#[test]
fn what_is_not_listed_does_not_exist() {
    let (_written, links) = runfiles(FILES);
    fs::write(links.path().join("list"), "app/values/two.yml\n").expect("a file");
    let output = run(links.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn shards_together_are_the_whole() {
    let (_written, links) = runfiles(FILES);
    let mut found = Vec::new();
    for shard in 0..5 {
        let number = shard.to_string();
        let variables = [
            ("TEST_TOTAL_SHARDS", "5"),
            ("TEST_SHARD_INDEX", number.as_str()),
            ("TEST_SHARD_STATUS_FILE", "supports-shards"),
        ];
        let output = run(links.path(), &variables);
        let here = with_findings(&output);
        assert_eq!(output.status.code(), Some(i32::from(!here.is_empty())), "{}", text(&output));
        found.extend(here);
    }
    found.sort_unstable();
    assert_eq!(found, ["app/values/it's one.yml", "app/values/two.yml"]);
    assert!(links.path().join("supports-shards").exists(), "Bazel learns that shards are run");
}
