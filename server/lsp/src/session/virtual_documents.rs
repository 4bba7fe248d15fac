//! The virtual documents that a client shows, and their changes.
//!
//! A requested document becomes watched: whenever texts or their surroundings have changed, the watched ones are made
//! again in the background, and the client is notified of those that differ.

use crate::pool::Lane;
use crate::session::{Session, Workers};
use crate::view::View;
use crate::virtual_documents::{AskedBy, MOST, VirtualDocument};

/// The documents of one client.
#[derive(Default)]
pub(crate) struct VirtualDocuments {
    watched: Vec<Watched>,
    due: bool,
    /// Running jobs: first texts, and one that makes all texts again.
    jobs: usize,
}

/// A document the client has asked for.
struct Watched {
    document: VirtualDocument,
    asked_by: AskedBy,
    /// The hash of the client's text, once it is known.
    shown: Option<u64>,
}

/// The hashes of the texts of documents.
pub(crate) struct HashedDocuments(Vec<(VirtualDocument, u64)>);

impl VirtualDocuments {
    /// A client requests a document and gets it as of `view`: from now on it is watched.
    pub(crate) fn watch(&mut self, document: VirtualDocument, asked_by: AskedBy, view: View, workers: &Workers) {
        self.watched.retain(|known| known.document != document);
        self.watched.push(Watched { document: document.clone(), asked_by, shown: None });
        if self.watched.len() > MOST {
            self.watched.remove(0);
        }
        self.make(vec![document], view, workers);
        self.due = true;
    }

    /// Something changed that may change values.
    pub(crate) fn invalidate(&mut self) {
        self.due = true;
    }

    /// Whether there is a reason to make watched documents again.
    pub(crate) fn is_due(&self) -> bool {
        self.due && self.jobs == 0 && !self.watched.is_empty()
    }

    /// Makes watched documents again.
    pub(crate) fn start(&mut self, view: View, workers: &Workers) {
        self.due = false;
        let documents = self.watched.iter().map(|watched| watched.document.clone()).collect();
        self.make(documents, view, workers);
    }

    fn make(&mut self, documents: Vec<VirtualDocument>, view: View, workers: &Workers) {
        self.jobs += 1;
        let (events, code) = (workers.events.clone(), workers.code.clone());
        let make = move || {
            let hashed = |document: VirtualDocument| {
                let hash = view.client.outputs.hash(&document, &view.snapshot, &code);
                (document, hash)
            };
            let found = HashedDocuments(documents.into_iter().map(hashed).collect());
            events.change("virtual documents", move |session| session.virtual_documents_made(found));
        };
        let over = |session: &mut Session| session.virtual_documents.jobs -= 1;
        workers.submit_until(Lane::Code, "virtual documents", over, make);
    }

    /// The documents whose text at the client is outdated, with the way it requested them.
    pub(crate) fn changed(&mut self, found: HashedDocuments) -> Vec<(VirtualDocument, AskedBy)> {
        let mut changed = Vec::new();
        for (document, hash) in found.0 {
            let Some(watched) = self.watched.iter_mut().find(|watched| watched.document == document) else { continue };
            if watched.shown.replace(hash).is_some_and(|old| old != hash) {
                changed.push((document, watched.asked_by));
            }
        }
        changed
    }
}
