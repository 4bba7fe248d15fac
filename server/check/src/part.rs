//! Parts of a file that schemas govern, and documents in which annotations have no meaning.

use crate::memo::CheckMemo;
use crate::path::Step;
use crate::tree::{Reading, check_keys};
use crate::values::{Findings, Root, ValuesCheck};
use crate::view::{NodeView, TreeReader};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Node, Span};
use lofting_schema::SchemaId;
use lofting_syntax::{Document, Value};

/// A part of a document that a schema governs.
#[derive(Debug, Clone, Copy)]
pub struct GovernedPart<'p> {
    /// Its number in the file, so that remembered results of several parts are kept apart.
    pub number: u16,
    /// The path to it from the document's root.
    pub at: &'p [Step],
    /// Where to report something about the part as a whole: its key.
    pub name: Span,
    /// The node that it has to fit.
    pub node: SchemaId,
}

impl GovernedPart<'_> {
    /// Checks the part in the tree, using what `memo` remembers. Its document has passed [`check_keys_in_tree`]. None if
    /// only lowering can read the value. `memo` must have been started with a stamp for the schemas of all parts.
    pub fn check_in_tree<'t>(
        &self,
        check: &ValuesCheck<'_>,
        reader: TreeReader<'t>,
        value: Value<'t>,
        memo: &mut CheckMemo,
    ) -> Option<Findings> {
        let root = Root::new(reader.view(value)?, self.name);
        memo.part = self.number;
        let found = check.run_part(root, self.node, self.at, Some((reader.file.id, &mut *memo)));
        memo.part = 0;
        Some(found)
    }

    /// Checks the part as data.
    pub fn check(&self, check: &ValuesCheck<'_>, value: &Node) -> Findings {
        check.run_part(Root::new(NodeView(value), self.name), self.node, self.at, None)
    }
}

/// Findings about the keys of one document, whatever its schema, using what `memo` remembers. None if the document has
/// to be lowered; the other documents of the file do not.
pub fn check_keys_in_tree<'t>(
    reader: TreeReader<'t>,
    document: &Document<'t>,
    memo: &mut CheckMemo,
) -> Option<Vec<Diagnostic>> {
    let Some(root) = document.root() else { return Some(Vec::new()) };
    let view = reader.view(root)?;
    check_keys(Reading { reader, is_template: false, in_proposal: false }, view, &mut memo.clean)
}
