//! `textDocument/didOpen`

use gen_lsp_types as lsp;

use super::Notification;
use crate::session::{OpenDocument, Session};
use crate::typing::Typing;
use crate::{languages, uri};

/// A document is open from now on: its text is what the client says, not what is on disk.
pub(crate) struct DidOpen;

impl Notification for DidOpen {
    type Protocol = lsp::DidOpenTextDocumentNotification;

    fn apply(session: &mut Session, params: lsp::DidOpenTextDocumentParams) {
        let document = params.text_document;
        let path = uri::to_path(&document.uri);
        let yaml = languages::is_yaml(&String::from(document.language_id));
        let file = session.workspace.open_as(&path, document.version, &document.text, yaml);
        let around = session.workspace.take_around();
        session.look_at_paths(around);
        let typing = Typing::now(None);
        let open = OpenDocument { uri: document.uri, file, version: document.version, typed: None, typing };
        session.add_document(path.clone(), open);
        session.typed(&path, None);
        session.text_changed(&path);
    }
}
