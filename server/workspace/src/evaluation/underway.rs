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

/// What an evaluation is about.
struct Subject {
    thread: ThreadId,
    /// The template, and what it has read so far.
    read: Mutex<FxHashSet<PathBuf>>,
    /// Files that got another text since it began.
    changed: Mutex<Vec<PathBuf>>,
}

impl Subject {
    fn is_stale(&self) -> bool {
        let changed = self.changed.lock();
        !changed.is_empty() && {
            let read = self.read.lock();
            changed.iter().any(|path| read.contains(path))
        }
    }
}

impl Underway {
    /// Notes that a template is evaluated until the result is dropped; nothing is noted of work that goes on to its end.
    pub fn begin(&self, template: &Path) -> Going<'_> {
        let subject = may_be_abandoned().then(|| {
            let read = Mutex::new([template.to_owned()].into_iter().collect());
            let subject = Arc::new(Subject { thread: thread::current().id(), read, changed: Mutex::default() });
            self.0.lock().push(subject.clone());
            subject
        });
        Going { underway: self, subject, knows_values: Cell::new(false) }
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
    /// None if it goes on to its end.
    subject: Option<Arc<Subject>>,
    knows_values: Cell<bool>,
}

impl Going<'_> {
    /// Notes a file that its code read.
    pub fn reads(&self, path: &Path) {
        if let Some(subject) = &self.subject {
            subject.read.lock().insert(path.to_owned());
        }
    }

    /// Notes the files whose data values it sees, which are asked for once.
    pub fn sees_values(&self, files: impl FnOnce() -> Vec<PathBuf>) {
        if let Some(subject) = self.subject.as_ref().filter(|_| !self.knows_values.replace(true)) {
            subject.read.lock().extend(files());
        }
    }

    /// Whether its result is of use, and those of the evaluations of this thread that wait for it.
    pub fn is_wanted(&self) -> bool {
        let Some(subject) = &self.subject else { return true };
        let going = self.underway.0.lock();
        !going.iter().any(|other| other.thread == subject.thread && other.is_stale())
    }
}

impl Drop for Going<'_> {
    fn drop(&mut self) {
        if let Some(subject) = &self.subject {
            self.underway.0.lock().retain(|other| !Arc::ptr_eq(other, subject));
        }
    }
}
