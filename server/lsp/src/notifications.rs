//! One file per notification. Each changes the session; the loop starts the consequences.

pub(crate) mod did_change;
pub(crate) mod did_change_configuration;
pub(crate) mod did_change_watched_files;
pub(crate) mod did_change_workspace_folders;
pub(crate) mod did_close;
pub(crate) mod did_open;
pub(crate) mod did_save;
pub(crate) mod did_trust;
pub(crate) mod initialized;

use tower_lsp_server::LspServiceBuilder;
use tower_lsp_server::gen_lsp_types as lsp;

use crate::facade::{Facade, listening};
use crate::session::Session;

/// A notification of the client.
pub(crate) trait Notification: Send + 'static {
    /// The method.
    type Protocol: lsp::Notification;

    /// Applies it, on the loop.
    fn apply(session: &mut Session, params: <Self::Protocol as lsp::Notification>::Params);
}

/// Every notification this server listens to.
pub(crate) fn register(builder: LspServiceBuilder<Facade>) -> LspServiceBuilder<Facade> {
    let builder = listening::<did_open::DidOpen>(builder);
    let builder = listening::<did_change::DidChange>(builder);
    let builder = listening::<did_save::DidSave>(builder);
    let builder = listening::<did_close::DidClose>(builder);
    let builder = listening::<did_change_configuration::DidChangeConfiguration>(builder);
    let builder = listening::<did_change_watched_files::DidChangeWatchedFiles>(builder);
    let builder = listening::<did_trust::DidTrustWorkspace>(builder);
    listening::<did_change_workspace_folders::DidChangeWorkspaceFolders>(builder)
}
