//! Workspaces for tests, from several files in one text (`lofting_fixture`).

use crate::evaluation::Need;
use crate::findings::diagnostics::Asked;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;
use crate::workspace::sets::Taken;
use lofting_document::FileId;
use lofting_memo::CancelFlag;
use lofting_text::Encoding;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) struct Fixture {
    pub directory: tempfile::TempDir,
    pub workspace: Workspace,
}

impl Fixture {
    /// Files on disk, workspace scanned.
    pub fn scanned(text: &str) -> Fixture {
        let mut fixture = Fixture::new(text, Settings::default());
        fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
        fixture
    }

    /// Files on disk, nothing looked at yet.
    pub fn new(text: &str, settings: Settings) -> Fixture {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        for lofting_fixture::File { path, text } in lofting_fixture::files(text) {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Fixture { directory, workspace: Workspace::new(vec![root], settings) }
    }

    pub fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn id(&self, path: &str) -> FileId {
        self.workspace.snapshot().file(&self.path(path)).unwrap_or_else(|| panic!("{path} is not known"))
    }

    pub fn open(&mut self, path: &str, text: &str) -> FileId {
        self.workspace.open(&self.path(path), 1, text)
    }

    /// Replaces the first occurrence of `old` in an open file by an edit.
    pub fn edit(&mut self, path: &str, old: &str, new: &str) {
        let id = self.id(path);
        let snapshot = self.workspace.snapshot();
        let start = snapshot.text(id).to_string().find(old).unwrap();
        let version = snapshot.version(id).unwrap() + 1;
        self.workspace.edit(id, version, start..start + old.len(), new);
    }

    /// Resolves the sets that are left to others, as these would; how often there was something to do.
    pub fn resolve_sets(&mut self) -> usize {
        let mut jobs = 0;
        while let Some(job) = self.workspace.take_sets_job() {
            jobs += 1;
            let mut found = job.run();
            while self.workspace.take_sets(&mut found, 2) == Taken::More {}
        }
        jobs
    }

    /// Runs the searches for schemas that are left to jobs, and returns how many there were.
    pub fn search_schemas(&mut self) -> usize {
        let mut jobs = 0;
        while let Some(job) = self.workspace.take_schema_search() {
            jobs += 1;
            let mut found = job.run();
            while self.workspace.take_schemas_found(&mut found, 2) == Taken::More {}
        }
        jobs
    }

    /// Kind and reason of every file.
    pub fn explain(&self) -> String {
        let snapshot = self.workspace.snapshot();
        let mut lines: Vec<String> = snapshot
            .files()
            .map(|id| {
                let association = snapshot.association(id);
                check_signs(&snapshot, id);
                let sets: Vec<String> = association
                    .schemas()
                    .map(|schema| {
                        let files: Vec<String> = schema.state.files.iter().map(|id| snapshot.shown_path(*id)).collect();
                        let plain = if schema.plain { " plain" } else { "" };
                        format!("[{}{plain}]", files.join(" "))
                    })
                    .collect();
                let kind = snapshot.kind(id);
                format!("{} {kind:?} {}{}\n", snapshot.shown_path(id), sets.join(" "), association.reason)
            })
            .collect();
        lines.sort();
        lines.concat()
    }

    /// The findings of a file, with all code run.
    pub fn diagnostics(&self, path: &str) -> String {
        let (snapshot, file) = (self.snapshot(path), self.id(path));
        check_signs(&snapshot, file);
        shown(&snapshot, file)
    }

    /// The snapshot after all code has run and its results were applied.
    pub fn evaluated(&mut self, path: &str) -> Snapshot {
        let id = self.id(path);
        self.workspace.evaluate(&[id], Need::Values, 1)
    }

    fn snapshot(&self, path: &str) -> Snapshot {
        self.workspace.snapshot().with_code(&[self.id(path)], Need::Values, &self.workspace.runner(), 1, &mut |_| {})
    }
}

/// A file that has a schema of ytt has a sign of that.
fn check_signs(snapshot: &Snapshot, file: FileId) {
    let has_schema = !snapshot.reads(file).schemas.is_empty() || snapshot.association(file).schema.is_some();
    assert!(!has_schema || snapshot.may_use_schema(file), "{} has a schema", snapshot.shown_path(file));
}

/// Which files are checked in a later state that need not be for an earlier one, in the order given.
pub(crate) fn checked_again(before: &Snapshot, after: &Snapshot, files: &[FileId]) -> Vec<FileId> {
    let found = |snapshot: &Snapshot, file: FileId| {
        let file = snapshot.state.file(file).expect("a known file").clone();
        Asked::of(&snapshot.state, &file).remembered(&CancelFlag::new()).expect("it is not cancelled")
    };
    let earlier: Vec<_> = files.iter().map(|file| found(before, *file)).collect();
    let later = files.iter().zip(earlier);
    later.filter(|(file, earlier)| !Arc::ptr_eq(earlier, &found(after, **file))).map(|(file, _)| *file).collect()
}

/// Findings as `line:column code message`.
pub(crate) fn shown(snapshot: &Snapshot, id: FileId) -> String {
    let text = snapshot.text(id);
    let found = snapshot.diagnostics(id, &CancelFlag::new());
    let lines = found.iter().map(|finding| {
        let at = text.position(finding.span.range().start, Encoding::Utf32);
        format!("{}:{} {} {}\n", at.line + 1, at.column + 1, finding.code(), finding.message)
    });
    lines.collect()
}

pub(crate) fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}
