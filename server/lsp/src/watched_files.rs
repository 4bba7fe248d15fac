//! Files that the client saw changing on disk.
//!
//! Few of them are looked at at once. Many, as after a switch of branches, are read by a thread of their own and taken
//! over piece by piece, so that nobody who asks something waits for them.

use std::path::PathBuf;
use std::thread;

use lofting_document::FileId;
use lofting_workspace::{DiskFound, DiskLook};
use tower_lsp_server::gen_lsp_types::Uri;

use crate::event::EventSender;
use crate::session::Session;
use crate::uri;

/// Up to so many files are looked at at once: about as long as the reaction to a key may take.
const AT_ONCE: usize = 32;

/// Files taken over between two other events: a few milliseconds.
const PIECE: usize = 256;

/// What is still to be looked at.
#[derive(Debug, Default)]
pub(crate) struct WatchedFiles {
    /// Told while a thread was reading others.
    later: Vec<Uri>,
    reading: bool,
}

impl Session {
    /// The client says that these changed.
    pub(crate) fn disk_changed(&mut self, files: impl Iterator<Item = Uri>) {
        self.watched.later.extend(files);
        if !self.watched.reading {
            self.look_at_watched();
        }
    }

    fn look_at_watched(&mut self) {
        let files = std::mem::take(&mut self.watched.later);
        if files.is_empty() {
            return;
        }
        let look = self.workspace.disk_look();
        if files.len() <= AT_ONCE {
            let paths = paths(&files);
            // Below a directory anything may lie.
            if !look.finds_a_directory(&paths) {
                return self.take_over(look.run(&paths), Vec::new());
            }
        }
        self.watched.reading = true;
        if let Err(error) = read(files, look, self.events.clone()) {
            tracing::error!(%error, "no thread to read changed files");
            self.watched.reading = false;
        }
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

fn paths(files: &[Uri]) -> Vec<PathBuf> {
    files.iter().map(uri::to_path).collect()
}

fn read(files: Vec<Uri>, look: DiskLook, events: EventSender) -> std::io::Result<()> {
    let read = move || {
        let found = look.run(&paths(&files));
        events.change("changed files", move |session| session.take_over(found, Vec::new()));
    };
    thread::Builder::new().name("changed-files".to_owned()).spawn(read).map(drop)
}
