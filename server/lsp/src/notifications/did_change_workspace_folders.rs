//! `workspace/didChangeWorkspaceFolders`

use gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;
use crate::uri;

/// Folders joined or left the workspace.
pub(crate) struct DidChangeWorkspaceFolders;

impl Notification for DidChangeWorkspaceFolders {
    type Protocol = lsp::DidChangeWorkspaceFoldersNotification;

    fn apply(session: &mut Session, params: lsp::DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<lsp::WorkspaceFolder>| {
            folders.into_iter().map(|folder| uri::to_path(&folder.uri)).collect::<Vec<_>>()
        };
        let removed = paths(params.event.removed);
        session.change_roots(&removed, paths(params.event.added));
    }
}
