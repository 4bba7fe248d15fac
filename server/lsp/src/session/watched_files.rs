//! Files that changed on disk: those that the client reported, or for a client that does not watch files, those found
//! by a look at all known files.
//!
//! A few files are read immediately. Many, as after a switch of branches, are read in the background and applied piece
//! by piece, so that no request waits for them.

use std::path::PathBuf;
use std::time::Instant;

use gen_lsp_types::Uri;
use lofting_document::FileId;
use lofting_workspace::DiskFound;

use super::background::PIECE;
use crate::session::Session;
use crate::session::consequences::Changed;
use crate::uri;

/// Up to this number of files are read immediately: this takes about as long as the reaction to a key may take.
const AT_ONCE: usize = 32;

/// What remains to be looked at.
#[derive(Debug, Default)]
pub(crate) struct WatchedFiles {
    /// Reported while others were being read.
    later: Vec<PathBuf>,
    reading: bool,
}

impl WatchedFiles {
    /// Earlier changes are being read: another look comes after that.
    pub(crate) fn is_reading(&self) -> bool {
        self.reading
    }
}

impl Session {
    /// The client reports that these changed.
    pub(crate) fn disk_changed(&mut self, files: impl Iterator<Item = Uri>) {
        self.look_at_paths(files.map(|file| uri::to_path(&file)).collect());
    }

    /// Looks at files and directories that may not be known yet.
    pub(crate) fn look_at_paths(&mut self, paths: Vec<PathBuf>) {
        self.watched.later.extend(paths);
        if !self.watched.reading {
            self.look_at_watched();
        }
    }

    /// Looks for changes on disk that the client did not report.
    pub(crate) fn look_at_disk(&mut self) {
        if self.client.profile.watches_files || self.watched.reading {
            return;
        }
        self.watched.reading = true;
        let look = self.workspace.disk_look();
        let started = Instant::now();
        self.elsewhere(
            "changed files",
            move || look.run_over_all(),
            move |session, found| {
                session.disk.looked(started.elapsed());
                session.take_over(found.unwrap_or_default(), Vec::new());
            },
        );
    }

    fn look_at_watched(&mut self) {
        let paths = std::mem::take(&mut self.watched.later);
        if paths.is_empty() {
            return;
        }
        let look = self.workspace.disk_look();
        // A directory may contain anything.
        if paths.len() <= AT_ONCE && !look.finds_a_directory(&paths) {
            return self.take_over(look.run(&paths), Vec::new());
        }
        self.watched.reading = true;
        self.elsewhere(
            "changed files",
            move || look.run(&paths),
            |session, found| {
                session.take_over(found.unwrap_or_default(), Vec::new());
            },
        );
    }

    /// Applies a piece, and schedules the next one after other pending work.
    fn take_over(&mut self, mut found: DiskFound, mut changed: Vec<FileId>) {
        changed.extend(self.workspace.take_found(&mut found, PIECE));
        if !found.is_empty() {
            return self.workers.events.change("changed files", move |session| session.take_over(found, changed));
        }
        self.workspace.after_disk(&changed);
        self.watched.reading = false;
        if !changed.is_empty() {
            self.changed(Changed::Surroundings);
        }
        self.look_at_watched();
    }
}
