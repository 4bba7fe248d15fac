//! Merges single entries of a document, as if nothing else were in it.

use super::ValuesTree;
use crate::place_in;
use crate::set::{ValuesDocument, ValuesSet};
use crate::values::{Base, Layers, MergedEntries, NoAssertions, ValuesCheck};
use crate::view::{EntryParts, TreeView};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Document, MapItem, Node as Data, NodeValue, Notes, Options, item_notes, lower_entry};
use lofting_overlay::{Mode, NoFunctions};
use lofting_syntax::{Green, Kind, Node};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// The entries of a tree that have to be merged.
pub(super) struct MergedInTree<'m, 't> {
    pub values: &'m ValuesTree<'t>,
    pub check: &'m ValuesCheck<'m>,
}

impl<'t> MergedInTree<'_, 't> {
    /// The entries around an entry, from the root, and the entry itself; None if it is in an array.
    fn path(&self, entry: u32) -> Option<Vec<Node<'t>>> {
        let path = self.values.tree.path_at(entry as usize).into_iter();
        let path: Vec<Node<'t>> = path.take_while(|node| node.range().start <= entry as usize).collect();
        let last =
            path.iter().position(|node| node.kind() == Kind::MapEntry && node.range().start == entry as usize)?;
        let path = path.get(..=last)?;
        let is_in_array = path.iter().any(|node| node.kind() == Kind::SeqEntry);
        (!is_in_array).then(|| path.iter().filter(|node| node.kind() == Kind::MapEntry).copied().collect())
    }

    /// An entry with nothing but another in it.
    fn around(&self, entry: Node<'_>, inner: MapItem) -> Option<MapItem> {
        let EntryParts::Pair(key, _) = TreeView::entry(self.values.file, entry) else { return None };
        let annotations = item_notes(self.values.file.id, entry)?;
        let (key, key_span, span) = (key.key(), key.span(), inner.span);
        let value = Data::new(NodeValue::Map(vec![inner].into()), span);
        let notes = Notes { annotations, ..Notes::default() };
        Some(MapItem { key, key_span, span: key_span, value, notes, merged: false, conditional: false })
    }

    /// The document with nothing but an entry in it.
    fn document(&self, path: &[Node<'t>]) -> Option<Document> {
        let (entry, around) = path.split_last()?;
        let file = self.values.file;
        let mut item = lower_entry(file.id, *entry, file.profile, Options::default())?;
        for entry in around.iter().rev() {
            item = self.around(*entry, item)?;
        }
        let head = self.values.header()?;
        let value = Data::new(NodeValue::Map(vec![item].into()), self.values.value_span());
        Some(Document { value, ..head.clone() })
    }
}

impl MergedEntries for MergedInTree<'_, '_> {
    fn has(&self, entry: u32) -> bool {
        self.values.entries.contains(&(entry as usize))
    }

    fn node(&self, entry: u32) -> Option<(Arc<Green>, u64)> {
        let path = self.path(entry)?;
        let green = path.last()?.green()?.clone();
        let key = |node: &Node<'_>| match TreeView::entry(self.values.file, *node) {
            EntryParts::Pair(key, _) => Some(key.key()),
            _ => None,
        };
        let above: Vec<_> = path.iter().map(|node| (key(node), self.values.file.annotations(*node))).collect();
        let head = self.values.tree.text(0..self.values.header_end);
        Some((green, FxBuildHasher.hash_one((above, head))))
    }

    fn findings(&self, entry: u32) -> Option<(Vec<Diagnostic>, usize)> {
        let path = self.path(entry)?;
        let document = self.document(&path)?;
        let (file, node) = (self.values.file.id, path.last()?);
        let own = item_notes(file, *node)?.iter().map(|note| note.span.start).chain([entry]).min()?;
        let own = own..u32::try_from(node.range().end).ok()?;
        let set = ValuesSet {
            schema: Some(self.check.schema),
            functions: &NoFunctions,
            assertions: &NoAssertions,
            source: self.check.source,
            validations: true,
            limit: self.check.limit,
        };
        let given = [ValuesDocument { document: &document, mode: Mode::Annotated }];
        let report = match self.check.layers {
            Layers::Over { below: Base::Merged(values), .. } => set.check_over(values, &given),
            Layers::Over { below: Base::Defaults, .. } => set.check(&given),
            _ => return None,
        };
        let mut found = report.findings;
        found.retain_mut(|finding| {
            let is_here = finding.span.file == file || place_in(finding, &document);
            // The others are about what is around the entry, of which more is in the document.
            is_here && own.contains(&finding.span.start)
        });
        Some((found, report.more))
    }
}
