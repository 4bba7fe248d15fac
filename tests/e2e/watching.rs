//! `--watch`: the work is done again after each change.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::command_line::workspace;
use crate::{SCHEMA, VALUES};

/// A running command that watches its directory.
struct Watching {
    directory: tempfile::TempDir,
    /// Where files are written before they are moved to their place in one step: half-written ones are never visible.
    beside: tempfile::TempDir,
    child: Child,
    output: BufReader<ChildStdout>,
    errors: BufReader<ChildStderr>,
}

impl Watching {
    fn start(files: &[(&str, &str)], arguments: &[&str]) -> Watching {
        let directory = workspace(files);
        let mut child = Command::new(env!("CARGO_BIN_EXE_lofting"))
            .args(arguments)
            .current_dir(directory.path())
            .env("LOFTING_CATALOGUE", "off")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        Watching { directory, beside: workspace(&[]), child, output, errors }
    }

    fn write(&self, name: &str, text: &str) {
        let new: PathBuf = self.beside.path().join("new");
        std::fs::write(&new, text).expect("a file");
        std::fs::rename(new, self.directory.path().join(name)).expect("its place");
    }

    /// Waits until the work is done; returns what stderr said before.
    fn messages(&mut self) -> String {
        let mut before = String::new();
        loop {
            let mut line = String::new();
            assert!(self.errors.read_line(&mut line).expect("text") > 0, "it ended: {before}");
            if line == "lofting: waiting for changes\n" {
                return before;
            }
            before += &line;
        }
    }

    fn printed(&mut self, length: usize) -> String {
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("what is printed");
        String::from_utf8(bytes).expect("text")
    }

    /// The codes of a report in JSON.
    fn codes(&mut self) -> Vec<String> {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a report");
        let report: Value = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
        let findings = report["diagnostics"].as_array().expect("findings").iter();
        findings.map(|finding| finding["code"].as_str().expect("a code").to_owned()).collect()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_is_watched_is_rendered_again_after_each_change() {
    let mut watching = Watching::start(&[("config/a.yml", "a: #@ 1 + 1\n")], &["render", "-f", "config", "--watch"]);
    watching.messages();
    assert_eq!(watching.printed(5), "a: 2\n");
    watching.write("config/a.yml", "a: #@ 1 + 30\n");
    watching.messages();
    assert_eq!(watching.printed(6), "a: 31\n");
    // A file that is new, and one that is wrong.
    watching.write("config/b.yml", "b: 1\n");
    watching.messages();
    assert_eq!(watching.printed(15), "a: 31\n---\nb: 1\n");
    watching.write("config/b.yml", "b: #@ nobody\n");
    assert!(watching.messages().contains("undefined: nobody"));
    watching.write("config/b.yml", "b: 12\n");
    watching.messages();
    assert_eq!(watching.printed(16), "a: 31\n---\nb: 12\n");
    assert!(watching.child.try_wait().expect("a process").is_none(), "it runs still");
}

#[test]
fn what_is_watched_is_checked_again_after_each_change() {
    let files = [("schema.yml", SCHEMA), ("values.yml", VALUES)];
    let mut watching = Watching::start(&files, &["check", "--watch", "--format", "json"]);
    watching.messages();
    assert_eq!(watching.codes(), ["ytt/type-mismatch"]);
    watching.write("values.yml", "#@data/values\n---\nport: 80\n");
    watching.messages();
    assert!(watching.codes().is_empty());
    // A file that is new, and a schema that changes.
    watching.write("more.yml", "#@data/values\n---\nprot: 80\n");
    watching.messages();
    assert_eq!(watching.codes(), ["ytt/undeclared-key"]);
    watching.write("schema.yml", "#@data/values-schema\n---\nprot: 80\nport: \"\"\n");
    watching.messages();
    assert_eq!(watching.codes(), ["ytt/type-mismatch"]);
    assert!(watching.child.try_wait().expect("a process").is_none(), "it runs still");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let directory = workspace(&[("values.yml", VALUES)]);
    for arguments in
        [&["check", "--watch", "--fix"][..], &["check", "--watch", "-"], &["check", "--watch", "--output", "json=x"]]
    {
        let output = crate::command_line::lofting(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
}
