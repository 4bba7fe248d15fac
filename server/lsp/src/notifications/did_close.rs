//! `textDocument/didClose`

use gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;
use crate::uri;

/// A document is no longer open: what is on disk counts again.
pub(crate) struct DidClose;

impl Notification for DidClose {
    type Protocol = lsp::DidCloseTextDocumentNotification;

    fn apply(session: &mut Session, params: lsp::DidCloseTextDocumentParams) {
        let path = uri::to_path(&params.text_document.uri);
        let Some(document) = session.remove_document(&path) else { return };
        session.before_change();
        session.workspace.close(document.file);
        session.text_changed(&path);
        session.retract_diagnostics(&path, document.uri);
    }
}
