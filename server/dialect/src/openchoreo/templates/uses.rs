//! Finds the names used in expressions.

use super::{SEMANTICS, Texts, cel, each, segments};
use crate::FileView;
use crate::inside::Own;
use crate::openchoreo::cel::NodeKind;
use crate::openchoreo::cel::types::Type;
use lofting_document::Span;
use std::ops::Range;

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::openchoreo) struct Use {
    /// The name.
    pub name: String,
    /// Its bytes in the file; for a string in brackets, without the quotes.
    pub range: Range<usize>,
    /// It stands alone, as the name of a variable.
    pub is_variable: bool,
    /// The keys that declare the field, in the schemas where it exists.
    pub declared: Vec<Span>,
}

/// The variables used in a document's expressions, except those of loops and macros, and the fields whose schemas are
/// known.
pub(in crate::openchoreo) fn uses(file: &dyn FileView, own: &Own<'_>, document: usize) -> Vec<Use> {
    let mut found = Vec::new();
    each(file, own, &mut |number, template, variables| {
        if number != document {
            return;
        }
        let place = Texts { tree: Some(file.tree()), profile: SEMANTICS.profile }.place(template.node);
        for segment in segments(template.text) {
            let Some(expression) = template.text.get(segment.inner.clone()).and_then(cel::parse) else { continue };
            let checked = variables.check(&expression);
            let written = |range: &Range<usize>| {
                let start = segment.inner.start;
                place.span(start + range.start..start + range.end).range()
            };
            let declared = |id: usize| match checked.types.get(id) {
                Some(Type::Nodes(schema, nodes)) => nodes.iter().map(|node| schema.node(*node).declared.name).collect(),
                _ => Vec::new(),
            };
            for (id, node) in expression.nodes.iter().enumerate() {
                let is_local = |name: &String| {
                    let scopes = expression.scopes.iter().filter(|scope| scope.nodes.contains(&id));
                    let looped = variables.looped.as_ref().is_some_and(|(looped, _)| looped == name);
                    looped || scopes.flat_map(|scope| &scope.names).any(|local| local == name)
                };
                let (name, range, is_variable) = match &node.kind {
                    NodeKind::Name(name) if !is_local(name) => (name, written(&node.range), true),
                    NodeKind::Select { name, name_range, .. } if !name.is_empty() => (name, written(name_range), false),
                    _ => continue,
                };
                let declared = if is_variable { Vec::new() } else { declared(id) };
                found.push(Use { name: name.clone(), range, is_variable, declared });
            }
        }
    });
    found
}
