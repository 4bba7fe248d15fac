//! Which files the code of a file read, and which code read a file.

use crate::disk::Stat;
use crate::evaluation::state::EvaluatedState;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

/// A file as code saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A text that the workspace knows.
    Known(Stamp),
    /// On disk, or missing.
    Disk(Option<Stat>),
}

impl Seen {
    /// The current content of `path` in a state.
    pub fn now(state: &EvaluatedState, path: &Path) -> Seen {
        match state.file_at(path) {
            Some(file) if file.exists() => Seen::Known(file.revision),
            _ => Seen::Disk(Stat::of(path)),
        }
    }

    /// Whether it was read from disk and has changed there. Changes of known texts are noticed in another way.
    pub fn is_other_on_disk(self, path: &Path) -> bool {
        matches!(self, Seen::Disk(stat) if stat != Stat::of(path))
    }
}

/// The files that an evaluation has read so far.
#[derive(Default)]
pub(crate) struct ReadFiles {
    files: RefCell<FxHashMap<PathBuf, Seen>>,
    evaluated_library: Cell<bool>,
}

impl ReadFiles {
    /// Notes that code asked for `path`, whether the file exists or not.
    pub fn note(&self, state: &EvaluatedState, path: &Path) {
        let mut read = self.files.borrow_mut();
        if !read.contains_key(path) {
            read.insert(path.to_owned(), Seen::now(state, path));
        }
    }

    /// Notes that code had a private library evaluated, which depends on more than files.
    pub fn note_library(&self) {
        self.evaluated_library.set(true);
    }

    /// Whether code had a private library evaluated.
    pub fn evaluated_library(&self) -> bool {
        self.evaluated_library.get()
    }

    pub fn into_list(self) -> Vec<(PathBuf, Seen)> {
        self.files.into_inner().into_iter().collect()
    }
}

/// For each path the files whose code read it, which have to run again when it changes.
#[derive(Default)]
pub(crate) struct Readers(FxHashMap<PathBuf, FxHashSet<FileId>>);

impl Readers {
    /// Notes what the code of `reader` read.
    pub fn add(&mut self, reader: FileId, read: &[(PathBuf, Seen)]) {
        for (path, _) in read {
            self.0.entry(path.clone()).or_default().insert(reader);
        }
    }

    /// The files whose code read `path`. They are removed, and added again when their code runs.
    pub fn take(&mut self, path: &Path) -> Vec<FileId> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let mut readers: Vec<FileId> = self.0.remove(path).into_iter().flatten().collect();
        readers.sort_unstable();
        readers
    }
}
