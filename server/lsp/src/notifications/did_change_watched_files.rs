//! `workspace/didChangeWatchedFiles`

use gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;

/// Files changed on disk.
pub(crate) struct DidChangeWatchedFiles;

impl Notification for DidChangeWatchedFiles {
    type Protocol = lsp::DidChangeWatchedFilesNotification;

    fn apply(session: &mut Session, params: lsp::DidChangeWatchedFilesParams) {
        session.disk_changed(params.changes.into_iter().map(|change| change.uri));
    }
}
