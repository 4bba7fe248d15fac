//! Which files were read by running code, so that a change of one of them makes the code run again.

use crate::disk::Stat;
use lofting_document::FileId;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files read by code, with those whose code did it. Filled by whoever runs code, on any thread.
#[derive(Default)]
pub(crate) struct LoadedFiles {
    by_path: Mutex<FxHashMap<PathBuf, Loaded>>,
}

struct Loaded {
    /// State of the file on disk when it was read first.
    stat: Option<Stat>,
    loaders: Vec<FileId>,
}

impl LoadedFiles {
    fn map(&self) -> MutexGuard<'_, FxHashMap<PathBuf, Loaded>> {
        self.by_path.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the code of `loader` read `path`.
    pub fn note(&self, path: &Path, loader: FileId) {
        let mut map = self.map();
        let loaded = map.entry(path.to_owned()).or_insert_with(|| Loaded { stat: Stat::of(path), loaders: Vec::new() });
        if !loaded.loaders.contains(&loader) {
            loaded.loaders.push(loader);
        }
    }

    /// The files whose code read `path`; they are forgotten until their code runs again.
    pub fn take_loaders(&self, path: &Path) -> Vec<FileId> {
        let mut map = self.map();
        if map.is_empty() {
            return Vec::new();
        }
        map.remove(path).map(|loaded| loaded.loaders).unwrap_or_default()
    }

    /// Files that are not on disk any more as they were when they were read.
    pub fn changed_on_disk(&self) -> Vec<PathBuf> {
        let map = self.map();
        map.iter().filter(|(path, loaded)| Stat::of(path) != loaded.stat).map(|(path, _)| path.clone()).collect()
    }
}
