//! Finds the names used in expressions.

use super::{cel, each, segments};
use crate::FileView;
use crate::inside::Own;
use crate::openchoreo::cel::NodeKind;
use crate::openchoreo::cel::types::Type;
use lofting_document::Span;
use std::ops::Range;

/// How a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openchoreo) enum UseForm {
    /// Alone, as the name of a variable.
    Variable,
    /// After a dot.
    AfterDot,
    /// As a string in brackets.
    Quoted,
}

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::openchoreo) struct Use {
    /// The name.
    pub name: String,
    /// Its bytes in the file; for a string in brackets, without the quotes.
    pub range: Range<usize>,
    /// How it is written.
    pub form: UseForm,
    /// The keys that declare the field, in the schemas where it exists.
    pub declared: Vec<Span>,
}

/// The variables used in a file's expressions, or only in those of one document, except those of loops and macros, and
/// the fields whose schemas are known.
pub(in crate::openchoreo) fn uses(file: &dyn FileView, own: &Own<'_>, document: Option<usize>) -> Vec<Use> {
    let mut found = Vec::new();
    each(file, own, &mut |number, template, variables| {
        if document.is_some_and(|document| number != document) {
            return;
        }
        let place = template.parts(file);
        for segment in segments(template.text) {
            let Some(expression) = template.text.get(segment.inner.clone()).and_then(cel::parse) else { continue };
            let checked = variables.check(&expression, variables.checked());
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
                    let looped = variables.looped.as_ref().is_some_and(|looped| looped.name == *name);
                    looped || scopes.flat_map(|scope| &scope.names).any(|local| local == name)
                };
                let (name, range, form) = match (&node.kind, expression.member(node)) {
                    (NodeKind::Name(name), _) if !is_local(name) => {
                        (name.clone(), node.range.clone(), UseForm::Variable)
                    }
                    (_, Some(member)) if !member.name.is_empty() => {
                        let form = if member.is_quoted { UseForm::Quoted } else { UseForm::AfterDot };
                        (member.name.to_owned(), member.range, form)
                    }
                    _ => continue,
                };
                let declared = if form == UseForm::Variable { Vec::new() } else { declared(id) };
                found.push(Use { name, range: written(&range), form, declared });
            }
        }
    });
    found
}
