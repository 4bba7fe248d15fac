//! What templates render, for thousands of made-up input sets: what has to be true of it whatever ytt says.
//!
//! Each case follows from its number. `LOFTING_CASE` runs one and prints its files, `LOFTING_CASES` says how many are
//! tried.
#![forbid(unsafe_code)]

mod histories;
mod invariants;
mod resources;
mod with_and_without_code;

use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lofting_starlark::InProcess;
use lofting_workspace::inputs::{InputContext, InputFlags, InputSet};
use lofting_workspace::{Rendering, Settings, render_as_ytt, render_input_set};

use invariants::{Case, Outcome};
use lofting_tests::made_up::files::Files;
use lofting_tests::made_up::{deep, dice, pairs};

/// So many cases are tried.
const CASES: u64 = 1000;

#[test]
fn made_up_sets_are_rendered_as_they_should() {
    if let Some(number) = std::env::var("LOFTING_CASE").ok().and_then(|number| number.parse().ok()) {
        let files = Files::new(number);
        eprintln!("{files}");
        eprintln!("{:?}", run(number, &files).unwrap_or_else(|wrong| panic!("{wrong}")));
        return;
    }
    let cases = std::env::var("LOFTING_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let next = AtomicUsize::new(0);
    let wrong: Mutex<Vec<String>> = Mutex::default();
    let counts = [const { AtomicUsize::new(0) }; 2];
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed) as u64;
            if number >= cases {
                break;
            }
            match run(number, &Files::new(number)) {
                Ok(Outcome::Rendered) => counts[0].fetch_add(1, Ordering::Relaxed),
                Ok(Outcome::Refused) => counts[1].fetch_add(1, Ordering::Relaxed),
                Err(why) => {
                    let mut wrong = wrong.lock();
                    wrong.push(format!("case {number}: {why}"));
                    0
                }
            };
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner();
    wrong.sort();
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
    let [rendered, refused] = counts.map(AtomicUsize::into_inner);
    eprintln!("{rendered} rendered, {refused} refused");
    // A generator that makes mistakes only, or none, tests little.
    assert!(rendered as u64 > cases / 2 && refused as u64 > cases / 20, "{rendered} rendered, {refused} refused");
}

fn run(number: u64, files: &Files) -> Result<Outcome, String> {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("its path");
    write(&root, files);
    Case { number, root, files }.check()
}

fn write(root: &Path, files: &Files) {
    for (path, text) in &files.list {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
}

/// A call with these files and folders.
fn inputs(base: &Path, files: &[&str]) -> InputSet {
    let flags = InputFlags { files: files.iter().map(|file| (*file).to_owned()).collect(), ..InputFlags::default() };
    let context = InputContext { base: base.to_owned(), environment: Vec::new(), streams: Default::default() };
    InputSet::from_flags(&flags, &context).expect("all files are there")
}

fn rendered(base: &Path, files: &[&str]) -> Rendering {
    render_input_set(&inputs(base, files), Settings::default(), Arc::new(InProcess::default()))
}

/// How nodes are passed does not matter: their annotations come along.
#[test]
fn what_is_laid_over_is_the_same_in_whatever_way_it_is_passed() {
    let mut wrong = Vec::new();
    for number in 0..60 {
        let directory = tempfile::tempdir().expect("a directory");
        write(directory.path(), &Files { list: deep::ways(&mut dice::Dice::new(number)) });
        let rendering = rendered(directory.path(), &["config"]);
        let Some(files) = &rendering.files else {
            wrong.push(format!("case {number}: {:?}", rendering.report.diagnostics().next()));
            continue;
        };
        let printed = invariants::texts(files);
        let other = printed.iter().position(|text| Some(text) != printed.first());
        if let Some(other) = other {
            wrong.push(format!("case {number}, way {other}:\n{}and not\n{}", printed[other], printed[0]));
        }
    }
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}

/// What a chain of features prints, if that is wrong.
fn wrong(chain: &pairs::Chain) -> Option<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let base = directory.path().canonicalize().expect("its path");
    write(&base, &Files { list: chain.files.clone() });
    let rendering = rendered(&base, &["config"]);
    let found = match &rendering.files {
        Some(files) => invariants::texts(files).join("---\n"),
        None => format!("{:?}\n", rendering.report.diagnostics().next().map(|finding| &finding.message)),
    };
    (found != chain.printed).then(|| format!("{}:\n{found}and not\n{}", chain.names, chain.printed))
}

#[test]
fn every_feature_gives_on_what_every_other_gives() {
    let wrong: Vec<String> = pairs::pairs().filter_map(|chain| wrong(&chain)).collect();
    assert!(wrong.is_empty(), "{} pairs are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}

/// `LOFTING_CASES` says how many are tried.
#[test]
fn features_in_each_other_give_on_what_they_get() {
    let cases = std::env::var("LOFTING_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES / 4);
    let chains = (0..cases).map(pairs::chain);
    let wrong: Vec<String> = chains.filter_map(|chain| wrong(&chain)).collect();
    assert!(wrong.is_empty(), "{} chains are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(3)].join("\n"));
}

/// ytt knows no language but its own: what a resource's schema says is for `check`.
#[test]
fn what_other_languages_find_does_not_stop_rendering() {
    const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
";
    const WRONG: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: big}\n";
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("definition.yml"), DEFINITION).expect("it can be written");
    std::fs::write(directory.path().join("widget.yml"), WRONG).expect("it can be written");
    let inputs = inputs(directory.path(), &["."]);
    let checked = render_input_set(&inputs, Settings::default(), Arc::new(InProcess::default()));
    let is_found = checked.report.diagnostics().any(|finding| finding.code() == "kubernetes/type-mismatch");
    assert!(is_found && checked.report.is_ok());
    assert_eq!(checked.files.as_ref().map(Vec::len), Some(2));
    let rendering = render_as_ytt(&inputs, Arc::new(InProcess::default()));
    assert_eq!(rendering.files, checked.files);
}
