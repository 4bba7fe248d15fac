//! What running the code of files gave.
//!
//! An [`Evaluated`] is a fact of a state, as a text is. Who runs code works on a state that does not change, and hands
//! over what came out; the owner of the workspace makes the next state of it, if all that was read is still so. A state
//! holds no evaluator unless somebody who may wait for code asked for one with it: nobody else can run any.

mod answers;
mod assertions;
mod callbacks;
mod due;
mod evaluate;
mod owner;
mod read_files;
mod runner;
mod typed;

pub(crate) use callbacks::Callbacks;
pub use due::Need;
pub(crate) use due::{is_due, waits_for_code, with_code};
pub(crate) use evaluate::{Code, Executed, Libraries, LibraryResult, evaluate_in, execute};
pub(crate) use read_files::Readers;
pub use runner::Runner;
pub(crate) use runner::{Lease, Programs};

use crate::files::file::File;
use crate::state::State;
use lofting_check::{Diagnostic, evaluation_failed, not_evaluated};
use lofting_document::{DocumentSet, FileId, Options, Span};
use lofting_eval::{EvalError, EvalErrorKind};
use lofting_memo::Stamp;
use read_files::Seen;
use rpds::HashTrieMapSync;
use std::path::PathBuf;
use std::sync::Arc;

/// What running a file gave.
pub(crate) struct Evaluated {
    /// Differs from that of all other contents.
    pub stamp: Stamp,
    /// The documents it made; where running failed, those it made without what failed, or as written.
    pub documents: Arc<DocumentSet>,
    /// The user's mistake or our limit that ended it.
    pub error: Option<Failure>,
    /// The text that was run, and how it was read.
    of: (Stamp, Options),
    /// What else was read, as it was then.
    read: Vec<(PathBuf, Seen)>,
    /// Keeps the functions of the run callable.
    _lease: Option<Lease>,
}

impl Evaluated {
    /// What else was read, as it was then.
    pub fn reads(&self) -> &[(PathBuf, Seen)] {
        &self.read
    }

    /// Whether what else was read is in a state as it was.
    pub fn reads_hold_in(&self, state: &State) -> bool {
        self.read.iter().all(|(path, seen)| Seen::now(state, path) == *seen)
    }

    /// Whether this is what running this state of the file gave.
    pub fn is_of(&self, file: &File) -> bool {
        self.of == (file.revision, file.options)
    }
}

/// What running a file gave, on its way to the owner of the workspace.
pub struct Evaluation {
    pub(crate) file: FileId,
    /// Of the input sets that said what the code can reach.
    pub(crate) sets: Stamp,
    pub(crate) evaluated: Arc<Evaluated>,
}

/// What was evaluated, by file. A copy costs nothing.
#[derive(Clone, Default)]
pub(crate) struct Evaluations(HashTrieMapSync<FileId, Arc<Evaluated>>);

impl Evaluations {
    /// What running this state of the file gave, if it was run.
    pub fn of(&self, file: &File) -> Option<&Arc<Evaluated>> {
        // Most workspaces have none.
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&file.id).filter(|evaluated| evaluated.is_of(file))
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

/// How a run ended, with places of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub error: EvalError,
    /// Where, the innermost frame first.
    pub frames: Vec<(Span, String)>,
    /// What else is wrong, in the same way.
    pub also: Vec<Failure>,
}

impl Failure {
    /// The file that the innermost place is in.
    pub(crate) fn file(&self) -> Option<FileId> {
        self.frames.first().map(|(span, _)| span.file)
    }

    /// The findings about it in `file`.
    pub(crate) fn findings(&self, file: FileId) -> Vec<Diagnostic> {
        self.finding(file).into_iter().chain(self.also.iter().filter_map(|other| other.finding(file))).collect()
    }

    /// The finding about it in `file`: at the innermost place that lies there.
    pub(crate) fn finding(&self, file: FileId) -> Option<Diagnostic> {
        let at = self.frames.iter().position(|(span, _)| span.file == file)?;
        let (span, _) = self.frames.get(at)?;
        if self.error.kind.is_error() {
            let calls: Vec<(Span, String)> = self.frames.iter().filter(|(other, _)| other != span).cloned().collect();
            return Some(evaluation_failed(*span, &self.error.message, self.error.hint.as_deref(), &calls));
        }
        // A user who switched evaluation off need not be told in every file.
        (self.error.kind != EvalErrorKind::Unavailable).then(|| not_evaluated(*span, &self.error.message))
    }
}
