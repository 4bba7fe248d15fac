//! The cost of one keystroke in this crate, and the cost of a large workspace.
//!
//! `cargo bench -p lofting-workspace`; prints the best of 40 rounds in microseconds.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use lofting_workspace::{CancelFlag, Settings, Workspace};
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    for lines in [1_000, 10_000, 100_000] {
        values(lines);
    }
    applications(2_000);
}

/// A schema and values of about `lines` lines each.
fn content(lines: usize, plain: bool) -> (String, String) {
    let mut schema = String::from("#@data/values-schema\n---\n");
    let mut values = String::from(if plain { "" } else { "#@data/values\n---\n" });
    for group in 0..lines / 20 {
        schema.push_str(&format!("group_{group}:\n"));
        values.push_str(&format!("group_{group}:\n"));
        for key in 0..16 {
            match key % 4 {
                0 => {
                    schema.push_str(&format!("  #@schema/desc \"key {key}\"\n  port_{key}: 80\n"));
                    values.push_str(&format!("  port_{key}: {}\n", 8000 + key));
                }
                1 => {
                    schema.push_str(&format!("  #@schema/validation min_len=1\n  name_{key}: name\n"));
                    values.push_str(&format!("  name_{key}: some-name-{group}\n"));
                }
                2 => {
                    schema.push_str(&format!("  inner_{key}:\n    enabled: true\n"));
                    values.push_str(&format!("  inner_{key}:\n    enabled: false\n"));
                }
                _ => {
                    schema.push_str(&format!("  list_{key}: ['']\n"));
                    values.push_str(&format!("  list_{key}: [a, b]\n"));
                }
            }
        }
    }
    (schema, values)
}

/// The best of many rounds in microseconds: the time that the work takes when nothing else runs.
fn best(times: Vec<Duration>) -> f64 {
    times.into_iter().min().unwrap_or_default().as_secs_f64() * 1e6
}

fn time(times: &mut Vec<Duration>, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    times.push(start.elapsed());
}

fn values(lines: usize) {
    for plain in [true, false] {
        let (schema, values) = content(lines, plain);
        let mut workspace = Workspace::new(vec!["/bench".into()], Settings::default());
        workspace.open(Path::new("/bench/schema.yml"), 1, &schema);
        let start = Instant::now();
        let id = workspace.open(Path::new("/bench/values.yml"), 1, &values);
        let cancel = CancelFlag::new();
        let found = workspace.snapshot().diagnostics(id, &cancel);
        let first = start.elapsed();
        assert!(found.is_empty(), "{found:?}");
        let at = values.find("name_5: some").map(|at| at + values.len() / 2).unwrap_or(0);
        let at = values[at..].find(": some").map(|found| at + found + 4).unwrap_or(at);
        let (mut edits, mut snapshots, mut associations, mut documents, mut checks) =
            (vec![], vec![], vec![], vec![], vec![]);
        for version in 0..40 {
            time(&mut edits, || workspace.edit(id, version, at..at, "x"));
            let mut snapshot = None;
            time(&mut snapshots, || snapshot = Some(workspace.snapshot()));
            let snapshot = snapshot.expect("just made");
            time(&mut associations, || assert!(snapshot.association(id).schema.is_some()));
            time(&mut checks, || assert!(snapshot.diagnostics(id, &cancel).is_empty()));
            // Only every fifth time, or dropping the old texts would count as part of the next edit.
            if version % 5 == 4 {
                time(&mut documents, || assert!(!snapshot.documents(id).documents.is_empty()));
            }
        }
        println!(
            "{lines} lines {}: open {:.0} edit {:.0} snapshot {:.1} association {:.1} documents {:.0} findings {:.0}",
            if plain { "plain" } else { "annotated" },
            first.as_secs_f64() * 1e6,
            best(edits),
            best(snapshots),
            best(associations),
            best(documents),
            best(checks)
        );
    }
}

fn applications(count: usize) {
    let directory = tempfile::tempdir().expect("a directory for the bench");
    let (schema, values) = content(40, true);
    for number in 0..count {
        let app = directory.path().join(format!("apps/app{number}"));
        std::fs::create_dir_all(&app).expect("a directory");
        std::fs::write(app.join("schema.yml"), &schema).expect("a file");
        std::fs::write(app.join("values.yml"), &values).expect("a file");
        std::fs::write(app.join("deployment.yml"), "a: #@ data.values.x\n").expect("a file");
    }
    let mut workspace = Workspace::new(vec![directory.path().to_owned()], Settings::default());
    let start = Instant::now();
    let id = workspace.open(&directory.path().join("apps/app7/values.yml"), 1, &values);
    let cancel = CancelFlag::new();
    workspace.snapshot().diagnostics(id, &cancel);
    println!("{count} applications: first findings {:.0}", start.elapsed().as_secs_f64() * 1e6);
    let start = Instant::now();
    let found = workspace.scanner().run(&mut |_| {}, &cancel);
    let walked = start.elapsed();
    workspace.apply_scan(found);
    println!(
        "{count} applications: scan {:.0} and apply {:.0}",
        walked.as_secs_f64() * 1e6,
        (start.elapsed() - walked).as_secs_f64() * 1e6
    );
    let mut edits = vec![];
    for version in 0..40 {
        let snapshot = workspace.snapshot();
        time(&mut edits, || workspace.edit(id, version, 0..0, " "));
        drop(snapshot);
    }
    println!("{count} applications: edit {:.1}", best(edits));
    let start = Instant::now();
    workspace.recheck_disk();
    println!("{count} applications: look at the disk again {:.0}", start.elapsed().as_secs_f64() * 1e6);
    drop(workspace);
    let start = Instant::now();
    let report = lofting_workspace::check_workspace(
        directory.path(),
        &[],
        Settings::default(),
        std::sync::Arc::new(lofting_eval::NoEvaluator) as std::sync::Arc<dyn lofting_eval::Evaluator>,
        &cancel,
    )
    .expect("the directory is there");
    println!("{count} applications: check of {} files {:.0}", report.files.len(), start.elapsed().as_secs_f64() * 1e6);
}
