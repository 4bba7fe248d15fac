//! The results of a call's templates from its last rendering, kept so that after a keystroke only those run that the
//! keystroke can have changed.
//!
//! Code has neither clock nor randomness: a template gives the same result as long as its text, its input set, its data
//! values and all files that it read are the same. Those that evaluate private libraries run always, because a library
//! also depends on what others address to it; the templates inside it are remembered like all others.

use crate::caches::weight;
use crate::evaluation::state::EvaluatedState;
use crate::evaluation::{Executed, Seen};
use crate::files::file::File;
use crate::input_sets::sets::CallId;
use lofting_document::{FileId, Fingerprint, Options};
use lofting_memo::Stamp;
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes of output are remembered, approximately.
const MOST: usize = 32 * 1024 * 1024;

/// A template in a rendering of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RunId {
    pub call: CallId,
    pub file: FileId,
    pub options: Options,
    /// The directory of its library, and its path inside ytt.
    pub library: String,
    pub name: String,
    /// The data values that it gets.
    pub values: Fingerprint,
}

/// What templates gave. Clones share it.
#[derive(Clone)]
pub(crate) struct LastRuns {
    kept: Arc<Mutex<KeptRuns>>,
    renderings: Arc<AtomicU64>,
    /// How many bytes are remembered, approximately.
    most: usize,
}

impl Default for LastRuns {
    fn default() -> Self {
        LastRuns::of(MOST)
    }
}

#[derive(Default)]
struct KeptRuns {
    runs: FxHashMap<RunId, LastRun>,
    /// The sizes of all runs together.
    size: usize,
}

impl KeptRuns {
    fn forget(&mut self, goes: impl Fn(&RunId, &LastRun) -> bool) -> Vec<LastRun> {
        let gone: Vec<LastRun> = self.runs.extract_if(|id, run| goes(id, run)).map(|(_, run)| run).collect();
        self.size -= gone.iter().map(|run| run.size).sum::<usize>();
        gone
    }
}

struct LastRun {
    revision: Stamp,
    sets: Stamp,
    read: Vec<(PathBuf, Seen)>,
    executed: Arc<Executed>,
    size: usize,
    /// The last rendering that needed it.
    used: u64,
}

impl LastRuns {
    /// Remembers up to a number of bytes.
    pub fn of(most: usize) -> LastRuns {
        LastRuns { kept: Arc::default(), renderings: Arc::default(), most }
    }

    /// The number of a rendering that begins.
    pub fn begin(&self) -> u64 {
        self.renderings.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// What a template gave, if it would give the same now.
    pub fn get(&self, state: &EvaluatedState, file: &File, id: &RunId, rendering: u64) -> Option<Arc<Executed>> {
        let mut kept = self.lock();
        let run = kept.runs.get_mut(id)?;
        let same = run.revision == file.revision && run.sets == state.sets.stamp;
        if !same || !run.read.iter().all(|(path, seen)| Seen::now(state, path) == *seen) {
            return None;
        }
        run.used = run.used.max(rendering);
        Some(run.executed.clone())
    }

    /// Remembers what a template gave, unless too much is remembered already.
    pub fn put(
        &self,
        state: &EvaluatedState,
        file: &File,
        id: RunId,
        rendering: u64,
        read: Vec<(PathBuf, Seen)>,
        executed: &Arc<Executed>,
    ) {
        let size = size(executed);
        let mut kept = self.lock();
        let mut gone: Vec<LastRun> = kept.runs.remove(&id).into_iter().collect();
        kept.size -= gone.iter().map(|run| run.size).sum::<usize>();
        if kept.size + size > self.most {
            // What is left of calls that are gone is among the oldest.
            gone.extend(kept.forget(|_, run| run.used < rendering));
        }
        if kept.size + size <= self.most {
            let (revision, sets, executed) = (file.revision, state.sets.stamp, executed.clone());
            kept.size += size;
            kept.runs.insert(id, LastRun { revision, sets, read, executed, size, used: rendering });
        }
        drop(kept);
        // Their functions are given back to the evaluator, which takes a lock of its own.
        drop(gone);
    }

    /// Forgets what a rendering of a call did not need any more.
    pub fn end(&self, call: CallId, rendering: u64) {
        let gone = self.lock().forget(|id, run| id.call == call && run.used < rendering);
        drop(gone);
    }

    /// How many bytes are remembered, approximately, and how many of them for the largest run.
    #[cfg(test)]
    pub fn held(&self) -> (usize, usize) {
        let kept = self.lock();
        (kept.size, kept.runs.values().map(|run| run.size).max().unwrap_or_default())
    }

    fn lock(&self) -> MutexGuard<'_, KeptRuns> {
        // Every change is complete before something can panic.
        self.kept.lock()
    }
}

fn size(executed: &Executed) -> usize {
    let text = executed.text.as_ref().map_or(0, String::len);
    size_of::<LastRun>()
        + text
        + executed.documents.iter().map(|document| weight::of_node(&document.value)).sum::<usize>()
}
