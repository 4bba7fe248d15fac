//! Creates a schema for a values file: types from the values, types of items from all items, descriptions from
//! comments.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::inferred::{Inferred, inferred, is_typed_map};
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::completion::Style;
use lofting_diagnostic::Confidence;
use lofting_document::{Document, FileId};
use lofting_syntax::{Tree, Value};
use lofting_workspace::{FileKind, Snapshot};

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Extract, offer };

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let kind = context.snapshot.kind(context.file);
    let has_schema = context.snapshot.association(context.file).schema.is_some();
    let is_values = matches!(kind, FileKind::DataValues | FileKind::Other) && !has_schema;
    // It concerns the whole file, so it is offered only at its beginning.
    if !is_values || !context.abilities.creates_files || context.text.line_of(context.range.start) > 2 {
        return;
    }
    let path = context.snapshot.path(context.file).with_file_name("schema.yml");
    let tree = context.tree();
    let root = first_root(&tree).filter(|root| is_typed_map(&tree, context.snapshot.profile(context.file), *root));
    if root.is_none() || context.snapshot.file(&path).is_some() {
        return;
    }
    offers.add_later("Write a schema for these values", Confidence::Possible, || {
        let text = schema_of_values(context.snapshot, context.file)?;
        Some(Change::new_file(path, text))
    });
}

fn first_root(tree: &Tree) -> Option<Value<'_>> {
    tree.documents().find_map(|document| document.root())
}

/// A schema of ytt data values that fits the documents of a file; None if none of them is a map with keys. Where some are
/// marked as data values, the others are not.
pub fn schema_of_values(snapshot: &Snapshot, file: FileId) -> Option<String> {
    let tree = snapshot.tree(file);
    let style = Style::of(&snapshot.text(file));
    let lowered = snapshot.lowered(file);
    let has_marked = lowered.documents.iter().any(Document::is_data_values);
    let counts = |index: usize| !has_marked || lowered.documents.get(index).is_some_and(Document::is_data_values);
    let documents = tree.documents().enumerate().filter(|(index, _)| counts(*index)).map(|(_, document)| document);
    let roots = documents.filter_map(|document| document.root());
    let types = roots.map(|root| inferred(&tree, snapshot.profile(file), root)).filter(Inferred::is_map);
    let keys = types.reduce(Inferred::or)?.schema(0, style)?;
    let newline = style.newline;
    Some(format!("#@data/values-schema{newline}---{newline}{keys}{newline}"))
}
