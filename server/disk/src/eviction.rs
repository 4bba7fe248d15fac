//! Deletes what a folder of copies holds beyond its limits.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::Folder;

/// Limits on all copies in a folder together.
#[derive(Debug, Clone, Copy)]
pub struct CopyLimits {
    /// Their size in bytes.
    pub bytes: u64,
    /// How long a copy is kept that was not written again.
    pub time: Duration,
}

impl Default for CopyLimits {
    fn default() -> Self {
        // More than a single command makes, so that its own copies are not deleted while it runs.
        CopyLimits { bytes: 512 * 1024 * 1024, time: Duration::from_secs(90 * 24 * 60 * 60) }
    }
}

/// The files that differ only in what follows the last dot: they are deleted together.
#[derive(Default)]
struct Copy {
    files: Vec<PathBuf>,
    /// In bytes.
    size: u64,
    /// When one of them was last written.
    changed: Option<SystemTime>,
}

impl Folder {
    /// Deletes copies that are too old, and the oldest ones until three quarters of the limit are left if there is more.
    /// Returns the size of those that are left, in bytes. Copies are files in the directories of this one whose names
    /// without what follows the last dot are `ours`; other files are not touched.
    pub fn evict(&self, limits: CopyLimits, now: SystemTime, ours: impl Fn(&str) -> bool) -> u64 {
        let mut copies = self.copies(ours);
        let total: u64 = copies.iter().map(|copy| copy.size).sum();
        let most = if total > limits.bytes { limits.bytes / 4 * 3 } else { limits.bytes };
        copies.sort_by_key(|copy| Reverse(copy.changed));
        let mut left = 0;
        for (index, copy) in copies.iter().enumerate() {
            let age = copy.changed.and_then(|changed| now.duration_since(changed).ok());
            let is_old = age.is_some_and(|age| age > limits.time);
            // The newest one was stored just now, and is about to be read.
            if !is_old && (index == 0 || left + copy.size <= most) {
                left += copy.size;
                continue;
            }
            for file in &copy.files {
                // What cannot be deleted still takes its place.
                if self.remove(file).is_err() {
                    left += self.stat(file).map_or(0, |(size, _)| size);
                }
            }
        }
        left
    }

    fn copies(&self, ours: impl Fn(&str) -> bool) -> Vec<Copy> {
        let mut copies: BTreeMap<PathBuf, Copy> = BTreeMap::new();
        for inner in self.names(Path::new("")).unwrap_or_default() {
            let inner = Path::new(&inner);
            for name in self.names(inner).unwrap_or_default() {
                let Some(stem) = Path::new(&name).file_stem().and_then(OsStr::to_str).filter(|stem| ours(stem)) else {
                    continue;
                };
                let file = inner.join(&name);
                let Some((size, changed)) = self.stat(&file) else { continue };
                let copy = copies.entry(inner.join(stem)).or_default();
                copy.files.push(file);
                copy.size += size;
                copy.changed = copy.changed.max(changed);
            }
        }
        copies.into_values().collect()
    }
}
