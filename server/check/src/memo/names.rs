//! What is known about what the aliases of a file stand for.

use lofting_document::{Fingerprint, FingerprintHasher};
use lofting_syntax::{Green, KeepsAnswers, Node, OfNodes, Value, gather};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Shorter texts are read again.
const LEAST: usize = 1_024;

/// When documents had more different names than this, all are forgotten.
const MOST_STAMPS: usize = 4_096;

/// What is known about names.
#[derive(Debug, Default)]
pub(crate) struct NamesMemo {
    sizes: OfNodes<Size>,
    /// The texts of long values.
    texts: OfNodes<Fingerprint>,
    /// The numbers of what the aliases of documents stand for.
    stamps: FxHashMap<Vec<(Arc<str>, Meaning)>, u64>,
    last: u64,
}

/// How many values and keys are in a node.
#[derive(Debug, Default)]
pub(crate) struct Size {
    pub values: usize,
}

/// What an alias stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Meaning {
    /// Nothing has its name.
    Unknown,
    /// A value, by its text and its tag.
    Value(Fingerprint, Option<Arc<str>>),
}

impl NamesMemo {
    /// How many values and keys are in a node.
    pub(crate) fn size(&mut self, node: Node<'_>) -> usize {
        gather(node, &mut self.sizes).values
    }

    /// The number of what the aliases of a document stand for. It is never 0.
    pub(crate) fn stamp(&mut self, meanings: Vec<(Arc<str>, Meaning)>) -> u64 {
        if self.stamps.len() >= MOST_STAMPS {
            self.stamps.clear();
        }
        let last = &mut self.last;
        *self.stamps.entry(meanings).or_insert_with(|| {
            *last += 1;
            *last
        })
    }

    /// What an alias of a value means. The first entry of a map is read anew with each edit in the map, so that only its text
    /// tells that it is what it was.
    pub(crate) fn meaning(&mut self, value: Value<'_>) -> Meaning {
        let (tree, range) = (value.owner().tree(), value.content_range());
        let tag = value.tag().map(|tag| tag.text().into());
        let node = value.node().and_then(|node| node.green()).filter(|green| green.len() >= LEAST);
        if let Some(known) = node.and_then(|green| self.texts.answer(green)) {
            return Meaning::Value(*known, tag);
        }
        let mut hash = FingerprintHasher::default();
        // Lines of a block belong to it by their columns.
        (range.start - tree.line_start(range.start), &*tree.text(range)).hash(&mut hash);
        let text = hash.fingerprint();
        if let Some(green) = node {
            self.texts.keep(green, &Arc::new(text));
        }
        Meaning::Value(text, tag)
    }

    /// The addresses of the nodes that are held, one for each time.
    pub(super) fn held(&self) -> impl Iterator<Item = usize> {
        self.sizes.keys().chain(self.texts.keys()).copied()
    }

    /// Forgets nodes that are no longer in use.
    pub(super) fn retain(&mut self, in_use: impl Fn(&Arc<Green>) -> bool) {
        self.sizes.retain(|_, (_, green)| in_use(green));
        self.texts.retain(|_, (_, green)| in_use(green));
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len() + self.texts.len()
    }
}
