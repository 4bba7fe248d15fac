//! The schema with which a finding was made.

use super::context::Context;
use super::editing::{Editing, Named};
use crate::governing::governing;
use lofting_document::Span;
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::Value;
use lofting_workspace::FileKind;
use std::sync::Arc;

/// A value with its schema nodes.
pub(crate) struct Governed<'t> {
    pub value: Value<'t>,
    pub schema: Arc<Schema>,
    /// The nodes that hold for the value.
    pub nodes: Vec<SchemaId>,
    /// The nodes that are named for the value, whose clauses name those.
    pub named: Vec<SchemaId>,
}

/// The schema nodes of the value that a finding is about, given by its key, dash, document marker, or itself.
pub(crate) fn governed_at<'t>(context: &Context<'_>, editing: &'t Editing, name: Span) -> Option<Governed<'t>> {
    // In a template, code decides what becomes of what is written.
    if context.snapshot.kind(context.file) == FileKind::Template {
        return None;
    }
    let profile = context.snapshot.profile(context.file);
    let Named { document, path, value } = editing.named(profile, name.range())?;
    let (tree, at) = (context.tree(), name.range().start);
    let governing = governing(context.snapshot, context.file, &tree, document, &path, at)?;
    let (nodes, named) = (governing.nodes_at(&path), governing.named_at(&path));
    Some(Governed { value, schema: governing.schema, nodes, named })
}
