//! What an open file takes, in bytes for each of its lines: files of a million lines shall fit.

use std::fmt::Write;
use std::fs;

use lofting_workspace::{CancelFlag, Settings, Workspace};
use stats_alloc::Region;

use crate::{ALLOCATOR, turn};

/// Lines of a file.
const LINES: usize = 60_000;

const SCHEMA: &str = "\
#@data/values-schema
---
#@schema/type any=True
flat: {}
routes:
- name: \"\"
  host: \"\"
  port: 0
  weight: 1
  protocol: \"\"
  headers:
  - name: \"\"
    value: \"\"
";

/// Entries of one map.
fn flat() -> String {
    (0..LINES).fold("flat:\n".to_owned(), |mut text, line| {
        let _ = writeln!(text, "  key_{line}: value {line}");
        text
    })
}

/// Maps in an array, with an array in each.
fn nested() -> String {
    (0..LINES / 8).fold("routes:\n".to_owned(), |mut text, route| {
        let _ = write!(
            text,
            "- name: route-{route}\n  host: r{route}.example.com\n  port: {route}\n  weight: {route}\n  protocol: http\n  \
             headers:\n  - name: X-Team\n    value: \"blue\"\n",
        );
        text
    })
}

/// Bytes per line: kept by the tree (with its copy of the text), and by the open and checked file in all (with the text
/// that is edited as well).
fn kept(text: &str) -> (usize, usize) {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("a directory");
    fs::write(root.join("schema.yaml"), SCHEMA).expect("a file");
    let lines = text.lines().count();
    let region = Region::new(ALLOCATOR);
    let per_line = || {
        let counts = region.change();
        counts.bytes_allocated.saturating_sub(counts.bytes_deallocated) / lines
    };
    let tree = lofting_syntax::parse(text);
    let parsed = per_line();
    drop(tree);
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    let file = workspace.open(&root.join("values.yaml"), 1, text);
    let found = workspace.snapshot().diagnostics(file, &CancelFlag::new());
    assert!(found.is_empty(), "{found:?}");
    (parsed, per_line())
}

/// The bounds are beyond the text, which is kept twice: once with the tree, once to be edited.
#[test]
fn a_line_takes_few_bytes() {
    let _turn = turn();
    let mut wrong = Vec::new();
    for (name, text, most_of_tree, most_in_all) in [("flat", flat(), 26, 34), ("nested", nested(), 75, 105)] {
        let (tree, all) = kept(&text);
        let own = text.len() / text.lines().count();
        if tree > own + most_of_tree || all > 2 * own + most_in_all {
            wrong.push(format!("{name}: {own} bytes of text per line, {tree} with the tree, {all} in all"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Opens many documents below one schema, as different as a set and a directory make them, looks at each and closes
/// it. Gives the bytes that are kept.
fn kept_of_closed(count: usize) -> usize {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("a directory");
    let files = [
        ("lofting.toml", "[sets.all]\nfiles = ['config']\nvalues = ['envs/*.yml']\n"),
        ("config/schema.yml", SCHEMA),
        ("config/values.yml", "#@data/values\n---\nflat: {a: 1}\n"),
    ];
    for folder in ["config", "envs", "values"] {
        fs::create_dir(root.join(folder)).expect("a directory");
    }
    for (path, text) in files {
        fs::write(root.join(path), text).expect("a file");
    }
    fs::write(root.join("values/schema.yml"), SCHEMA).expect("a file");
    let text = "routes:\n- name: a\n  port: x\n".to_owned() + &"#! a long remark\n".repeat(200);
    let path = |number: usize| {
        root.join(if number.is_multiple_of(2) { "envs" } else { "values" }).join(format!("{number}.yml"))
    };
    for number in 0..count {
        fs::write(path(number), &text).expect("a file");
    }
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    let region = Region::new(ALLOCATOR);
    for number in 0..count {
        let file = workspace.open(&path(number), 1, &text);
        assert!(!workspace.snapshot().diagnostics(file, &CancelFlag::new()).is_empty());
        assert!(!workspace.snapshot().merged(file).is_empty());
        workspace.close(file);
    }
    let counts = region.change();
    counts.bytes_allocated.saturating_sub(counts.bytes_deallocated)
}

/// What was made for documents is given up when they are closed: each has a text of 3.4 KB, and little of it remains.
#[test]
fn closed_documents_are_forgotten() {
    let _turn = turn();
    let (few, many) = (kept_of_closed(100), kept_of_closed(1000));
    let each = many.saturating_sub(few) / 900;
    assert!(each < 600, "{each} bytes are kept of each closed document");
}
