//! Messages to the client other than answers: notifications in order, and requests whose answers come back as events.
//!
//! The loop never waits for the client. What only tells something is put into the queue of the output, and made into text
//! when its turn comes; what asks something goes to a task of the runtime, which waits for the answers.

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use gen_lsp_types::{
    CodeLensRefreshRequest, ConfigurationItem, ConfigurationParams, ConfigurationRequest, DiagnosticRefreshRequest,
    InlayHintRefreshRequest, LogMessageNotification, LogMessageParams, LspAny, LspNotificationMethod, MessageDirection,
    MessageType, Notification, ProgressNotification, ProgressParams, ProgressToken, PublishDiagnosticsNotification,
    PublishDiagnosticsParams, Registration, RegistrationParams, RegistrationRequest, ShowMessageNotification,
    ShowMessageParams, TextDocumentContentRefreshParams, TextDocumentContentRefreshRequest, Uri, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressCreateRequest, WorkDoneProgressEnd,
};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::client::Client;
use crate::out_queue::Output;
use lofting_ide::plain;

/// A message for the client.
pub(crate) enum Outgoing {
    /// The diagnostics of one document.
    Publish(PublishDiagnosticsParams),
    /// Diagnostics of several documents. Their makers get a notice when they have been sent.
    PublishAll {
        /// The diagnostics of each.
        all: Vec<PublishDiagnosticsParams>,
        /// Hears when they are on their way.
        sent: std::sync::mpsc::Sender<()>,
    },
    /// A part of an answer, before the rest of it. Its maker gets a notice when it has been sent.
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
    /// Final data values have changed: the virtual document.
    FinalDataValuesChanged(String),
    /// A virtual document with rendered output has changed.
    RenderedOutputChanged(String),
    /// Requests that the client fetches a virtual document again.
    RefreshContent(String),
    /// Requests settings.
    Configuration {
        /// Which settings.
        items: Vec<ConfigurationItem>,
        /// Gets the answer; none if the client refuses.
        answered: Box<dyn FnOnce(Option<Vec<LspAny>>) + Send>,
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
pub(crate) struct Outbox {
    out: Output,
    client: Client,
    asked: mpsc::UnboundedSender<Queued>,
    newest: Arc<Mutex<Newest>>,
}

/// The runtime's end.
pub(crate) struct Questions {
    queue: mpsc::UnboundedReceiver<Queued>,
    newest: Arc<Mutex<Newest>>,
}

/// A place in the queue.
enum Queued {
    /// A message that is always sent.
    Message(Outgoing),
    /// The message with this number, unless a newer one has replaced it.
    Newest(u64),
}

/// Messages that a newer one makes obsolete. A client that does not read would let them pile up otherwise.
#[derive(Default)]
struct Newest {
    last: u64,
    numbers: HashMap<Subject, u64>,
    waiting: HashMap<u64, (Subject, Outgoing)>,
}

/// What a message is about: its kind, and a document.
type Subject = (Discriminant<Outgoing>, String);

/// The subject of messages that a newer one replaces.
fn subject(message: &Outgoing) -> Option<Subject> {
    let document = match message {
        Outgoing::Publish(params) => params.uri.to_string(),
        Outgoing::FinalDataValuesChanged(uri)
        | Outgoing::RenderedOutputChanged(uri)
        | Outgoing::RefreshContent(uri) => uri.clone(),
        Outgoing::RefreshDiagnostics | Outgoing::RefreshLenses | Outgoing::RefreshHints => String::new(),
        _ => return None,
    };
    Some((discriminant(message), document))
}

impl Newest {
    /// Takes a message in place of an older one about the same, and returns its number.
    fn put(&mut self, subject: Subject, message: Outgoing) -> u64 {
        self.last += 1;
        if let Some(older) = self.numbers.insert(subject.clone(), self.last) {
            self.waiting.remove(&older);
        }
        self.waiting.insert(self.last, (subject, message));
        self.last
    }

    /// The message with a number, unless it was replaced.
    fn take(&mut self, number: u64) -> Option<Outgoing> {
        let (subject, message) = self.waiting.remove(&number)?;
        self.numbers.remove(&subject);
        Some(message)
    }
}

/// Makes both ends, for a client with this output.
pub(crate) fn channel(out: Output, client: Client) -> (Outbox, Questions) {
    let (asked, queue) = mpsc::unbounded_channel();
    let newest = Arc::<Mutex<Newest>>::default();
    (Outbox { out, client, asked, newest: newest.clone() }, Questions { queue, newest })
}

impl Outgoing {
    /// Whether the client answers it, or it has to wait for such an answer.
    fn is_question(&self) -> bool {
        match self {
            Outgoing::RefreshDiagnostics
            | Outgoing::RefreshLenses
            | Outgoing::RefreshHints
            | Outgoing::RefreshContent(_)
            | Outgoing::Configuration { .. }
            | Outgoing::Register(_)
            | Outgoing::ProgressBegin(_)
            | Outgoing::ProgressEnd(_) => true,
            Outgoing::Publish(_)
            | Outgoing::PublishAll { .. }
            | Outgoing::Part { .. }
            | Outgoing::FinalDataValuesChanged(_)
            | Outgoing::RenderedOutputChanged(_)
            | Outgoing::Show(..)
            | Outgoing::Log(..) => false,
        }
    }
}

impl Outbox {
    /// Appends a message. Does nothing when the connection is gone.
    pub(crate) fn send(&self, message: Outgoing) {
        let is_question = message.is_question();
        let queued = match subject(&message) {
            Some(subject) => Queued::Newest(locked(&self.newest).put(subject, message)),
            None => Queued::Message(message),
        };
        if is_question {
            let _ = self.asked.send(queued);
            return;
        }
        let (newest, client) = (self.newest.clone(), self.client.clone());
        self.out.letter(move || queued.due(&newest).map_or_else(Vec::new, |message| told(message, &client)));
    }
}

/// Nothing is left half-changed when a thread panics with the lock.
fn locked(newest: &Mutex<Newest>) -> MutexGuard<'_, Newest> {
    newest.lock()
}

impl Queued {
    /// The message, if it is still to be sent.
    fn due(self, newest: &Mutex<Newest>) -> Option<Outgoing> {
        match self {
            Queued::Message(message) => Some(message),
            Queued::Newest(number) => locked(newest).take(number),
        }
    }
}

impl Questions {
    /// Asks everything, in order, until the loop is gone.
    pub(crate) async fn ask(mut self, client: Client) {
        while let Some(queued) = self.queue.recv().await {
            if let Some(message) = queued.due(&self.newest) {
                ask(message, &client).await;
            }
        }
    }
}

/// The texts of a message that asks nothing.
fn told(message: Outgoing, client: &Client) -> Vec<String> {
    let one = match message {
        Outgoing::Publish(params) => client.notification::<PublishDiagnosticsNotification>(&params),
        Outgoing::Show(kind, text) => {
            client.notification::<ShowMessageNotification>(&ShowMessageParams { kind, message: plain::message(&text) })
        }
        Outgoing::Log(level, text) => client
            .notification::<LogMessageNotification>(&LogMessageParams { kind: level, message: plain::message(&text) }),
        Outgoing::FinalDataValuesChanged(uri) => {
            client.notification::<FinalDataValuesChanged>(&VirtualDocumentParams { uri })
        }
        Outgoing::RenderedOutputChanged(uri) => {
            client.notification::<RenderedOutputChanged>(&VirtualDocumentParams { uri })
        }
        Outgoing::Part { params, sent } => {
            let text = client.notification::<ProgressNotification>(&params);
            // If the question was withdrawn, nothing waits for the answer.
            let _ = sent.send(());
            text
        }
        Outgoing::PublishAll { all, sent } => {
            let texts = all.iter().filter_map(|params| client.notification::<PublishDiagnosticsNotification>(params));
            let texts = texts.collect();
            let _ = sent.send(());
            return texts;
        }
        _ => None,
    };
    one.into_iter().collect()
}

/// There is only one progress at a time: the first scan.
fn progress_token() -> ProgressToken {
    ProgressToken::String("lofting/scan".to_owned())
}

async fn ask(message: Outgoing, client: &Client) {
    match message {
        Outgoing::ProgressBegin(begin) => {
            // The client may refuse the token; then nothing must be reported. Waiting is fine here: the answer does not
            // depend on anything that this task has yet to send.
            if client
                .ask::<WorkDoneProgressCreateRequest>(WorkDoneProgressCreateParams { token: progress_token() })
                .await
                .is_ok()
            {
                progress(client, serde_json::to_value(begin));
            }
        }
        Outgoing::ProgressEnd(end) => progress(client, serde_json::to_value(end)),
        Outgoing::RefreshDiagnostics => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.ask::<DiagnosticRefreshRequest>(()).await {
                    tracing::debug!(%error, "the client did not refresh diagnostics");
                }
            });
        }
        Outgoing::RefreshLenses => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.ask::<CodeLensRefreshRequest>(()).await {
                    tracing::debug!(%error, "the client did not refresh code lenses");
                }
            });
        }
        Outgoing::RefreshHints => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.ask::<InlayHintRefreshRequest>(()).await {
                    tracing::debug!(%error, "the client did not refresh inlay hints");
                }
            });
        }
        Outgoing::RefreshContent(uri) => {
            let client = client.clone();
            tokio::spawn(async move {
                let params = TextDocumentContentRefreshParams { uri: Uri::from(uri) };
                if let Err(error) = client.ask::<TextDocumentContentRefreshRequest>(params).await {
                    tracing::debug!(%error, "the client did not refresh a virtual document");
                }
            });
        }
        Outgoing::Register(registrations) => {
            let client = client.clone();
            tokio::spawn(async move {
                if let Err(error) = client.ask::<RegistrationRequest>(RegistrationParams { registrations }).await {
                    tracing::warn!(%error, "the client refused a registration it had offered");
                }
            });
        }
        Outgoing::Configuration { items, answered } => {
            let client = client.clone();
            tokio::spawn(async move {
                let answer: Option<Vec<LspAny>> =
                    match client.ask::<ConfigurationRequest>(ConfigurationParams { items }).await {
                        Ok(values) => Some(values),
                        Err(error) => {
                            tracing::warn!(%error, "the client did not answer workspace/configuration");
                            None
                        }
                    };
                answered(answer);
            });
        }
        // These ask nothing.
        message => drop(told(message, client)),
    }
}

fn progress(client: &Client, value: serde_json::Result<LspAny>) {
    if let Ok(value) = value {
        client.tell::<ProgressNotification>(&ProgressParams { token: progress_token(), value });
    }
}

#[cfg(test)]
mod tests {
    use super::{Newest, Outgoing, subject};
    use gen_lsp_types::{PublishDiagnosticsParams, Uri};

    fn findings(file: u64, version: i32) -> Outgoing {
        let uri = Uri::from(format!("file:///{file}.yml"));
        Outgoing::Publish(PublishDiagnosticsParams { uri, version: Some(version), diagnostics: Vec::new() })
    }

    /// A client that does not read costs one message for each file, however often the file is checked.
    #[test]
    fn only_the_newest_findings_of_a_file_wait() {
        let mut newest = Newest::default();
        let mut numbers = Vec::new();
        for version in 0..1_000 {
            for file in 0..3 {
                let message = findings(file, version);
                let subject = subject(&message).expect("a file");
                numbers.push(newest.put(subject, message));
            }
            assert!(newest.waiting.len() <= 3 && newest.numbers.len() <= 3);
        }
        let left: Vec<Outgoing> = numbers.into_iter().filter_map(|number| newest.take(number)).collect();
        assert_eq!(left.len(), 3);
        assert!(left.iter().all(|message| matches!(message, Outgoing::Publish(params) if params.version == Some(999))));
        assert!(newest.waiting.is_empty() && newest.numbers.is_empty());
        // What is not about a state is never left out.
        assert!(subject(&Outgoing::Show(super::MessageType::Info, String::new())).is_none());
    }
}
