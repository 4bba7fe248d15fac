//! Parts of a file that schemas govern, and documents that no annotation means anything in.

use crate::memo::Memo;
use crate::path::Step;
use crate::tree::check_keys;
use crate::values::{Findings, Root, ValuesCheck};
use crate::view::{NodeView, TreeFile, TreeView};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Node, Span};
use lofting_schema::SchemaId;
use lofting_syntax::{Tree, Value};

/// A part of a document that a schema governs.
#[derive(Debug, Clone, Copy)]
pub struct GovernedPart<'p> {
    /// Its number in the file: what is remembered of it is not mistaken for another's.
    pub number: u16,
    /// The way to it from the document's root.
    pub at: &'p [Step],
    /// What to point at when it is wrong as a whole: its key.
    pub name: Span,
    /// The node that it has to fit.
    pub node: SchemaId,
}

impl GovernedPart<'_> {
    /// Checks it where it stands in the tree, with what `memo` remembers of the last time. None: this tree has something
    /// in it that only lowering reads. The memo has to have begun with a stamp that stands for the schemas of all parts.
    pub fn check_in_tree(
        &self,
        check: &ValuesCheck<'_>,
        file: TreeFile,
        tree: &Tree,
        value: Value<'_>,
        memo: &mut Memo,
    ) -> Option<Findings> {
        if tree.root().has_names() {
            return None;
        }
        let root = Root::new(TreeView::root(file, tree, Some(value))?, self.name);
        memo.part = self.number;
        let found = check.run_part(root, self.node, self.at, Some((file.id, &mut *memo)));
        memo.part = 0;
        Some(found)
    }

    /// Checks it as data.
    pub fn check(&self, check: &ValuesCheck<'_>, value: &Node) -> Findings {
        check.run_part(Root::new(NodeView(value), self.name), self.node, self.at, None)
    }
}

/// What is wrong with the keys of a file's documents, whatever their schema, with what `memo` remembers. None: only
/// lowering can tell.
pub fn check_keys_in_tree(file: TreeFile, tree: &Tree, memo: &mut Memo) -> Option<Vec<Diagnostic>> {
    if tree.root().has_names() {
        return None;
    }
    let mut found = Vec::new();
    for root in tree.documents().filter_map(|document| document.root()) {
        let view = TreeView::root(file, tree, Some(root))?;
        found.extend(check_keys(file, view.collection(), false, &mut memo.clean)?);
    }
    Some(found)
}
