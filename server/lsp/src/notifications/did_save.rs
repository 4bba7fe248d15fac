//! `textDocument/didSave`

use gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;
use crate::uri;

/// A document was saved: from now on all its findings are reported, even if they may be half-typed. Its text is known
/// already; other files may have changed as well, and not every client watches them.
pub(crate) struct DidSave;

impl Notification for DidSave {
    type Protocol = lsp::DidSaveTextDocumentNotification;

    fn apply(session: &mut Session, params: lsp::DidSaveTextDocumentParams) {
        session.typing_over(&uri::to_path(&params.text_document.uri));
        session.look_at_disk();
    }
}
