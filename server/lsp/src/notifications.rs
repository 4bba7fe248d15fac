//! One file per notification. Each changes the session; the loop starts the consequences.

pub(crate) mod initialized;

use gen_lsp_types as lsp;

use crate::session::Session;

/// A notification of the client.
pub(crate) trait Notification: Send + 'static {
    /// The method.
    type Protocol: lsp::Notification;

    /// Applies it, on the loop.
    fn apply(session: &mut Session, params: <Self::Protocol as lsp::Notification>::Params);
}

/// Adds notifications to a service.
pub(crate) trait Listener: Sized {
    /// Makes the service listen to the notifications of `N`.
    fn listening<N: Notification>(self) -> Self;
}

/// Declares the files of notifications and registers them.
macro_rules! notifications {
    ($($file:ident: $notification:ident;)*) => {
        $(pub(crate) mod $file;)*

        /// Makes a service listen to every notification.
        pub(crate) fn register<S: Listener>(service: S) -> S {
            $(let service = service.listening::<$file::$notification>();)*
            service
        }
    };
}

// Every notification this server listens to, by its file.
notifications! {
    did_change: DidChange;
    did_change_configuration: DidChangeConfiguration;
    did_change_watched_files: DidChangeWatchedFiles;
    did_change_workspace_folders: DidChangeWorkspaceFolders;
    did_close: DidClose;
    did_open: DidOpen;
    did_save: DidSave;
    did_trust: DidTrustWorkspace;
}
