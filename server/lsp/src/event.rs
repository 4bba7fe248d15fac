//! The events of the loop that owns all state.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// One thing to do for the loop, which owns an `S`. The order in the channel is the order in which the client sent its
/// messages.
pub(crate) struct Event<S> {
    /// What it is, for the log.
    pub(crate) name: &'static str,
    /// What is done: a notification, a request, or an answer of the client, the disk or the workers.
    pub(crate) apply: Apply<S>,
}

type Apply<S> = Box<dyn FnOnce(&mut S) + Send>;

/// The sender of events. The channel is unbounded, so sending never blocks.
pub(crate) struct EventSender<S> {
    channel: mpsc::Sender<Event<S>>,
    queued: Arc<AtomicUsize>,
}

impl<S> Clone for EventSender<S> {
    fn clone(&self) -> Self {
        EventSender { channel: self.channel.clone(), queued: self.queued.clone() }
    }
}

/// The receiver of events, in the loop.
pub(crate) struct EventReceiver<S> {
    /// Incoming events.
    pub(crate) channel: mpsc::Receiver<Event<S>>,
    queued: Arc<AtomicUsize>,
}

/// Makes the channel.
pub(crate) fn channel<S>() -> (EventSender<S>, EventReceiver<S>) {
    let (sender, receiver) = mpsc::channel();
    let queued = Arc::new(AtomicUsize::new(0));
    (EventSender { channel: sender, queued: queued.clone() }, EventReceiver { channel: receiver, queued })
}

impl<S> EventSender<S> {
    /// Does nothing when the loop has ended.
    fn send(&self, event: Event<S>) {
        self.queued.fetch_add(1, Ordering::Relaxed);
        let _ = self.channel.send(event);
    }

    /// Sends a change of the state.
    pub(crate) fn change(&self, name: &'static str, apply: impl FnOnce(&mut S) + Send + 'static) {
        self.send(Event { name, apply: Box::new(apply) });
    }
}

impl<S> EventReceiver<S> {
    /// To be called once for every received event; returns the number of those still waiting.
    pub(crate) fn note_received(&self) -> usize {
        self.queued.fetch_sub(1, Ordering::Relaxed).saturating_sub(1)
    }
}

/// A change that is sent when this is dropped: at the end of a job, even if it panics.
pub(crate) struct OnDrop<S> {
    events: EventSender<S>,
    name: &'static str,
    apply: Option<Apply<S>>,
}

impl<S> OnDrop<S> {
    /// Will send `apply`.
    pub(crate) fn new(events: EventSender<S>, name: &'static str, apply: impl FnOnce(&mut S) + Send + 'static) -> Self {
        Self { events, name, apply: Some(Box::new(apply)) }
    }
}

impl<S> Drop for OnDrop<S> {
    fn drop(&mut self) {
        if let Some(apply) = self.apply.take() {
            self.events.send(Event { name: self.name, apply });
        }
    }
}
