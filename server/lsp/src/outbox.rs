//! Messages to the client other than answers: notifications in order, and requests whose answers come back as events.
//!
//! The loop never waits for the client. It queues messages here and goes on; a task of the runtime sends them.

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tower_lsp_server::Client;
use tower_lsp_server::gen_lsp_types::{
    ConfigurationItem, LspAny, LspNotificationMethod, MessageDirection, MessageType, Notification,
    ProgressNotification, ProgressParams, ProgressToken, PublishDiagnosticsNotification, PublishDiagnosticsParams,
    Registration, TextDocumentContentRefreshParams, TextDocumentContentRefreshRequest, Uri, WorkDoneProgressBegin,
    WorkDoneProgressEnd,
};

use crate::event::EventSender;
use crate::session::Session;
use crate::to_proto::plain;

/// A message for the client.
pub(crate) enum Outgoing {
    /// The diagnostics of one document.
    Publish(PublishDiagnosticsParams),
    /// Those of several documents. Who made them is told when they are on their way.
    PublishAll {
        /// The diagnostics of each.
        all: Vec<PublishDiagnosticsParams>,
        /// Hears when they are on their way.
        sent: std::sync::mpsc::Sender<()>,
    },
    /// A part of an answer, before the rest of it. Who made it is told when it is on its way.
    Part {
        /// The part, and the answer it belongs to.
        params: ProgressParams,
        /// Hears when it is on its way.
        sent: std::sync::mpsc::Sender<()>,
    },
    /// Asks to pull all diagnostics again.
    RefreshDiagnostics,
    /// Asks to get code lenses again.
    RefreshLenses,
    /// Asks to get inlay hints again.
    RefreshHints,
    /// Final data values are others now: the virtual document.
    FinalDataValuesChanged(String),
    /// A virtual document with rendered output has changed.
    RenderedOutputChanged(String),
    /// Requests that the client fetches a virtual document again.
    RefreshContent(String),
    /// Requests settings, which come back through [`Session::settings_arrived`].
    Configuration {
        /// Which settings.
        items: Vec<ConfigurationItem>,
        /// The number of the request, to recognise late answers to older ones.
        round: u64,
    },
    /// Registers for further notifications.
    Register(Vec<Registration>),
    /// A message to the user.
    Show(MessageType, String),
    /// A message for the log that the client keeps.
    Log(MessageType, String),
    /// Shows that something takes time.
    ProgressBegin(WorkDoneProgressBegin),
    /// Takes that back.
    ProgressEnd(WorkDoneProgressEnd),
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

/// The loop's end.
#[derive(Clone)]
pub(crate) struct Outbox(mpsc::UnboundedSender<Outgoing>);

/// The runtime's end.
pub(crate) struct Receiver(mpsc::UnboundedReceiver<Outgoing>);

/// Makes the channel.
pub(crate) fn channel() -> (Outbox, Receiver) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Outbox(sender), Receiver(receiver))
}

impl Outbox {
    /// Appends a message. Does nothing when the connection is gone.
    pub(crate) fn send(&self, message: Outgoing) {
        let _ = self.0.send(message);
    }
}

impl Receiver {
    /// Sends everything, in order, until the loop is gone.
    pub(crate) async fn deliver(mut self, client: Client, events: EventSender) {
        while let Some(message) = self.0.recv().await {
            send(message, &client, &events).await;
        }
    }
}

/// There is only one progress at a time: the first scan.
fn progress_token() -> ProgressToken {
    ProgressToken::String("lofting/scan".to_owned())
}

async fn send(message: Outgoing, client: &Client, events: &EventSender) {
    match message {
        Outgoing::Publish(params) => client.send_notification::<PublishDiagnosticsNotification>(params).await,
        Outgoing::Show(kind, text) => client.show_message(kind, plain::message(&text)).await,
        Outgoing::Log(level, text) => client.log_message(level, plain::message(&text)).await,
        Outgoing::ProgressBegin(begin) => {
            // The client may refuse the token; then nothing must be reported. Waiting is fine here: the answer does not
            // depend on anything that this task has yet to send.
            if client.create_work_done_progress(progress_token()).await.is_ok() {
                progress(client, serde_json::to_value(begin)).await;
            }
        }
        Outgoing::ProgressEnd(end) => progress(client, serde_json::to_value(end)).await,
        Outgoing::RefreshDiagnostics => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.workspace_diagnostic_refresh().await {
                    tracing::debug!(%error, "the client did not refresh diagnostics");
                }
            });
        }
        Outgoing::Part { params, sent } => {
            client.send_notification::<ProgressNotification>(params).await;
            // Nobody listens any more if the question was withdrawn.
            let _ = sent.send(());
        }
        Outgoing::PublishAll { all, sent } => {
            for params in all {
                client.send_notification::<PublishDiagnosticsNotification>(params).await;
            }
            let _ = sent.send(());
        }
        Outgoing::RefreshLenses => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.code_lens_refresh().await {
                    tracing::debug!(%error, "the client did not refresh code lenses");
                }
            });
        }
        Outgoing::RefreshHints => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.inlay_hint_refresh().await {
                    tracing::debug!(%error, "the client did not refresh inlay hints");
                }
            });
        }
        Outgoing::FinalDataValuesChanged(uri) => {
            client.send_notification::<FinalDataValuesChanged>(VirtualDocumentParams { uri }).await;
        }
        Outgoing::RenderedOutputChanged(uri) => {
            client.send_notification::<RenderedOutputChanged>(VirtualDocumentParams { uri }).await;
        }
        Outgoing::RefreshContent(uri) => {
            let client = client.clone();
            tokio::spawn(async move {
                let params = TextDocumentContentRefreshParams { uri: Uri::from(uri) };
                if let Err(error) = client.send_request::<TextDocumentContentRefreshRequest>(params).await {
                    tracing::debug!(%error, "the client did not refresh a virtual document");
                }
            });
        }
        Outgoing::Register(registrations) => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.register_capability(registrations).await {
                    tracing::warn!(%error, "the client refused a registration it had offered");
                }
            });
        }
        Outgoing::Configuration { items, round } => {
            let (client, events) = (client.clone(), events.clone());
            tokio::spawn(async move {
                let answer: Option<Vec<LspAny>> = match client.configuration(items).await {
                    Ok(values) => Some(values),
                    Err(error) => {
                        tracing::warn!(%error, "the client did not answer workspace/configuration");
                        None
                    }
                };
                events.change("settings", move |session: &mut Session| session.settings_arrived(round, answer));
            });
        }
    }
}

async fn progress(client: &Client, value: serde_json::Result<LspAny>) {
    if let Ok(value) = value {
        client.send_notification::<ProgressNotification>(ProgressParams { token: progress_token(), value }).await;
    }
}
