//! `workspace/didChangeConfiguration`

use gen_lsp_types as lsp;

use super::Notification;
use crate::session::Session;
use crate::settings;

/// Settings changed. Clients that answer `workspace/configuration` are asked, because what they send along is often
/// empty; for other clients it is all there is.
pub(crate) struct DidChangeConfiguration;

impl Notification for DidChangeConfiguration {
    type Protocol = lsp::DidChangeConfigurationNotification;

    fn apply(session: &mut Session, params: lsp::DidChangeConfigurationParams) {
        if session.client.profile.configuration {
            session.ask_settings();
        } else {
            session.apply_settings(settings::from_object(&params.settings));
        }
    }
}
