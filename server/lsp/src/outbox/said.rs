//! What only tells the client something.

use gen_lsp_types::{
    LogMessageNotification, LogMessageParams, LspNotificationMethod, MessageDirection, MessageType, Notification,
    ProgressNotification, ProgressParams, PublishDiagnosticsNotification, PublishDiagnosticsParams,
    ShowMessageNotification, ShowMessageParams,
};
use serde::{Deserialize, Serialize};
use std::sync::mpsc::Sender;

use super::newest::Replaceable;
use crate::client::Client;
use lofting_ide::plain;

/// A notification, or several.
pub(crate) enum Said {
    /// The diagnostics of one document.
    Publish(PublishDiagnosticsParams),
    /// Diagnostics of several documents. Their makers get a notice when they have been sent.
    PublishAll {
        /// The diagnostics of each.
        all: Vec<PublishDiagnosticsParams>,
        /// Hears when they are on their way.
        sent: Sender<()>,
    },
    /// A part of an answer, before the rest of it. Its maker gets a notice when it has been sent.
    Part {
        /// The part, and the answer it belongs to.
        params: ProgressParams,
        /// Hears when it is on its way.
        sent: Sender<()>,
    },
    /// Final data values have changed: the virtual document.
    FinalDataValuesChanged(String),
    /// A virtual document with rendered output has changed.
    RenderedOutputChanged(String),
    /// A message to the user.
    Show(MessageType, String),
    /// A message for the log that the client keeps.
    Log(MessageType, String),
}

impl Replaceable for Said {
    fn document(&self) -> Option<String> {
        match self {
            Said::Publish(params) => Some(params.uri.to_string()),
            Said::FinalDataValuesChanged(uri) | Said::RenderedOutputChanged(uri) => Some(uri.clone()),
            Said::PublishAll { .. } | Said::Part { .. } | Said::Show(..) | Said::Log(..) => None,
        }
    }
}

/// `lofting/finalDataValuesChanged`
#[derive(Debug)]
enum FinalDataValuesChanged {}

/// `lofting/renderedOutputChanged`
#[derive(Debug)]
enum RenderedOutputChanged {}

/// Parameters of both.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct VirtualDocumentParams {
    /// The virtual document that has changed.
    uri: String,
}

impl Notification for FinalDataValuesChanged {
    type Params = VirtualDocumentParams;
    const METHOD: LspNotificationMethod<'static> = LspNotificationMethod::new("lofting/finalDataValuesChanged");
    const MESSAGE_DIRECTION: MessageDirection = MessageDirection::ServerToClient;
}

impl Notification for RenderedOutputChanged {
    type Params = VirtualDocumentParams;
    const METHOD: LspNotificationMethod<'static> = LspNotificationMethod::new("lofting/renderedOutputChanged");
    const MESSAGE_DIRECTION: MessageDirection = MessageDirection::ServerToClient;
}

impl Said {
    /// The texts of its notifications.
    pub(super) fn texts(self, client: &Client) -> Vec<String> {
        let one = match self {
            Said::Publish(params) => client.notification::<PublishDiagnosticsNotification>(&params),
            Said::Show(kind, text) => client
                .notification::<ShowMessageNotification>(&ShowMessageParams { kind, message: plain::message(&text) }),
            Said::Log(level, text) => client.notification::<LogMessageNotification>(&LogMessageParams {
                kind: level,
                message: plain::message(&text),
            }),
            Said::FinalDataValuesChanged(uri) => {
                client.notification::<FinalDataValuesChanged>(&VirtualDocumentParams { uri })
            }
            Said::RenderedOutputChanged(uri) => {
                client.notification::<RenderedOutputChanged>(&VirtualDocumentParams { uri })
            }
            Said::Part { params, sent } => {
                let text = client.notification::<ProgressNotification>(&params);
                // If the question was withdrawn, nothing waits for the answer.
                let _ = sent.send(());
                text
            }
            Said::PublishAll { all, sent } => {
                let text = |params| client.notification::<PublishDiagnosticsNotification>(params);
                let texts = all.iter().filter_map(text).collect();
                let _ = sent.send(());
                return texts;
            }
        };
        one.into_iter().collect()
    }
}
