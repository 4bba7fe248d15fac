//! The time of one completion and one hover in texts of 100,000 lines, for several shapes of text.
#![allow(clippy::print_stdout, missing_docs)]

use lofting_ide::{CompletionOptions, Markup};
use lofting_workspace::{Settings, Workspace};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

const LINES: usize = 100_000;

fn main() {
    let mut nested = String::new();
    for service in 0..LINES / 10 {
        let _ = write!(
            nested,
            "  service{service}:\n    image:\n      repository: nginx\n      tag: \"1.{service}\"\n    ports:\n    - name: http\n      \
             port: 80\n    labels: {{a: b, c: d}}\n    # a comment\n    replicas: 3\n"
        );
    }
    let flat: String = (0..LINES).map(|index| format!("key{index}: value {index}\n")).collect();
    let items: String =
        (0..LINES / 3).map(|index| format!("- name: n{index}\n  port: {index}\n  host: h{index}\n")).collect();
    let schema = "#@data/values-schema\n---\nservices: {}\nname: \"\"\nitems:\n- name: \"\"\n  port: 1\n  host: \"\"\n  more: 1\n";
    run("nested maps", schema, &format!("services:\n{nested}na"), None);
    run("flat map", schema, &format!("{flat}na"), None);
    run("long sequence", schema, &format!("items:\n{items}- na"), None);
    let middle = format!("items:\n{items}");
    run("middle of a long sequence", schema, &middle, Some(middle.len() / 2));
    run("blank lines", schema, &format!("name: x\n{}", "\n".repeat(LINES)), None);
    run("comments", schema, &format!("name: x\n{}", "# comment\n".repeat(LINES)), None);
}

fn run(name: &str, schema: &str, values: &str, offset: Option<usize>) {
    let root = Path::new("/lofting-ide-bench");
    let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
    workspace.open(&root.join("schema.yml"), 1, schema);
    let file = workspace.open(&root.join("values.yml"), 1, values);
    let options = CompletionOptions { snippets: true, unasked: false };
    let offset = offset.unwrap_or(values.len());
    let mut times = Vec::new();
    let mut count = 0;
    for round in 0..30_i32 {
        // One keystroke before each request, so that no earlier result can be reused.
        workspace.edit(file, round + 2, offset..offset, if round % 2 == 0 { "m" } else { "e" });
        let snapshot = workspace.snapshot();
        let start = Instant::now();
        count = lofting_ide::completion(&snapshot, file, offset, &options).len();
        times.push(start.elapsed());
    }
    times.sort();
    let snapshot = workspace.snapshot();
    let start = Instant::now();
    let _ = lofting_ide::hover(&snapshot, file, offset, Markup::Markdown);
    let hover = start.elapsed();
    println!(
        "{name}: {count} items, best {:?}, median {:?}, worst {:?}; hover {hover:?}",
        times[0],
        times[times.len() / 2],
        times[times.len() - 1]
    );
}
