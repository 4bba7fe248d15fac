//! Evaluations are events: they make the next state, and no state changes.

use super::noting::Noting;
use crate::fixture::Fixture;
use crate::{CancelFlag, Evaluation, Need, Snapshot};
use lofting_document::FileId;
use std::sync::Arc;

const CODED: &str = "#- schema.yml
#@ load('defaults.star', 'port')
#@data/values-schema
---
port: #@ port()
#- defaults.star
def port(): return 80
#- values.yml
#@data/values
---
prot: 1
#- plain/schema.yml
#@data/values-schema
---
port: 80
#- plain/values.yml
#@data/values
---
prot: 1
";

fn coded() -> (Fixture, Arc<Noting>) {
    let mut fixture = Fixture::scanned(CODED);
    let reader = Arc::new(Noting::new(|_| "defaults.star".to_owned()));
    fixture.workspace.set_evaluator(reader.clone());
    (fixture, reader)
}

/// The results of running the code that a file's findings need, not yet applied.
fn evaluate(fixture: &Fixture, file: FileId) -> (Snapshot, Vec<Evaluation>) {
    let mut evaluations = Vec::new();
    let runner = fixture.workspace.runner();
    let snapshot =
        fixture.workspace.snapshot().with_code(&[file], Need::Findings, &runner, 1, &mut |one| evaluations.push(one));
    (snapshot, evaluations)
}

fn take_all(fixture: &mut Fixture, evaluations: Vec<Evaluation>) -> Vec<bool> {
    evaluations.into_iter().map(|one| fixture.workspace.take_evaluation(one)).collect()
}

/// All that a snapshot says about its files.
fn frozen(snapshot: &Snapshot) -> String {
    let mut files: Vec<FileId> = snapshot.files().collect();
    files.sort_unstable();
    let said = files.into_iter().map(|file| {
        let found = snapshot.diagnostics(file, &CancelFlag::new());
        let partial = snapshot.waits_for_code(file);
        format!("{}: {:?} {partial} {found:?}\n", snapshot.shown_path(file), snapshot.documents(file))
    });
    said.collect()
}

#[test]
fn a_state_stays_as_it_is_whatever_happens() {
    let (mut fixture, _) = coded();
    let schema = fixture.open("schema.yml", "#@ load('defaults.star', 'port')\n#@data/values-schema\n---\na: #@ 1\n");
    let before = fixture.workspace.snapshot();
    let said = frozen(&before);
    let (_, evaluations) = evaluate(&fixture, schema);
    assert_eq!(frozen(&before), said, "code was run");
    assert_eq!(take_all(&mut fixture, evaluations), [true]);
    assert_eq!(frozen(&before), said, "the evaluation was applied");
    let evaluated = fixture.workspace.snapshot();
    assert_ne!(frozen(&evaluated), said);
    let said_then = frozen(&evaluated);
    fixture.edit("schema.yml", "a:", "b:");
    fixture.write("values.yml", "x: 1\n");
    fixture.workspace.recheck_disk();
    fixture.workspace.close(schema);
    assert_eq!((frozen(&before), frozen(&evaluated)), (said, said_then), "texts were changed");
}

#[test]
fn what_was_read_otherwise_is_not_taken_over() {
    type Change = fn(&mut Fixture);
    let changes: [(&str, Change); 4] = [
        ("the text itself", |fixture| fixture.edit("schema.yml", "port:", "ports:")),
        ("a library in an editor", |fixture| {
            fixture.open("defaults.star", "def port(): return 1\n");
        }),
        ("a library on disk", |fixture| {
            fixture.write("defaults.star", "def port(): return 8080\n");
            fixture.workspace.recheck_disk();
        }),
        ("the input sets", |fixture| {
            fixture.write("lofting.toml", "[sets.a]\nfiles = ['schema.yml', 'defaults.star']\n");
            fixture.workspace.recheck_disk();
        }),
    ];
    for (what, change) in changes {
        let (mut fixture, reader) = coded();
        let text = CODED.split("#- ").nth(1).and_then(|file| file.split_once('\n')).map_or("", |(_, text)| text);
        let schema = fixture.open("schema.yml", text);
        let (_, evaluations) = evaluate(&fixture, schema);
        change(&mut fixture);
        assert_eq!(take_all(&mut fixture, evaluations), [false], "{what}");
        let (_, evaluations) = evaluate(&fixture, schema);
        assert_eq!(reader.ran().len(), 2, "{what}");
        assert_eq!(take_all(&mut fixture, evaluations), [true], "{what}");
    }
}

#[test]
fn a_changed_library_makes_code_run_again() {
    let (mut fixture, reader) = coded();
    fixture.evaluated("schema.yml");
    assert!(!fixture.workspace.snapshot().waits_for_code(fixture.id("plain/values.yml")));
    assert_eq!(fixture.workspace.recheck_disk(), []);
    fixture.evaluated("schema.yml");
    assert_eq!(reader.ran().len(), 1);
    fixture.write("defaults.star", "def port(): return 8080\n");
    let mut changed = fixture.workspace.recheck_disk();
    changed.sort_unstable();
    let mut expected = [fixture.id("defaults.star"), fixture.id("schema.yml")];
    expected.sort_unstable();
    assert_eq!(changed, expected, "the library, and the schema that reads it");
    fixture.evaluated("schema.yml");
    assert_eq!(reader.ran().len(), 2);
}

#[test]
fn two_who_ask_at_once_run_it_once() {
    let (fixture, reader) = coded();
    let schema = fixture.id("schema.yml");
    let (_first, evaluations) = evaluate(&fixture, schema);
    let (_second, again) = evaluate(&fixture, schema);
    assert_eq!((evaluations.len(), again.len(), reader.ran().len()), (1, 1, 1));
}

/// Requests that do not wait for code reuse what others have made already.
#[test]
fn a_schema_without_code_is_read_once_for_all() {
    let (fixture, _) = coded();
    let plain = fixture.id("plain/values.yml");
    let snapshot = fixture.workspace.snapshot();
    let (with_code, _) = evaluate(&fixture, plain);
    let schema = |snapshot: &Snapshot| snapshot.association(plain).schema.as_ref().map(|schema| schema.state.clone());
    let (one, other) = (schema(&snapshot).unwrap(), schema(&with_code).unwrap());
    assert!(Arc::ptr_eq(&one, &other));
    let found = with_code.diagnostics(plain, &CancelFlag::new());
    assert!(Arc::ptr_eq(&found, &snapshot.diagnostics(plain, &CancelFlag::new())));
}

/// Findings that needed code are given to requests that do not wait, too, once they are known.
#[test]
fn complete_findings_are_sent_to_all_once_they_are_known() {
    let (mut fixture, _) = coded();
    let values = fixture.id("values.yml");
    assert!(fixture.workspace.snapshot().waits_for_code(values));
    let with_code = fixture.evaluated("values.yml");
    let found = with_code.diagnostics(values, &CancelFlag::new());
    let without = fixture.workspace.snapshot();
    assert!(Arc::ptr_eq(&found, &without.diagnostics(values, &CancelFlag::new())));
}
