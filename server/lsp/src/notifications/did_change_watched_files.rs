//! `workspace/didChangeWatchedFiles`

use tower_lsp_server::gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;
use crate::uri;

/// Files changed on disk.
pub(crate) struct DidChangeWatchedFiles;

impl Notification for DidChangeWatchedFiles {
    type Protocol = lsp::DidChangeWatchedFilesNotification;

    fn apply(session: &mut Session, params: lsp::DidChangeWatchedFilesParams) {
        let paths: Vec<_> = params.changes.iter().map(|change| uri::to_path(&change.uri)).collect();
        if !session.workspace.disk_changed(&paths).is_empty() {
            session.surroundings_changed();
        }
    }
}
