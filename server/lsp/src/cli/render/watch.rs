//! `lofting render --watch`: renders again whenever a file that was read has changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::terminal;

/// How often files are checked: rarely enough to cost nothing, often enough after a save.
const EVERY: Duration = Duration::from_millis(200);

/// What a rendering has read.
#[derive(Default)]
pub(super) struct WhatWasRead {
    /// Its files.
    pub(super) files: Vec<PathBuf>,
    /// Directories in which files may be added or removed.
    pub(super) directories: Vec<PathBuf>,
}

/// Renders, and again after each change, until stdout is closed. If a rendering fails before it has read anything, the
/// files of the previous one are watched.
pub(super) fn watch(mut render: impl FnMut() -> (ExitCode, Option<WhatWasRead>)) -> ExitCode {
    let mut read = WhatWasRead::default();
    loop {
        let begun = SystemTime::now();
        let (code, now) = render();
        read = now.unwrap_or(read);
        if read.files.is_empty() && read.directories.is_empty() {
            return code;
        }
        let seen = Seen::of(&read);
        terminal::say("lofting: waiting for changes");
        // A file that was written during the rendering may not have been read.
        let mut is_same = !seen.has_newer_than(begun);
        while is_same {
            thread::sleep(EVERY);
            is_same = Seen::of(&read) == seen;
        }
    }
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
