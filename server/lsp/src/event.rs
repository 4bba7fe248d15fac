//! The events of the session loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use tokio::sync::oneshot;
use tower_lsp_server::gen_lsp_types::{InitializeParams, InitializeResult, Uri};
use tower_lsp_server::jsonrpc;

use crate::cancel::CancelFlag;
use crate::code::CodeRunner;
use crate::pool::Lane;
use crate::session::Session;
use crate::view::View;

/// One thing to do for the loop. The order in the channel is the order in which the client sent its messages.
pub(crate) enum Event {
    /// `initialize`.
    Initialize {
        /// The client and its capabilities.
        params: Box<InitializeParams>,
        /// Where the answer goes.
        reply: oneshot::Sender<jsonrpc::Result<InitializeResult>>,
    },
    /// A request about one document, to be answered by a worker.
    Request(RequestEvent),
    /// Anything that changes the state: notifications, and answers of the client, the disk and the workers.
    Change {
        /// What it is, for the log.
        name: &'static str,
        /// The change.
        apply: Box<dyn FnOnce(&mut Session) + Send>,
    },
}

/// Computes an answer and sends it.
pub(crate) type Respond = Box<dyn FnOnce(&View, &CodeRunner) + Send>;

/// A request on its way to a worker.
pub(crate) struct RequestEvent {
    /// Name of the method, for the log.
    pub(crate) method: &'static str,
    /// The document it is about.
    pub(crate) uri: Uri,
    /// An edit of that document makes the request stale.
    pub(crate) stale_after_edits: bool,
    /// Who waits.
    pub(crate) lane: Lane,
    /// Set when the client cancels or the document changes.
    pub(crate) cancel: CancelFlag,
    /// Computes the answer from a view of the state and sends it.
    pub(crate) run: Respond,
}

/// The sender of events. The channel is unbounded, so sending never blocks.
#[derive(Clone)]
pub(crate) struct EventSender {
    channel: mpsc::Sender<Event>,
    queued: Arc<AtomicUsize>,
}

/// The receiver of events, in the loop.
pub(crate) struct EventReceiver {
    /// Incoming events.
    pub(crate) channel: mpsc::Receiver<Event>,
    queued: Arc<AtomicUsize>,
}

/// Makes the channel.
pub(crate) fn channel() -> (EventSender, EventReceiver) {
    let (sender, receiver) = mpsc::channel();
    let queued = Arc::new(AtomicUsize::new(0));
    (EventSender { channel: sender, queued: queued.clone() }, EventReceiver { channel: receiver, queued })
}

impl EventSender {
    /// Sends an event. Does nothing when the loop has ended.
    pub(crate) fn send(&self, event: Event) {
        self.queued.fetch_add(1, Ordering::Relaxed);
        let _ = self.channel.send(event);
    }

    /// Sends a change of the state.
    pub(crate) fn change(&self, name: &'static str, apply: impl FnOnce(&mut Session) + Send + 'static) {
        self.send(Event::Change { name, apply: Box::new(apply) });
    }
}

impl EventReceiver {
    /// To be called once for every received event; returns the number of those still waiting.
    pub(crate) fn note_received(&self) -> usize {
        self.queued.fetch_sub(1, Ordering::Relaxed).saturating_sub(1)
    }
}

type Apply = Box<dyn FnOnce(&mut Session) + Send>;

/// A change that is sent when this is dropped: at the end of a job, even if it panics.
pub(crate) struct OnDrop {
    events: EventSender,
    name: &'static str,
    apply: Option<Apply>,
}

impl OnDrop {
    /// Will send `apply`.
    pub(crate) fn new(
        events: EventSender,
        name: &'static str,
        apply: impl FnOnce(&mut Session) + Send + 'static,
    ) -> Self {
        Self { events, name, apply: Some(Box::new(apply)) }
    }
}

impl Drop for OnDrop {
    fn drop(&mut self) {
        if let Some(apply) = self.apply.take() {
            self.events.send(Event::Change { name: self.name, apply });
        }
    }
}
