//! Which files were read by running code, so that a change of one of them makes the code run again.

use crate::disk::Stat;
use lofting_document::FileId;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files read by code, with those whose code did it. Filled by whoever runs code, on any thread.
#[derive(Default)]
pub(crate) struct LoadedFiles {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    by_path: FxHashMap<PathBuf, Loaded>,
    /// Number of the last change.
    change: u64,
    /// Changes while code runs: who reads the file as it was before has to run again.
    changed: FxHashMap<PathBuf, u64>,
    /// Runs that go on.
    running: usize,
}

/// A run of a file's code that goes on.
pub(crate) struct Running<'l> {
    loaded: &'l LoadedFiles,
    loader: FileId,
    /// The last change before it.
    since: u64,
}

impl Running<'_> {
    /// Whether a file changed after the run began that it read, perhaps as it was before.
    pub fn is_outdated(&self) -> bool {
        let inner = self.loaded.inner();
        let is_newer = |path: &PathBuf| inner.changed.get(path).is_some_and(|change| *change > self.since);
        !inner.changed.is_empty()
            && inner.by_path.iter().any(|(path, loaded)| loaded.loaders.contains(&self.loader) && is_newer(path))
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut inner = self.loaded.inner();
        inner.running = inner.running.saturating_sub(1);
        if inner.running == 0 {
            inner.changed.clear();
        }
    }
}

struct Loaded {
    /// State of the file on disk when it was read first.
    stat: Option<Stat>,
    loaders: Vec<FileId>,
}

impl LoadedFiles {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The code of `loader` begins to run.
    pub fn begin(&self, loader: FileId) -> Running<'_> {
        let mut inner = self.inner();
        inner.running += 1;
        Running { loaded: self, loader, since: inner.change }
    }

    /// Notes that the code of `loader` read `path`.
    pub fn note(&self, path: &Path, loader: FileId) {
        let mut inner = self.inner();
        let loaded = inner
            .by_path
            .entry(path.to_owned())
            .or_insert_with(|| Loaded { stat: Stat::of(path), loaders: Vec::new() });
        if !loaded.loaders.contains(&loader) {
            loaded.loaders.push(loader);
        }
    }

    /// The files whose code read `path`, which has changed; they are forgotten until their code runs again.
    pub fn take_loaders(&self, path: &Path) -> Vec<FileId> {
        let mut inner = self.inner();
        if inner.running > 0 {
            inner.change += 1;
            let change = inner.change;
            inner.changed.insert(path.to_owned(), change);
        }
        if inner.by_path.is_empty() {
            return Vec::new();
        }
        inner.by_path.remove(path).map(|loaded| loaded.loaders).unwrap_or_default()
    }

    /// All files that code read.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.inner().by_path.keys().cloned().collect()
    }

    /// Files that are not on disk any more as they were when they were read.
    pub fn changed_on_disk(&self) -> Vec<PathBuf> {
        let inner = self.inner();
        inner
            .by_path
            .iter()
            .filter(|(path, loaded)| Stat::of(path) != loaded.stat)
            .map(|(path, _)| path.clone())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::LoadedFiles;
    use lofting_document::FileId;
    use std::path::Path;

    #[test]
    fn who_reads_what_changed_meanwhile_runs_again() {
        let loaded = LoadedFiles::default();
        let (a, b) = (Path::new("/a.star"), Path::new("/b.star"));
        let running = loaded.begin(FileId(1));
        loaded.take_loaders(a);
        loaded.note(b, FileId(1));
        assert!(!running.is_outdated());
        loaded.note(a, FileId(1));
        assert!(running.is_outdated());
        drop(running);
        // A run that begins now reads what is there now.
        let running = loaded.begin(FileId(1));
        loaded.note(a, FileId(1));
        assert!(!running.is_outdated());
    }
}
