//! Messages that a newer one makes obsolete. A client that does not read would let them pile up otherwise.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// A message of which only the newest counts.
pub(super) trait Replaceable {
    /// The document that it is about, empty if it is about none: a newer message of the same variant about the same document
    /// replaces it. None for what is always sent.
    fn document(&self) -> Option<String>;
}

/// What a message is about: its variant, and a document.
type Subject<M> = (Discriminant<M>, String);

/// The replaceable messages of one queue that wait. Clones share them.
pub(super) struct Newest<M>(Arc<Mutex<Waiting<M>>>);

struct Waiting<M> {
    last: u64,
    numbers: HashMap<Subject<M>, u64>,
    messages: HashMap<u64, (Subject<M>, M)>,
}

/// A place in a queue.
pub(super) enum Queued<M> {
    /// A message that is always sent.
    Message(M),
    /// The message with this number, unless a newer one has replaced it.
    Newest(u64),
}

impl<M> Default for Newest<M> {
    fn default() -> Self {
        Newest(Arc::new(Mutex::new(Waiting { last: 0, numbers: HashMap::new(), messages: HashMap::new() })))
    }
}

impl<M> Clone for Newest<M> {
    fn clone(&self) -> Self {
        Newest(self.0.clone())
    }
}

impl<M: Replaceable> Newest<M> {
    /// The place of a message, which replaces an older one about the same.
    pub(super) fn queued(&self, message: M) -> Queued<M> {
        let Some(document) = message.document() else { return Queued::Message(message) };
        let subject = (discriminant(&message), document);
        let mut waiting = self.0.lock();
        waiting.last += 1;
        let number = waiting.last;
        if let Some(older) = waiting.numbers.insert(subject.clone(), number) {
            waiting.messages.remove(&older);
        }
        waiting.messages.insert(number, (subject, message));
        Queued::Newest(number)
    }

    /// The message at a place, if it is still to be sent.
    pub(super) fn due(&self, queued: Queued<M>) -> Option<M> {
        match queued {
            Queued::Message(message) => Some(message),
            Queued::Newest(number) => {
                let mut waiting = self.0.lock();
                let (subject, message) = waiting.messages.remove(&number)?;
                waiting.numbers.remove(&subject);
                Some(message)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Newest, Queued};
    use crate::outbox::Said;
    use gen_lsp_types::{MessageType, PublishDiagnosticsParams, Uri};

    fn findings(file: u64, version: i32) -> Said {
        let uri = Uri::from(format!("file:///{file}.yml"));
        Said::Publish(PublishDiagnosticsParams { uri, version: Some(version), diagnostics: Vec::new() })
    }

    /// A client that does not read costs one message for each file, however often the file is checked.
    #[test]
    fn only_the_newest_findings_of_a_file_wait() {
        let newest = Newest::default();
        let mut places = Vec::new();
        for version in 0..1_000 {
            for file in 0..3 {
                places.push(newest.queued(findings(file, version)));
                let waiting = newest.0.lock();
                assert!(waiting.messages.len() <= 3 && waiting.numbers.len() <= 3);
            }
        }
        let left: Vec<Said> = places.into_iter().filter_map(|place| newest.due(place)).collect();
        assert_eq!(left.len(), 3);
        assert!(left.iter().all(|said| matches!(said, Said::Publish(params) if params.version == Some(999))));
        assert!(newest.0.lock().messages.is_empty() && newest.0.lock().numbers.is_empty());
        // What is not about a state is never left out.
        assert!(matches!(newest.queued(Said::Show(MessageType::Info, String::new())), Queued::Message(_)));
    }
}
