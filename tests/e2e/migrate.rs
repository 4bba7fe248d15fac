//! `lofting migrate`: a plan from what changed, and its moves in all values.

use lofting_tests::history::History;
use std::path::Path;

use crate::command_line::{lofting, workspace};

const OLD: &str = "#@data/values-schema\n---\nservice:\n  #@schema/desc \"The port of it\"\n  port: 80\ndebug: false\n";
const NEW: &str = "#@data/values-schema\n---\nservice:\n  #@schema/desc \"The port of it\"\n  ports: 80\n";
const PLAN: &str = "\
schema = \"config/schema.yml\"

[[move]]
key = \"debug\"
remove = true
default = false

# This is certain to 90 %.
[[move]]
key = \"service.port\"
to = \"service.ports\"
";

fn said(output: &std::process::Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn read(root: &Path, name: &str) -> String {
    std::fs::read_to_string(root.join(name)).expect("a file")
}

#[test]
fn a_plan_is_proposed_reviewed_and_applied() {
    let directory = workspace(&[
        ("lofting.toml", "[sets.app]\nfiles = [\"config\"]\nvalues = [\"values/dev.yml\"]\n"),
        ("config/schema.yml", OLD),
        ("config/values.yml", "#@data/values\n---\n#! kept\nservice:\n  port: 81 # why\n"),
        ("values/dev.yml", "debug: false\nservice: {port: 82}\n"),
        ("other.yml", "service:\n  port: 1\n"),
    ]);
    let root = directory.path();
    let mut history = History::at(root);
    history.commit_all("main");
    std::fs::write(root.join("config/schema.yml"), NEW).expect("a file");
    let migrate = |arguments: &[&str]| said(&lofting(root, &[&["migrate"], arguments].concat()));
    let (code, plan, why) = migrate(&["--propose", "--against", "HEAD", "config/schema.yml"]);
    assert_eq!(code, Some(0), "{why}");
    let certainty = plan.lines().find(|line| line.starts_with("# This is certain")).unwrap_or_default();
    assert_eq!(plan.replace(certainty, "# This is certain to 90 %."), PLAN);
    std::fs::write(root.join("moves.toml"), &plan).expect("a file");
    let (code, patch, _) = migrate(&["moves.toml", "--diff"]);
    assert_eq!(code, Some(1));
    assert!(patch.contains("-  port: 81 # why\n+  ports: 81 # why\n"), "{patch}");
    assert_eq!(migrate(&["moves.toml", "--check"]).0, Some(1));
    assert_eq!(read(root, "values/dev.yml"), "debug: false\nservice: {port: 82}\n", "nothing is written");
    let changed = "config/values.yml\nvalues/dev.yml\n".to_owned();
    assert_eq!(migrate(&["moves.toml"]), (Some(0), changed, String::new()));
    assert_eq!(read(root, "config/values.yml"), "#@data/values\n---\n#! kept\nservice:\n  ports: 81 # why\n");
    assert_eq!(read(root, "values/dev.yml"), "service: {ports: 82}\n");
    assert_eq!(read(root, "other.yml"), "service:\n  port: 1\n", "another schema, or none");
    assert_eq!(migrate(&["moves.toml", "--check"]), (Some(0), String::new(), String::new()));
}

#[test]
fn if_something_would_be_lost_nothing_is_changed() {
    let directory = workspace(&[
        ("config/schema.yml", NEW),
        ("config/a.yml", "#@data/values\n---\nservice:\n  port: 1\n"),
        ("config/b.yml", "#@data/values\n---\ndebug: true\n"),
        ("config/c.yml", "#@data/values\n---\nservice:\n  port: 1\n  ports: 2\n"),
        ("moves.toml", PLAN),
        ("wrong.toml", "schema = \"config/schema.yml\"\n[[move]]\nkey = \"a\"\n"),
        ("lost.toml", "schema = \"gone.yml\"\n"),
    ]);
    let root = directory.path();
    let (code, printed, why) = said(&lofting(root, &["migrate", "moves.toml"]));
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    assert!(why.contains("config/b.yml: line 3: the value of `debug` would be lost"), "{why}");
    assert!(why.contains("config/c.yml: line 5: `service.ports` is set already"), "{why}");
    assert!(!why.contains("config/a.yml") && why.ends_with("nothing was changed\n"), "{why}");
    assert_eq!(read(root, "config/a.yml"), "#@data/values\n---\nservice:\n  port: 1\n");
    for plan in ["wrong.toml", "lost.toml", "nowhere.toml", "config/schema.yml"] {
        assert_eq!(said(&lofting(root, &["migrate", plan])).0, Some(2), "{plan}");
    }
}

#[test]
fn values_of_a_json_schema_are_migrated() {
    let modeline = "# yaml-language-server: $schema=s.schema.json\n";
    let directory = workspace(&[
        ("s.schema.json", "{\"properties\": {\"b\": {}}}"),
        ("v.yml", &format!("{modeline}a: 1\n")),
        ("moves.toml", "schema = \"s.schema.json\"\n[[move]]\nkey = \"a\"\nto = \"b.c\"\n"),
    ]);
    let (code, printed, why) = said(&lofting(directory.path(), &["migrate", "moves.toml"]));
    assert_eq!((code, printed.as_str()), (Some(0), "v.yml\n"), "{why}");
    assert_eq!(read(directory.path(), "v.yml"), format!("{modeline}b:\n  c: 1\n"));
}
