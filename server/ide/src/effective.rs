//! What happens to a value in a file: the chain of values that take each other's place while data values are
//! merged.

use crate::path::Step;
use lofting_document::{FileId, Node, NodeValue, Span};
use lofting_syntax::Kind;
use lofting_workspace::Snapshot;
use std::ops::Range;

/// The place of a value, by its key.
pub(crate) struct KeyPlace {
    /// The file.
    pub file: FileId,
    /// The key, or what stands for it (bytes).
    pub key: Range<usize>,
}

impl KeyPlace {
    /// Whether a value is the one of this key: it follows it, on its line or below.
    pub fn holds(&self, span: Span, snapshot: &Snapshot) -> bool {
        if span.file != self.file || span.range().start < self.key.start {
            return false;
        }
        let tree = snapshot.tree(self.file);
        let path = tree.path_at(self.key.start).into_iter().rev();
        let entry = path.into_iter().find(|node| matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry));
        entry.is_some_and(|entry| span.range().end <= entry.range().end)
    }

    /// The value at the end of a path from the root; of items of arrays the one that came from this place, as they have
    /// no names.
    pub fn find<'n>(&self, root: &'n Node, path: &[Step]) -> Option<&'n Node> {
        path.iter().try_fold(root, |node, step| match (step, &node.value) {
            (Step::Key(key), _) => node.get(key),
            (Step::Item, NodeValue::Array(items)) => items
                .iter()
                .find(|item| {
                    let (value, dash) = (item.value.span, item.span);
                    let whole = dash.start.min(value.start) as usize..value.end as usize;
                    dash.file == self.file && whole.start <= self.key.start && self.key.start <= whole.end
                })
                .map(|item| &item.value),
            _ => None,
        })
    }
}

/// A value and those whose place it took, the last one first. A chain cycles no more than documents do.
pub(crate) fn chain(last: &Node) -> impl Iterator<Item = &Node> {
    std::iter::successors(Some(last), |node| node.replaced.as_deref())
}

/// Maps are too much to be shown, and each of their parts is described at its own place.
pub(crate) fn is_shown(node: &Node) -> bool {
    !matches!(node.value, NodeValue::Map(_) | NodeValue::Unknown)
}
