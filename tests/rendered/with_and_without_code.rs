//! Findings of one state, asked for by those who wait for code and by those who do not, in any order.
//!
//! Both share what was computed for the state. Builds with assertions also notice an answer that is kept without all that
//! it was made from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lofting_document::FileId;
use lofting_starlark::InProcess;
use lofting_workspace::{CancelFlag, Need, Settings, Snapshot, Workspace};

use tempfile::TempDir;

use crate::write;
use lofting_tests::made_up::files::Files;

/// No template reads the values: it would be run again, and what a state has in common is forgotten then.
///
/// What a function says decides what this schema declares.
const SCHEMA_WITH_FUNCTION: &str = "#@data/values-schema
---
kind: 0
list:
- name: a
  port: 80
";
const LAID_OVER: &str = "#@ load('@ytt:overlay', 'overlay')
#@data/values-schema
#@overlay/match by=lambda index, left, right: True
---
#@overlay/match missing_ok=True
more: 1
#@overlay/replace via=lambda left, right: 'text'
kind: 1
list:
#@overlay/match by=lambda index, left, right: left['name'] == 'a'
- port: x
";

fn editor(root: &Path, files: &[(String, String)]) -> Workspace {
    let mut workspace = Workspace::new(vec![root.to_owned()], Settings::default());
    workspace.set_evaluator(Arc::new(InProcess::default()));
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    for (path, text) in files {
        workspace.open(&root.join(path), 1, text);
    }
    workspace
}

fn said(snapshot: &Snapshot, files: &[FileId]) -> Vec<String> {
    let said = |file: &FileId| format!("{:?}", snapshot.diagnostics(*file, &CancelFlag::new()));
    files.iter().map(said).collect()
}

/// A state in which functions have to be called again, and its files.
fn state(root: &Path, files: &[(String, String)]) -> (Workspace, Snapshot, Vec<FileId>) {
    let mut workspace = editor(root, files);
    let ids: Vec<FileId> = files.iter().filter_map(|(path, _)| workspace.snapshot().file(&root.join(path))).collect();
    workspace.evaluate(&ids, Need::Values, 1);
    // Files without code are edited: what schemas mean has to be found out again, and no code has to run for that.
    for (path, text) in files.iter().filter(|(_, text)| !text.contains("load(")) {
        let id = workspace.snapshot().file(&root.join(path)).expect("it is open");
        workspace.edit(id, 2, text.len()..text.len(), "#! The end.\n");
    }
    workspace.run_interrupted_again();
    let state = workspace.snapshot();
    (workspace, state, ids)
}

/// The findings with code in a state where those without were asked for `before`, or not; and whether those were others.
fn with_code(root: &Path, files: &[(String, String)], before: bool) -> (Vec<String>, bool) {
    let (workspace, state, ids) = state(root, files);
    let without = before.then(|| said(&state, &ids));
    let found = said(&state.with_code(&ids, Need::Values, &workspace.runner(), 1, &mut |_| {}), &ids);
    if let Some(without) = &without {
        assert_eq!(&said(&state, &ids), without, "without code, before and after");
    }
    let differs = without.is_some_and(|without| without != found);
    (found, differs)
}

/// Sets whose schemas depend on functions, with their `lofting.toml`.
fn cases() -> impl Iterator<Item = Vec<(String, String)>> {
    let flags = "[sets.all]\nfiles = [\"config\"]\nvalues = [\"plain.yml\"]\ndata-values = [\"port=1\", \"nmae=x\"]\n\
                 [sets.b]\nfiles = [\"second\", \"config/values.yml\"]\n";
    let own = [
        ("config/a-schema.yml", SCHEMA_WITH_FUNCTION),
        ("config/b-schema.yml", LAID_OVER),
        ("config/values.yml", "#@data/values\n---\nmore: x\nkind: 5\n"),
        // Its set has a schema that does not govern it.
        ("config/other.yml", "#! lofting: schema=../other-schema.yml\n#@data/values\n---\nmore: y\n"),
        // Findings about it come from the schema that governs it alone.
        ("apart/values.yml", "#! lofting: schema=schema.yml\n#@data/values\n---\nkind: 5\n"),
        ("second/schema.yml", "#@data/values-schema\n---\nmore: true\n"),
        ("second/values.yml", "#@data/values\n#@library/ref '@lib'\n---\nmore: 7\n"),
        ("plain.yml", "# yaml-language-server: $schema=other-schema.yml\nmore: z\n"),
        ("other-schema.yml", "#@data/values-schema\n---\nmore: true\n"),
    ];
    let whole = format!("{SCHEMA_WITH_FUNCTION}{LAID_OVER}");
    let own = own.into_iter().chain([("apart/schema.yml", whole.as_str())]);
    let own: Vec<_> = own.map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    let made_up = (0..60).map(|number| Files::new(number).list);
    std::iter::once(own).chain(made_up).map(move |mut files| {
        files.push(("lofting.toml".to_owned(), flags.to_owned()));
        files
    })
}

fn folder(files: &[(String, String)]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("its path");
    write(&root, &Files { list: files.to_vec() });
    (directory, root)
}

#[test]
fn findings_with_code_do_not_depend_on_what_was_asked_without() {
    for (number, files) in cases().enumerate() {
        let (_directory, root) = folder(&files);
        let ((after, differs), (fresh, _)) = (with_code(&root, &files, true), with_code(&root, &files, false));
        assert_eq!(after, fresh, "case {number}");
        // Else the test would not notice an answer of the other kind.
        assert!(differs || number > 0, "what functions say has to make a difference");
    }
}

/// What was found out with code while some files of a state were asked about without it is not mixed into the answers
/// about the others: builds with assertions notice that.
#[test]
fn findings_without_code_are_those_of_one_moment() {
    for (number, files) in cases().enumerate() {
        let (_directory, root) = folder(&files);
        let (workspace, state, ids) = state(&root, &files);
        let first = number % ids.len();
        let said_first = said(&state, &ids[first..=first]);
        said(&state.with_code(&ids, Need::Values, &workspace.runner(), 1, &mut |_| {}), &ids);
        assert_eq!(said(&state, &ids[first..=first]), said_first, "case {number}");
        said(&state, &ids);
    }
}
