//! Files that changed on disk: those that the client saw changing, or for a client that watches nothing those that a look
//! at all known files shows.
//!
//! Few of them are looked at at once. Many, as after a switch of branches, are read elsewhere and taken over piece by
//! piece, so that nobody who asks something waits for them.

use std::path::PathBuf;
use std::time::Instant;

use lofting_document::FileId;
use lofting_workspace::DiskFound;
use tower_lsp_server::gen_lsp_types::Uri;

use crate::elsewhere::PIECE;
use crate::session::Session;
use crate::uri;

/// Up to so many files are looked at at once: about as long as the reaction to a key may take.
const AT_ONCE: usize = 32;

/// What is still to be looked at.
#[derive(Debug, Default)]
pub(crate) struct WatchedFiles {
    /// Told while others were being read.
    later: Vec<Uri>,
    reading: bool,
}

impl WatchedFiles {
    /// What changed before is being read: another look comes behind that.
    pub(crate) fn is_reading(&self) -> bool {
        self.reading
    }
}

impl Session {
    /// The client says that these changed.
    pub(crate) fn disk_changed(&mut self, files: impl Iterator<Item = Uri>) {
        self.watched.later.extend(files);
        if !self.watched.reading {
            self.look_at_watched();
        }
    }

    /// Looks for changes on disk the client did not tell of.
    pub(crate) fn look_at_disk(&mut self) {
        if self.profile.watches_files || self.watched.reading {
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
        let files = std::mem::take(&mut self.watched.later);
        if files.is_empty() {
            return;
        }
        let look = self.workspace.disk_look();
        let paths: Vec<PathBuf> = files.iter().map(uri::to_path).collect();
        // Below a directory anything may lie.
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

    /// Takes over a piece, and comes back for the next behind whatever else is to be done.
    fn take_over(&mut self, mut found: DiskFound, mut changed: Vec<FileId>) {
        changed.extend(self.workspace.take_found(&mut found, PIECE));
        if !found.is_empty() {
            return self.events.change("changed files", move |session| session.take_over(found, changed));
        }
        self.workspace.after_disk(&changed);
        self.watched.reading = false;
        if !changed.is_empty() {
            self.surroundings_changed();
        }
        self.look_at_watched();
    }
}
