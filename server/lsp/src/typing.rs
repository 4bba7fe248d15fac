//! The state of typing in a document.
//!
//! What is just being typed causes no findings on other lines. These are shown when the typing has paused or the
//! document was saved. Findings are only held back from publishing and answers; they are computed anyway: which ones
//! are held back depends only on the text and the position of the last edit.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_ide::LastEdit;
use lofting_workspace::Snapshot;

/// How long nothing may be typed before everything is shown. Longer than it takes to think about the next keystroke,
/// short enough for users who have finished.
pub(crate) const PAUSE: Duration = Duration::from_secs(3);

/// The state of typing in a document.
#[derive(Debug, Clone)]
pub(crate) enum Typing {
    /// The user is typing, or has just opened it.
    Going {
        /// When it was last opened or edited.
        since: Instant,
        /// The last edit, if that is known.
        last: Option<LastEdit>,
    },
    /// It was saved, or nothing was typed for a while.
    Over,
}

impl Typing {
    /// It was opened or edited now.
    pub(crate) fn now(last: Option<LastEdit>) -> Self {
        Self::Going { since: Instant::now(), last }
    }

    /// The findings to show: the same list if these are all.
    pub(crate) fn shown(&self, snapshot: &Snapshot, file: FileId, found: Arc<[Diagnostic]>) -> Arc<[Diagnostic]> {
        match self {
            Self::Going { last, .. } => lofting_ide::without_half_typed(snapshot, file, found, last.as_ref()),
            Self::Over => found,
        }
    }
}

/// When each document was last typed in, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    due: VecDeque<(Instant, PathBuf)>,
}

impl Pauses {
    /// Records that a document was opened or edited now.
    pub(crate) fn begin(&mut self, path: PathBuf) {
        let due = Instant::now() + PAUSE;
        // Successive keys in one document are one entry.
        match self.due.back_mut() {
            Some(last) if last.1 == path => last.0 = due,
            _ => self.due.push_back((due, path)),
        }
    }

    /// When [`Pauses::take`] may return something.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.due.front().map(|(due, _)| *due)
    }

    /// The next document in which nothing was typed for a while.
    pub(crate) fn take(&mut self) -> Option<PathBuf> {
        let is_due = self.deadline().is_some_and(|due| due <= Instant::now());
        if is_due { self.due.pop_front().map(|(_, path)| path) } else { None }
    }
}
