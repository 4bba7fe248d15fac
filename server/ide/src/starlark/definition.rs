//! Go to definition in code: from a data value to the schema, from a name to its binding, from `load` to the file.

use super::view::{CodeView, Known};
use crate::answers::Definition;
use lofting_document::{FileId, Span};
use lofting_eval::code::{Binding, BindingKind, TermKind};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// Where the thing at `offset` is defined; `None` outside code.
pub(crate) fn definitions(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Vec<Definition>> {
    let (view, _) = CodeView::at(snapshot, file, offset)?;
    let inside = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    if let Some(used) = view.code.values.use_at(offset) {
        let definition = |(schema, id): (&lofting_workspace::SchemaRef, _)| {
            let declared = schema.schema.node(id).declared;
            Definition { origin: used.range.clone(), target: declared.span, target_selection: declared.name }
        };
        return Some(view.declared(used.path).into_iter().map(definition).collect());
    }
    if let Some(load) = view.code.loads.iter().find(|load| inside(&load.module_range)) {
        let target = snapshot.loaded_file(file, &load.module).map(|target| Span::new(target, 0..0));
        let origin = load.module_range.clone();
        let definition = |target| Definition { origin, target, target_selection: target };
        return Some(target.map(definition).into_iter().collect());
    }
    if let Some(found) = loaded_name(&view, offset) {
        return Some(vec![found]);
    }
    if let Some(found) = parameter(&view, offset) {
        return Some(vec![found]);
    }
    let id = view.code.term_at(offset)?;
    let term = view.code.term(id)?;
    if let TermKind::Attribute { of, name, name_range } = &term.kind
        && inside(name_range)
        && let Some(entry) = view.members(*of).into_iter().find(|entry| entry.name == *name)
    {
        let target = Span::new(entry.value.file, entry.range);
        return Some(vec![Definition { origin: name_range.clone(), target, target_selection: target }]);
    }
    let TermKind::Name(name) = &term.kind else { return Some(Vec::new()) };
    let Some(binding) = view.binding(term.scope, name, term.range.start) else { return Some(Vec::new()) };
    Some(vec![of_binding(&view, binding, term.range.clone())])
}

/// A name in `load` itself.
fn loaded_name(view: &CodeView<'_>, offset: usize) -> Option<Definition> {
    let inside = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let (index, load) = view.code.loads.iter().enumerate().find(|(_, load)| inside(&load.range))?;
    let number = load.names.iter().position(|name| inside(&name.name_range))?;
    let origin = load.names.get(number)?.name_range.clone();
    let is_it = |binding: &&Binding| binding.kind == BindingKind::Loaded(index, number);
    let binding = view.code.bindings.iter().find(is_it)?;
    Some(of_binding(view, binding, origin))
}

/// The parameter that a named argument is for.
fn parameter(view: &CodeView<'_>, offset: usize) -> Option<Definition> {
    let (function, name, origin) = view.keyword_argument(offset)?;
    let Known::Function(file, function) = view.known(function)? else { return None };
    let parameter = function.parameters.into_iter().find(|parameter| parameter.name == name && !parameter.starred)?;
    let target = Span::new(file, parameter.range);
    Some(Definition { origin, target, target_selection: target })
}

fn of_binding(view: &CodeView<'_>, binding: &Binding, origin: Range<usize>) -> Definition {
    let (file, whole, name) = match view.bound(binding) {
        Known::Function(file, function) => (file, function.head, function.name_range),
        Known::Variable(file, binding) => (file, binding.range.clone(), binding.range),
        // A module of ytt has no file; what loads it comes closest.
        _ => (view.file, binding.range.clone(), binding.range.clone()),
    };
    Definition { origin, target: Span::new(file, whole), target_selection: Span::new(file, name) }
}

#[cfg(test)]
mod tests;
