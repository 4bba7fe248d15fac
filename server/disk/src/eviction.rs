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

/// So far the clock of a file server may be ahead.
const AHEAD: Duration = Duration::from_secs(24 * 60 * 60);

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
        // What was written while the clock was wrong would be the newest for years, and everything else would be deleted.
        let is_ahead = |changed: &SystemTime| changed.duration_since(now).is_ok_and(|ahead| ahead > AHEAD);
        copies.sort_by_key(|copy| Reverse(copy.changed.filter(|changed| !is_ahead(changed))));
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

#[cfg(test)]
mod tests {
    use super::CopyLimits;
    use crate::{Access, Folder};
    use std::fs::File;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    /// Copies that were last written at these times, in days from now, and those that are kept.
    fn kept(days: &[i64], limits: CopyLimits) -> Vec<usize> {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().canonicalize().expect("its path");
        let folder = Folder::at(&path, false).expect("a folder");
        let now = SystemTime::now();
        for (number, days) in days.iter().enumerate() {
            let name = format!("a/{number}.copy");
            folder.write(Path::new(&name), &[0; 100], Access::Quick).expect("it is written");
            let away = Duration::from_secs(days.unsigned_abs() * 24 * 60 * 60);
            let time = if *days < 0 { now - away } else { now + away };
            let file = File::options().write(true).open(path.join(name)).expect("the copy");
            file.set_modified(time).expect("a time");
        }
        folder.evict(limits, now, |_| true);
        (0..days.len()).filter(|number| path.join(format!("a/{number}.copy")).exists()).collect()
    }

    #[test]
    fn a_clock_that_was_wrong_costs_no_new_copy() {
        let limits = CopyLimits { bytes: 250, time: Duration::from_secs(90 * 24 * 60 * 60) };
        assert_eq!(kept(&[0, -1, -2], limits), [0]);
        // Three were written when the clock was years ahead.
        assert_eq!(kept(&[3000, 3001, 3002, 0], limits), [3]);
        // Nothing has to be deleted, whatever the clock says.
        assert_eq!(kept(&[3000, 0], limits), [0, 1]);
        // A clock that is ahead now makes everything old.
        assert_eq!(kept(&[-91, 0], limits), [1]);
    }
}
