//! Does what a newcomer does: lets the chores of the repository write a rule, a refactoring and a language, builds them
//! without changing a line, and uses them.
//!
//! This happens in a copy of the tree, where the program is built once more: minutes the first time, later only what has
//! changed. So it is not run with the other tests, but by `cargo xtask test --newcomer` and before a release.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::command_line::{json_of, workspace};

const RULE: &str = "ytt/changeme-newcomer";
const ORDINARY: &str = "#@ x = 1\nchangeme: #@ x\n";
const WITH_ANCHOR: &str = "#@ x = 1\nother: &a 1\nchangeme: #@ x\n";
const SCHEMA: &str = "newcomer: boat\nsize: 1\n";
const VALUES: &str = "of: boat\nsize: large\n";

#[test]
#[ignore = "builds the program once more: `cargo xtask test --newcomer`"]
fn what_the_chores_write_works_at_once() {
    let copy = Copy::of_the_repository();
    copy.cargo(&["xtask", "new-rule", RULE]);
    copy.cargo(&["xtask", "new-action", "newcomer"]);
    copy.cargo(&["xtask", "new-dialect", "newcomer"]);
    copy.cargo(&["build", "--quiet", "--package", "lofting-lsp", "--bin", "lofting"]);
    let program = copy.program();
    on_the_command_line(&program);
    over_the_protocol(&program);
}

fn on_the_command_line(program: &Path) {
    let files =
        [("ordinary.yml", ORDINARY), ("anchored.yml", WITH_ANCHOR), ("boat.yml", SCHEMA), ("values.yml", VALUES)];
    let directory = workspace(&files);
    let arguments = ["check", "--format", "json", "."];
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory.path())
        .env("LOFTING_CATALOGUE", "off")
        .output()
        .expect("the program of the copy runs");
    let report = json_of(&output);
    let found: BTreeSet<(String, String)> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| (text(&finding["file"]), text(&finding["code"])))
        .collect();
    for (file, code) in [
        ("ordinary.yml", RULE),
        ("anchored.yml", RULE),
        // The language takes the rules about values as they are.
        ("values.yml", "openchoreo/type-mismatch"),
    ] {
        let is_it = |(name, rule): &(String, String)| name.ends_with(file) && rule == code;
        assert!(found.iter().any(is_it), "no {code} in {file}: {report:#}");
    }
}

fn over_the_protocol(program: &Path) {
    let mut client = Setup::rich()
        .program(program)
        .file("boat.yml", SCHEMA)
        .capability(
            "textDocument.codeAction",
            json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "isPreferredSupport": true}),
        )
        .start();
    for (name, content, code) in [
        ("ordinary.yml", ORDINARY, RULE),
        ("anchored.yml", WITH_ANCHOR, RULE),
        ("values.yml", VALUES, "openchoreo/type-mismatch"),
    ] {
        client.open(name, content);
        let found = client.diagnostics(name, 1);
        assert!(found.iter().any(|finding| finding["code"] == code), "no {code} in {name}: {found:#?}");
    }
    let actions = actions(&mut client, "ordinary.yml", json!({"line": 1, "character": 0}));
    for title in ["Name it `name`", "Write a note above this line"] {
        assert!(actions.iter().any(|action| action["title"] == title), "no action {title:?}: {actions:#?}");
    }
}

fn actions(client: &mut Client, name: &str, at: Value) -> Vec<Value> {
    let params = json!({
        "textDocument": {"uri": client.uri(name)},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    });
    client.request("textDocument/codeAction", params).as_array().expect("actions").clone()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A copy of the files that git knows, below `target`. What a build left there is used again.
struct Copy {
    root: PathBuf,
}

impl Copy {
    fn of_the_repository() -> Copy {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = from.join("target/newcomer/tree");
        let listed = run(Command::new("git").args(["ls-files", "-z"]).current_dir(&from));
        let listed = String::from_utf8(listed.stdout).expect("names");
        let names: BTreeSet<&Path> = listed.split('\0').filter(|name| !name.is_empty()).map(Path::new).collect();
        fs::create_dir_all(&root).expect("a directory for the copy");
        drop_others(&root, &root, &names);
        for name in names {
            let to = root.join(name);
            // A file that was removed and not committed yet.
            let Ok(content) = fs::read(from.join(name)) else { continue };
            if fs::read(&to).ok().as_ref() != Some(&content) {
                fs::create_dir_all(to.parent().expect("a folder")).expect("a folder of the copy");
                fs::write(&to, content).expect("a file of the copy");
            }
        }
        Copy { root }
    }

    fn cargo(&self, arguments: &[&str]) {
        let mut command = Command::new("cargo");
        // Variables of the test's own package are not those of the copy.
        let own = std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_"));
        for (name, _) in own.filter(|(name, _)| name != "CARGO_HOME") {
            command.env_remove(name);
        }
        command.args(arguments).current_dir(&self.root).env("CARGO_TARGET_DIR", self.root.join("../build"));
        // Less to write: the program is run once.
        run(command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0"));
    }

    fn program(&self) -> PathBuf {
        self.root.join("../build/debug").join(format!("lofting{}", std::env::consts::EXE_SUFFIX))
    }
}

/// Removes files that are not in the list.
fn drop_others(root: &Path, folder: &Path, names: &BTreeSet<&Path>) {
    for entry in fs::read_dir(folder).expect("a folder of the copy") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            drop_others(root, &path, names);
        } else if !path.strip_prefix(root).is_ok_and(|name| names.contains(name)) {
            fs::remove_file(&path).expect("a file of the copy");
        }
    }
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("a program that is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    output
}
