//! `textDocument/didSave`

use tower_lsp_server::gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;

/// A document was written. Its text is known already; other files may have changed as well, and not every client
/// watches them.
pub(crate) struct DidSave;

impl Notification for DidSave {
    type Protocol = lsp::DidSaveTextDocumentNotification;

    fn apply(session: &mut Session, _: lsp::DidSaveTextDocumentParams) {
        session.look_at_disk();
    }
}
