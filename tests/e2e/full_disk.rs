//! A disk without room: what cannot be written is named, what was there stays whole, and no part of a file is left.
//!
//! The limit on the size of files fails in the same places as a full disk, and needs no disk of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::command_line::{text, workspace};

/// A command that writes, and the file that it names when that fails.
const WRITERS: &[(&[&str], &str)] = &[
    (&["render", "-f", "in", "--output-files", "out"], "out/a.yml"),
    (&["render", "-f", "in", "--dangerous-emptied-output-directory", "out"], "out/a.yml"),
    (&["fmt", "values.yml"], "values.yml"),
    (&["fmt", "."], "values.yml"),
    (&["fix", "values.yml"], "values.yml"),
    (&["check", "--fix", "values.yml"], "values.yml"),
    (&["check", "--fix", "hint.yml"], "hint.yml"),
    (&["check", "--output", "json=out/report.json", "."], "out/report.json"),
    (&["docs", "schema.yml", "--output", "out/a.yml"], "out/a.yml"),
    (&["migrate", "moves.toml"], "schema.yml"),
];

/// Blocks of a shell: of 512 bytes or of 1 KiB. Nothing can be written, or only the beginning.
const LIMITS: [&str; 2] = ["0", "1"];

fn files() -> tempfile::TempDir {
    let long = format!("#! {}\n", "long ".repeat(500));
    let values = format!("#@data/values\n---\n{long}name:   a\nport: \"80\"\n");
    let hint = format!("#@data/values\n---\n{long}#! lofting: ignore ytt/undeclared-key\nname: a\n");
    let words = "words ".repeat(500);
    let schema = format!("#@data/values-schema\n---\n#@schema/desc \"{words}\"\nname: \"\"\nport: 1\n");
    let files = [
        ("values.yml", values.as_str()),
        ("hint.yml", &hint),
        ("schema.yml", &schema),
        ("moves.toml", "schema = \"schema.yml\"\n\n[[move]]\nkey = \"port\"\nto = \"ports\"\n"),
        ("in/schema.yml", "#@data/values-schema\n---\nname: 1\n"),
        ("in/a.yml", &format!("a: {words}\n")),
        ("out/a.yml", "old\n"),
        ("out/report.json", "old\n"),
    ];
    workspace(&files)
}

/// All files below a directory with their texts.
fn all(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below").display().to_string();
                found.insert(name, String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned());
            }
        }
    }
    found
}

/// Runs the program where no file may have more than so many blocks.
fn limited(directory: &Path, limit: &str, arguments: &[&str]) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f \"$1\" || exit 99; shift; exec \"$@\"", "sh", limit]);
    shell.arg(env!("CARGO_BIN_EXE_lofting")).args(arguments);
    shell.current_dir(directory).env("LOFTING_CATALOGUE", "off").stdin(Stdio::null()).output().expect("it runs")
}

#[test]
fn what_cannot_be_written_is_named_and_stays_whole() {
    for limit in LIMITS {
        for (arguments, name) in WRITERS {
            let directory = files();
            let before = all(directory.path());
            let output = limited(directory.path(), limit, arguments);
            let (said, errors) = (text(&output), String::from_utf8_lossy(&output.stderr));
            assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}, {limit}: {:?} {said}", output.status);
            assert!(errors.contains(name) && errors.contains("File too large"), "{arguments:?}, {limit}: {said}");
            assert_eq!(all(directory.path()), before, "{arguments:?}, {limit}");
        }
    }
}

/// With room, each of them writes: else the test above would hold for commands that write nothing.
#[test]
fn where_there_is_room_all_of_it_is_written() {
    for (arguments, name) in WRITERS {
        let directory = files();
        let before = all(directory.path());
        let output = limited(directory.path(), "unlimited", arguments);
        let after = all(directory.path());
        assert_ne!(after.get(*name), before.get(*name), "{arguments:?}: {}", text(&output));
    }
}

/// What is kept for later runs is left out, and changes no answer.
#[test]
fn a_cache_without_room_costs_time_only() {
    let directory = files();
    let schema = "#@data/values-schema\n---\n#@schema/validation (\"be odd\", lambda v: v % 2 == 1)\nport: 80\n";
    fs::write(directory.path().join("in/schema.yml"), schema).expect("a file");
    for command in [&["check", "-f", "in"][..], &["render", "-f", "in"]] {
        let plain = limited(directory.path(), "unlimited", command);
        let cached = [command, &["--cache", "kept"]].concat();
        for _ in 0..2 {
            let output = limited(directory.path(), "1", &cached);
            assert_eq!((output.status, &output.stdout), (plain.status, &plain.stdout), "{cached:?}: {}", text(&output));
        }
        let names: Vec<String> = all(&directory.path().join("kept")).into_keys().collect();
        assert!(!names.iter().any(|name| name.contains(".lofting-")), "{names:?}");
        // Where not even the directory can be marked, the command fails.
        let output = limited(directory.path(), "0", &[command, &["--cache", "other"]].concat());
        assert!(String::from_utf8_lossy(&output.stderr).contains("--cache other"), "{}", text(&output));
        assert_eq!(output.status.code(), Some(2));
    }
}

/// A device without room is a failure, unlike a reader that is gone.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_without_room_is_a_failure() {
    let directory = files();
    let commands: &[&[&str]] = &[
        &["--version"],
        &["--help"],
        &["check", "."],
        &["check", "--format", "json", "."],
        &["check", "--format", "sarif", "."],
        &["render", "-f", "in"],
        &["values", "-f", "schema.yml", "-f", "hint.yml"],
        &["schema", "--to", "json-schema", "-f", "schema.yml"],
        &["fmt", "--diff", "values.yml"],
        &["docs", "schema.yml"],
        &["explain", "values.yml"],
        &["explain", "ytt/type-mismatch"],
        &["diff", "schema.yml", "in/schema.yml"],
        &["migrate", "moves.toml", "--diff"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device that is always full");
        let mut program = Command::new(env!("CARGO_BIN_EXE_lofting"));
        program.args(*arguments).current_dir(directory.path()).env("LOFTING_CATALOGUE", "off").stdout(full);
        let output = program.output().expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains("standard output: No space left on device"), "{arguments:?}: {errors}");
    }
}
