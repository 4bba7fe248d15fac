//! `lofting/didTrustWorkspace`

use gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;

/// The user has trusted the workspace in the editor. Trust from the beginning is stated in `initializationOptions`.
pub(crate) struct DidTrustWorkspace;

/// The notification in the protocol, an extension of ours.
pub(crate) enum DidTrustWorkspaceNotification {}

impl lsp::Notification for DidTrustWorkspaceNotification {
    const METHOD: lsp::LspNotificationMethod<'static> = lsp::LspNotificationMethod::new("lofting/didTrustWorkspace");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
    type Params = serde_json::Value;
}

impl Notification for DidTrustWorkspace {
    type Protocol = DidTrustWorkspaceNotification;

    fn apply(session: &mut Session, _: serde_json::Value) {
        session.trust_workspace();
    }
}
