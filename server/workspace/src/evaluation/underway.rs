//! Evaluations that go on in an editor, so that one ends as soon as its result is of no use.
//!
//! What is evaluated is a state that no edit changes, and a template may take seconds. The owner of the workspace says which
//! files get another text, and the thread that evaluates asks now and then whether these matter to it.

use lofting_memo::may_be_abandoned;
use parking_lot::Mutex;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, ThreadId};

/// The evaluations that go on. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Underway(Arc<Mutex<Vec<Arc<Subject>>>>);

/// The files of code, and what it has read.
pub(crate) type FilesOfCode = Arc<Mutex<FxHashSet<PathBuf>>>;

/// A file of code that has read nothing so far.
pub(super) fn files_of_code(path: &Path) -> FilesOfCode {
    Arc::new(Mutex::new([path.to_owned()].into_iter().collect()))
}

/// What an evaluation is about.
struct Subject {
    thread: ThreadId,
    files: FilesOfCode,
    /// Files that got another text since it began.
    changed: Mutex<Vec<PathBuf>>,
}

impl Subject {
    fn is_stale(&self) -> bool {
        let changed = self.changed.lock();
        !changed.is_empty() && {
            let files = self.files.lock();
            changed.iter().any(|path| files.contains(path))
        }
    }
}

impl Underway {
    /// Notes that code of these files runs until the result is dropped. Of work that goes on to its end, only what it reads is
    /// noted.
    pub fn begin(&self, files: FilesOfCode) -> Going<'_> {
        let subject = Arc::new(Subject { thread: thread::current().id(), files, changed: Mutex::default() });
        let may_end_early = may_be_abandoned();
        if may_end_early {
            self.0.lock().push(subject.clone());
        }
        Going { underway: self, subject, may_end_early, knows_values: Cell::new(false) }
    }

    /// A file gets another text, or is gone.
    pub fn changed(&self, path: &Path) {
        for subject in &*self.0.lock() {
            subject.changed.lock().push(path.to_owned());
        }
    }
}

/// An evaluation that goes on.
pub(crate) struct Going<'u> {
    underway: &'u Underway,
    subject: Arc<Subject>,
    may_end_early: bool,
    knows_values: Cell<bool>,
}

impl Going<'_> {
    /// Notes a file that its code read.
    pub fn reads(&self, path: &Path) {
        self.subject.files.lock().insert(path.to_owned());
    }

    /// Notes the files whose data values it sees, which are asked for once.
    pub fn sees_values(&self, files: impl FnOnce() -> Vec<PathBuf>) {
        if self.may_end_early && !self.knows_values.replace(true) {
            self.subject.files.lock().extend(files());
        }
    }

    /// Whether its result is of use, and those of the evaluations of this thread that wait for it.
    pub fn is_wanted(&self) -> bool {
        let is_stale = |other: &Arc<Subject>| other.thread == self.subject.thread && other.is_stale();
        !self.may_end_early || !self.underway.0.lock().iter().any(is_stale)
    }
}

impl Drop for Going<'_> {
    fn drop(&mut self) {
        if self.may_end_early {
            self.underway.0.lock().retain(|other| !Arc::ptr_eq(other, &self.subject));
        }
    }
}
