//! What `lofting` says about ytt's cases, beside what ytt says (`README.md` in this folder).
//!
//! Every case is a folder with its inputs, how ytt was run (`case.json`) and what came of it
//! (`expected.json`). The lists of what holds may only grow: a case that gets worse fails the test, and
//! so does one that got better and is not listed. `LOFTING_UPDATE=1` rewrites the lists.
#![allow(clippy::print_stdout, reason = "what holds is shown, and what was skipped")]

mod case;
mod converted;
mod forms;
mod judge;
mod list;
mod openchoreo;
mod real_sets;

use case::Case;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance")
}

/// What `judge` says of all cases below `root`, by case.
fn of_all<T: Send>(root: &Path, judge: impl Fn(&Path, &Case) -> T + Sync) -> BTreeMap<String, T> {
    let cases = Case::all(root);
    let next = Mutex::new(cases.iter());
    let results = Mutex::new(BTreeMap::new());
    let workers = std::thread::available_parallelism().map_or(2, |count| count.get().min(8));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(case) = next.lock().expect("no panic").next() else { return };
                    let judgement = judge(Path::new(env!("CARGO_BIN_EXE_lofting")), case);
                    results.lock().expect("no panic").insert(case.name.clone(), judgement);
                }
            });
        }
    });
    results.into_inner().expect("no panic")
}

/// Judges all cases below `root`: the aspects that hold, by case, and why others do not.
fn judge_all(root: &Path) -> BTreeMap<String, judge::Judgement> {
    of_all(root, judge::judge)
}

#[test]
fn ytt() {
    let judged = judge_all(&folder().join("ytt"));
    assert!(!judged.is_empty(), "there are cases");
    judge::print_summary(&judged);
    list::compare(&folder().join("expected-to-pass.txt"), &judged);
}

/// Cases of ytt's design proposals, which no program but this reads.
#[test]
fn proposals() {
    let judged = judge_all(&folder().join("proposal"));
    assert!(!judged.is_empty(), "there are cases");
    judge::print_summary(&judged);
    list::compare(&folder().join("expected-proposal.txt"), &judged);
}

/// The flags of a case, and a set in a `lofting.toml` that means the same. `forms-differ.txt` lists where they are meant to
/// differ, and why.
#[test]
fn forms() {
    let listed = std::fs::read_to_string(folder().join("forms-differ.txt")).expect("a list");
    let listed: BTreeSet<&str> =
        listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::trim).collect();
    let mut wrong = Vec::new();
    let mut differ: BTreeSet<String> = BTreeSet::new();
    for root in ["ytt", "proposal", "forms"] {
        for (name, difference) in of_all(&folder().join(root), forms::difference) {
            let name = format!("{root}/{name}");
            let Some(difference) = difference else { continue };
            if !listed.contains(name.as_str()) {
                wrong.push(format!("{name}: {difference}"));
            }
            differ.insert(name);
        }
    }
    let alike = listed.iter().filter(|name| !differ.contains(**name));
    wrong.extend(alike.map(|name| format!("{name} is listed, and its forms do not differ")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Cases of OpenChoreo in the form that is read.
#[test]
fn openchoreo_openapi() {
    let wrong = openchoreo::judge_all(Path::new(env!("CARGO_BIN_EXE_lofting")), &folder().join("openchoreo"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Schemas of public repositories, which are not part of this one.
#[test]
fn real_schemas() {
    let root = folder().join("../../../shared/conformance/real");
    if !root.is_dir() {
        println!("skipped: {} not present", root.display());
        return;
    }
    let judged = judge_all(&root);
    judge::print_summary(&judged);
    list::compare_counts(&folder().join("expected-real.txt"), &judged);
}

/// Input sets of public repositories, which are not part of this one: what `render` prints is what ytt printed.
#[test]
fn real_input_sets() {
    let root = folder().join("../../../shared/conformance/ytt-real-sets");
    if !root.is_dir() {
        println!("skipped: {} not present", root.display());
        return;
    }
    let (passed, wrong) = real_sets::judge_all(Path::new(env!("CARGO_BIN_EXE_lofting")), &root);
    println!("{passed} of {} sets", passed + wrong.len());
    let listed = std::fs::read_to_string(folder().join("expected-real-sets.txt")).unwrap_or_default();
    let listed: usize = listed.trim().parse().unwrap_or_default();
    assert!(passed >= listed, "numbers may only grow\n{}", wrong.join("\n"));
}
