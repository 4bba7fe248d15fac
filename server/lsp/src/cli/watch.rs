//! `--watch`: does the work again whenever a file that was read has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use lofting_workspace::Snapshot;

use crate::terminal;

/// How often files are checked: rarely enough to cost nothing, often enough after a save.
const EVERY: Duration = Duration::from_millis(200);

/// The look at all files takes at most this part of the time.
const PART: u32 = 10;

/// By so much a clock is moved to keep it right.
const TOLERANCE: Duration = Duration::from_millis(500);

/// What was read.
#[derive(Default)]
pub(super) struct WhatWasRead {
    /// The files.
    pub(super) files: Vec<PathBuf>,
    /// Directories in which files may be added or removed.
    pub(super) directories: Vec<PathBuf>,
}

impl WhatWasRead {
    /// The files of a snapshot, and the directories that contain them, up to the current one. What is in `written` is
    /// excluded.
    pub(super) fn of(snapshot: &Snapshot, written: Option<&Path>) -> WhatWasRead {
        let here = std::env::current_dir().unwrap_or_default();
        let is_read = |path: &PathBuf| path.is_absolute() && written.is_none_or(|written| !path.starts_with(written));
        let files: Vec<PathBuf> = snapshot.files().map(|file| snapshot.path(file).to_owned()).filter(is_read).collect();
        let mut directories = BTreeSet::from([here.clone()]);
        for file in &files {
            let above = file.ancestors().skip(1);
            // Directories outside the current one are not followed upwards.
            let most = if file.starts_with(&here) { usize::MAX } else { 1 };
            directories
                .extend(above.take_while(|above| most == 1 || above.starts_with(&here)).take(most).map(Path::to_owned));
        }
        WhatWasRead { files, directories: directories.into_iter().collect() }
    }
}

/// Does the work, and again after each change, until the process is ended. If it fails before it has read anything, the
/// files of the previous time are watched.
pub(super) fn watch(mut work: impl FnMut() -> (ExitCode, Option<WhatWasRead>)) -> ExitCode {
    let mut read = WhatWasRead::default();
    loop {
        let (begun, started) = (SystemTime::now(), Instant::now());
        let (code, now) = work();
        read = now.unwrap_or(read);
        if read.files.is_empty() && read.directories.is_empty() {
            return code;
        }
        let seen = Seen::of(&read);
        terminal::say("lofting: waiting for changes");
        // A file that was written during the work may not have been read.
        let mut is_same = !seen.has_newer_than(begun) && !was_set_back(begun.elapsed().ok(), started.elapsed());
        let mut pause = EVERY;
        while is_same {
            thread::sleep(pause);
            let look = Instant::now();
            is_same = Seen::of(&read) == seen;
            pause = EVERY.max(look.elapsed() * PART);
        }
    }
}

/// Whether the clock was set back meanwhile: then a file that was written since may look older. `by_clock` is the time that
/// has passed by it, if it is not earlier now.
fn was_set_back(by_clock: Option<Duration>, passed: Duration) -> bool {
    by_clock.is_none_or(|by_clock| by_clock + TOLERANCE < passed)
}

/// Time of change and size of each file; None for missing files.
#[derive(PartialEq)]
struct Seen(BTreeMap<PathBuf, Option<(SystemTime, u64)>>);

impl Seen {
    fn of(read: &WhatWasRead) -> Seen {
        let paths = read.files.iter().chain(&read.directories);
        Seen(paths.map(|path| (path.clone(), lofting_workspace::last_change(path))).collect())
    }

    fn has_newer_than(&self, time: SystemTime) -> bool {
        // The clock of a file server may be ahead.
        let now = SystemTime::now();
        self.0.values().flatten().any(|(changed, _)| *changed > time && *changed <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::was_set_back;
    use std::time::Duration;

    #[test]
    fn a_clock_that_is_set_back_is_noticed() {
        let [short, long] = [10, 5_000].map(Duration::from_millis);
        assert!(!was_set_back(Some(long), long) && !was_set_back(Some(long), short));
        assert!(was_set_back(Some(short), long) && was_set_back(None, short));
    }
}
