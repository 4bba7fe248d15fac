//! The results of running the code of files.
//!
//! An [`Evaluated`] is a fact of a state, like a text. Code is run on an immutable state and its result is handed to
//! the owner of the workspace, who makes the next state from it if everything that was read is still unchanged. A state
//! has no evaluator unless a caller that may wait for code asked for a state with one, so no other code can run
//! anything.

mod answers;
mod assertions;
mod callbacks;
mod evaluate;
mod last_runs;
mod read_files;
mod runner;
pub(crate) mod scope;
pub(crate) mod state;
mod typed;
mod underway;

pub(crate) use callbacks::Callbacks;
pub(crate) use evaluate::{Code, Executed, Libraries, LibraryResult, compiled, evaluate_in, execute, run};
pub(crate) use last_runs::{LastRuns, RunId};
pub(crate) use read_files::{ReadFiles, Readers, Seen};
pub use runner::Runner;
pub(crate) use runner::{Lease, Programs};
pub(crate) use scope::{Scope, file_of};
pub(crate) use underway::{FilesOfCode, Underway};

use crate::evaluation::state::EvaluatedState;
use crate::files::file::File;
use lofting_check::{Diagnostic, evaluation_failed, not_evaluated};
use lofting_document::{DocumentSet, FileId, Options, Span};
use lofting_eval::{EvalError, EvalErrorKind};
use lofting_memo::{Stamp, recorder};
use rpds::HashTrieMapSync;
use std::path::PathBuf;
use std::sync::Arc;

/// The result of running a file.
pub(crate) struct Evaluated {
    /// Differs from the stamps of all other contents.
    pub stamp: Stamp,
    /// The documents it produced. If running failed, those without the failing parts, or as written.
    pub documents: Arc<DocumentSet>,
    /// The error, or the limit, that ended it.
    pub error: Option<Failure>,
    /// The text that was run, and its options.
    of: (Stamp, Options),
    /// The other files that were read, as they were at that time.
    read: Vec<(PathBuf, Seen)>,
    /// Keeps the functions of the run callable.
    _lease: Option<Lease>,
}

impl Evaluated {
    /// The other files that were read, as they were at that time.
    pub fn reads(&self) -> &[(PathBuf, Seen)] {
        &self.read
    }

    /// Adds other files that were looked for.
    pub fn add_reads(&mut self, reads: impl IntoIterator<Item = (PathBuf, Seen)>) {
        self.read.extend(reads);
    }

    /// Whether the other files that were read are unchanged in a state.
    pub fn reads_hold_in(&self, state: &EvaluatedState) -> bool {
        self.read.iter().all(|(path, seen)| Seen::now(state, path) == *seen)
    }

    /// Whether it is the result for this state of the file.
    pub fn is_of(&self, file: &File) -> bool {
        self.of == (file.revision, file.options)
    }
}

/// The result of running a file, on its way to the owner of the workspace.
pub struct Evaluation {
    pub(crate) file: FileId,
    /// The stamp of the input sets that determined what the code can reach.
    pub(crate) sets: Stamp,
    pub(crate) evaluated: Arc<Evaluated>,
}

/// The results by file. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Evaluations(HashTrieMapSync<FileId, Arc<Evaluated>>);

impl Evaluations {
    /// The result for this state of the file, if it was run.
    pub fn of(&self, file: &File) -> Option<&Arc<Evaluated>> {
        let found = self.known(file);
        recorder::read("what running gave of", stamp_of(found, file), || file.path.display().to_string());
        found
    }

    fn known(&self, file: &File) -> Option<&Arc<Evaluated>> {
        // Most workspaces have no code.
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&file.id).filter(|evaluated| evaluated.is_of(file))
    }

    /// Changes with the text of a file, and when its code is run.
    pub fn stamp(&self, file: &File) -> Stamp {
        let found = self.known(file);
        let stamp = stamp_of(found, file);
        if stamp != file.revision {
            recorder::stands_for(stamp, [file.revision]);
        }
        stamp
    }

    /// Whether any state of the file was run.
    pub fn has(&self, file: FileId) -> bool {
        self.0.contains_key(&file)
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<Evaluated>)> {
        self.0.iter().map(|(file, evaluated)| (*file, evaluated))
    }

    pub fn put(&mut self, file: FileId, evaluated: Arc<Evaluated>) {
        self.0.insert_mut(file, evaluated);
    }

    pub fn remove(&mut self, file: FileId) -> bool {
        self.0.remove_mut(&file)
    }
}

fn stamp_of(found: Option<&Arc<Evaluated>>, file: &File) -> Stamp {
    let of_text = if file.is_coded() { file.revision.before() } else { file.revision };
    found.map_or(of_text, |evaluated| evaluated.stamp)
}

/// How a run failed, with places in the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub error: EvalError,
    /// The call stack, innermost frame first.
    pub frames: Vec<(Span, String)>,
    /// Further errors of the same kind.
    pub also: Vec<Failure>,
}

impl Failure {
    /// The file of the innermost place.
    pub(crate) fn file(&self) -> Option<FileId> {
        self.frames.first().map(|(span, _)| span.file)
    }

    /// The findings about the failure in `file`.
    pub(crate) fn findings(&self, file: FileId) -> Vec<Diagnostic> {
        self.finding(file).into_iter().chain(self.also.iter().filter_map(|other| other.finding(file))).collect()
    }

    /// The finding about the failure in `file`: at the innermost place in it.
    pub(crate) fn finding(&self, file: FileId) -> Option<Diagnostic> {
        let (span, _) = self.frames.iter().find(|(span, _)| span.file == file)?;
        if self.error.kind.is_error() {
            let (message, hint) = (&self.error.message, self.error.hint.as_deref());
            return Some(evaluation_failed(*span, message, hint, &self.frames));
        }
        // A user who switched evaluation off need not be reminded in every file.
        (self.error.kind != EvalErrorKind::Unavailable).then(|| not_evaluated(*span, &self.error.message))
    }
}

/// Why code is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The findings of a file.
    Findings,
    /// The data values that are merged with those of a file, or that its code reads.
    Values,
}

/// Whether the code of a file still has to run. Only schema and values files are run: an ordinary template reads data
/// values, which exist only after these are merged, so it would fail without being wrong.
pub(crate) fn is_due(state: &EvaluatedState, file: &File) -> bool {
    if !file.is_coded() || state.evaluations.of(file).is_some() {
        return false;
    }
    let holds = file.holds();
    (holds.schema || holds.values) && file.needs_run()
}
