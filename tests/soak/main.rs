//! Whatever happened before: the findings are those of a fresh server for the same texts.
//!
//! Files of all languages (ytt's and those of its proposals, JSON Schema, OpenAPI, OpenChoreo, custom resources, bundles),
//! settings, commands and choices of layout are edited together, on disk and in open documents, and now and then
//! everything is asked of the workspace that saw all of it and of one that never saw anything else.
//! `LOFTING_SOAK_SECONDS` says how long; a failure is shrunk to the few edits that matter.
#![allow(clippy::print_stdout, reason = "how much was edited is shown")]

mod answers;
mod desk;
mod edits;
mod known;
mod program;
mod texts;
mod worker;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_document::FileId;
use lofting_eval::Evaluator;
use lofting_workspace::{CancelFlag, Need, Settings, Snapshot, Workspace};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use answers::{answers, differences};
use desk::{Change, Desk};
use edits::Edit;
use worker::evaluator;

/// How long edits are tried unless a variable says otherwise.
const SECONDS: u64 = 30;

/// Nor are more sittings tried then: with a given seed, a fast machine tries the same as a slow one.
const SITTINGS: usize = 40;

/// A workspace that knows what is on disk.
fn scanned(root: &Path, evaluator: &Arc<dyn Evaluator>) -> Workspace {
    let mut workspace = Workspace::new(vec![root.to_owned()], Settings::default());
    workspace.set_evaluator(evaluator.clone());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    workspace
}

fn tell(workspace: &mut Workspace, version: i32, changes: Vec<Change>) {
    for changes in changes {
        let file = |workspace: &Workspace, path: &Path| workspace.snapshot().file(path).expect("it is open");
        match changes {
            Change::Opened(path, text) => drop(workspace.open(&path, version, &text)),
            Change::Closed(path) => {
                let file = file(workspace, &path);
                workspace.close(file);
            }
            Change::Edited(path, before, range, new) => {
                let file = file(workspace, &path);
                assert_eq!(workspace.snapshot().text(file).to_string(), before);
                workspace.edit(file, version, range, &new);
            }
            Change::OnDisk(paths) => drop(workspace.disk_changed(&paths)),
        }
    }
}

/// The workspace with all code run.
fn evaluated(workspace: &mut Workspace) -> Snapshot {
    let known: Vec<FileId> = workspace.snapshot().files().collect();
    workspace.evaluate(&known, Need::Values, 1)
}

/// What differs between the workspace that saw everything and a fresh one.
fn compare(workspace: &mut Workspace, desk: &Desk, turn: usize, evaluator: &Arc<dyn Evaluator>) -> String {
    let mut fresh = scanned(desk.root(), evaluator);
    for (path, text) in desk.open() {
        fresh.open(&path, 1, text);
        // What a half-typed line says counts after a pause.
        if let Some(file) = workspace.snapshot().file(&path) {
            workspace.typing_over(file);
        }
    }
    let (kept, fresh) = (answers(&evaluated(workspace), turn), answers(&evaluated(&mut fresh), turn));
    differences(&kept, &fresh)
}

/// One sitting. Gives what differed first.
fn sitting(edits: &[Edit], evaluator: &Arc<dyn Evaluator>) -> Result<(), String> {
    let mut desk = Desk::new();
    let mut workspace = scanned(desk.root(), evaluator);
    let mut turn = 0;
    for (version, edit) in (1..).zip(edits) {
        turn += 1;
        tell(&mut workspace, version, desk.apply(edit));
        let snapshot = workspace.snapshot();
        match edit {
            Edit::Ask => {
                let found = compare(&mut workspace, &desk, turn, evaluator);
                if !found.is_empty() {
                    return Err(format!("after {version} edits:\n{found}"));
                }
            }
            Edit::Abandoned => {
                let abandoned = CancelFlag::new();
                abandoned.cancel();
                let snapshot = evaluated(&mut workspace);
                snapshot.open_files().for_each(|file| drop(snapshot.diagnostics(file, &abandoned)));
            }
            Edit::WithoutCode => {
                let wanted = CancelFlag::new();
                snapshot.open_files().for_each(|file| drop(snapshot.diagnostics(file, &wanted)));
            }
            _ => {}
        }
    }
    match compare(&mut workspace, &desk, turn, evaluator) {
        found if found.is_empty() => Ok(()),
        found => {
            let texts: String = desk.open().map(|(path, text)| format!("{}: {text:?}\n", path.display())).collect();
            Err(format!("at the end:\n{found}\n{texts}"))
        }
    }
}

/// How long to go on, in seconds, and how often at most.
fn length() -> (u64, usize) {
    match std::env::var("LOFTING_SOAK_SECONDS") {
        Ok(text) => (text.parse().expect("LOFTING_SOAK_SECONDS is a number"), usize::MAX),
        Err(_) => (SECONDS, SITTINGS),
    }
}

/// Tries sitting after sitting, and shrinks the first that fails.
fn soak((seconds, most): (u64, usize), sitting: impl Fn(&[Edit]) -> Result<(), String>) {
    let until = Instant::now() + Duration::from_secs(seconds);
    let config = Config { cases: u32::MAX, max_shrink_time: 120_000, failure_persistence: None, ..Config::default() };
    let strategy = edits::edits();
    let mut runner = TestRunner::new(config);
    let mut sittings = 0;
    while sittings == 0 || sittings < most && Instant::now() < until {
        let tree = strategy.new_tree(&mut runner).expect("edits");
        sittings += 1;
        if let Err(error) = runner.run_one(tree, |edits| sitting(&edits).map_err(TestCaseError::fail)) {
            panic!("sitting {sittings}: {error}");
        }
    }
    println!("{sittings} sittings");
}

#[test]
fn after_any_edits_everything_is_said_as_if_it_were_new() {
    // A finished sitting leaves the worker process to the next one.
    let evaluator = evaluator();
    soak(length(), |edits| sitting(edits, &evaluator));
}

#[test]
fn after_any_edits_the_program_says_what_a_new_one_says() {
    let (seconds, most) = length();
    soak((seconds / 3, most), program::sitting);
}

/// Else edits of schema, values and configuration would not meet.
#[test]
fn the_files_at_the_beginning_belong_together() {
    let desk = Desk::new();
    let mut workspace = scanned(desk.root(), &evaluator());
    let known: Vec<FileId> = workspace.snapshot().files().collect();
    let snapshot = workspace.evaluate(&known, Need::Findings, 1);
    let file = |path: &str| snapshot.file(&desk.root().join(path)).expect(path);
    // Where the order of names decides, an overlay comes before what it matches; and a proposal's schema is declared as such.
    let is_right = |(path, text): &&(&str, &str)| {
        !text.is_empty() && *path != "config/more-values.yml" && !path.starts_with("proposal/")
    };
    for (path, _) in texts::FILES.iter().filter(is_right) {
        let Some(file) = snapshot.file(&desk.root().join(path)) else { continue };
        let found = snapshot.diagnostics(file, &CancelFlag::new());
        assert!(found.is_empty(), "{path}: {found:?}");
    }
    let association = snapshot.association(file("plain/values.yaml"));
    let sets: Vec<_> = association.schemas().filter_map(|schema| schema.set.as_deref()).collect();
    assert_eq!(sets, ["prod"]);
}
