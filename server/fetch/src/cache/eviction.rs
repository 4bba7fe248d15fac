//! Deletes copies beyond the limits.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lofting_disk::Folder;

use super::{DIGEST, note};

/// Limits on all copies together.
#[derive(Debug, Clone, Copy)]
pub struct CopyLimits {
    /// Their size in bytes.
    pub bytes: u64,
    /// How long a copy is kept that no server sent or confirmed again.
    pub time: Duration,
}

impl Default for CopyLimits {
    fn default() -> Self {
        // More than a single command fetches, so that its own documents are not deleted while it runs.
        CopyLimits { bytes: 512 * 1024 * 1024, time: Duration::from_secs(90 * 24 * 60 * 60) }
    }
}

/// A copy with its note.
struct StoredCopy {
    name: PathBuf,
    size: u64,
    /// When a server last sent or confirmed it.
    changed: SystemTime,
}

/// Deletes copies that are too old, and the oldest ones until three quarters of the limit are left if there is more.
/// Returns the size of those that are left. Files that are not copies are not touched.
pub(super) fn evict(folder: &Folder, kept: CopyLimits, now: SystemTime) -> u64 {
    let mut entries = entries(folder);
    let total: u64 = entries.iter().map(|entry| entry.size).sum();
    let most = if total > kept.bytes { kept.bytes / 4 * 3 } else { kept.bytes };
    entries.sort_by_key(|entry| Reverse(entry.changed));
    let mut left = 0;
    for (index, entry) in entries.iter().enumerate() {
        let is_old = now.duration_since(entry.changed).is_ok_and(|age| age > kept.time);
        // The newest one was stored just now, and is about to be read.
        if !is_old && (index == 0 || left + entry.size <= most) {
            left += entry.size;
            continue;
        }
        // What cannot be deleted still takes its place.
        let _ = folder.remove(&note(&entry.name));
        if folder.remove(&entry.name).is_err() && folder.stat(&entry.name).is_some() {
            left += entry.size;
        }
    }
    left
}

/// The copies in the folder.
fn entries(folder: &Folder) -> Vec<StoredCopy> {
    let mut entries = Vec::new();
    for host in folder.names(Path::new("")).unwrap_or_default() {
        let host = Path::new(&host);
        for name in folder.names(host).unwrap_or_default().into_iter().filter(|name| is_copy(name)) {
            let name = host.join(name);
            let Some((size, changed)) = folder.stat(&name) else { continue };
            let (beside, confirmed) = folder.stat(&note(&name)).unwrap_or_default();
            let changed = confirmed.max(changed).unwrap_or(SystemTime::UNIX_EPOCH);
            entries.push(StoredCopy { name, size: size + beside, changed });
        }
    }
    entries
}

/// Whether a name is one that this program gives to copies.
fn is_copy(name: &OsStr) -> bool {
    let stem = name.to_str().and_then(|name| name.strip_suffix(".json"));
    let digest = stem.and_then(|stem| stem.rsplit_once('-')).map(|(_, digest)| digest);
    digest.is_some_and(|digest| digest.len() == 2 * DIGEST && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
