//! Go to definition: from a value to its schema, from the name of another document to that document, from the target of a
//! patch to what it selects, from a `$ref` to its target, from an alias to its anchor, from the comment that names a schema
//! to that file, and in code, also inside scalars.

use crate::anchors;
use crate::answers::Definition;
use crate::governing::governing;
use crate::inside;
use crate::named::Named;
use crate::pages::comment_at;
use crate::path::Step;
use crate::starlark;
use crate::target::target_at;
use lofting_document::{FileId, Span};
use lofting_syntax::{Kind, Tree};
use lofting_workspace::{FileKind, Link, LinkTarget, Reason, Snapshot};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// Where the thing at `offset` (bytes) is defined, perhaps in a built-in schema.
pub fn goto_definition(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Definition> {
    let tree = snapshot.tree(file);
    if let Some(found) = starlark::definitions(snapshot, file, offset).filter(|found| !found.is_empty()) {
        return found;
    }
    if let Some((start, comment)) = comment_at(&tree, offset) {
        return modeline(snapshot, file, start..start + comment.len(), &comment).into_iter().collect();
    }
    if let Some(definition) = anchor(snapshot, file, &tree, offset) {
        return vec![definition];
    }
    if let Some((origin, place)) = snapshot.referred_place(file, offset) {
        return vec![Definition { origin, target: place.whole, target_selection: place.name }];
    }
    if let Some(definition) = link(snapshot, file, offset) {
        return vec![definition];
    }
    if let Some((origin, selected)) = snapshot.patched_resources(file, offset).filter(|(_, found)| !found.is_empty()) {
        let to = |name| Definition { origin: origin.clone(), target: name, target_selection: name };
        return selected.into_iter().map(to).collect();
    }
    if let Some(named) = Named::at(snapshot, file, offset) {
        let to = |name| Definition { origin: named.origin.clone(), target: name, target_selection: name };
        return named.declared.iter().copied().map(to).collect();
    }
    if let Some((schema, node, origin)) = inside::at(snapshot, file, &tree, offset).and_then(|found| found.node()) {
        let declared = schema.node(node).declared;
        return vec![Definition { origin, target: declared.span, target_selection: declared.name }];
    }
    let Some(target) = target_at(&tree, snapshot.profile(file), offset) else { return Vec::new() };
    let governing = governing(snapshot, file, &tree, target.document, &target.path, offset);
    let Some(governing) = governing else { return Vec::new() };
    let definition = |id| {
        let declared = governing.schema.node(id).declared;
        let origin = target.range.clone();
        let definition = Definition { origin, target: declared.span, target_selection: declared.name };
        let file = declared.span.file;
        (snapshot.is_file(file) || snapshot.built_in_name(file).is_some()).then_some(definition)
    };
    let found: Vec<Definition> = target.schemas(&governing).0.into_iter().filter_map(definition).collect();
    if !found.is_empty() {
        return found;
    }
    // What a resource is called leads to the schema of the whole.
    let (part, above) = governing.part();
    let is_kind = matches!(target.path.get(above..), Some([Step::Key(key)]) if key.as_str() == Some("kind"));
    definition(part).filter(|_| is_kind && snapshot.kind(file) == FileKind::Parts).into_iter().collect()
}

/// The name of a file → the file.
fn link(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Definition> {
    let holds = |link: &Link| link.range.start <= offset && offset <= link.range.end;
    let link = snapshot.links(file).into_iter().find(holds)?;
    let LinkTarget::File(target) = link.target else { return None };
    let target = Span::new(target, 0..0);
    Some(Definition { origin: link.range, target, target_selection: target })
}

/// `*name` → `&name` with its value.
fn anchor(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize) -> Option<Definition> {
    let alias = [Some(offset), offset.checked_sub(1)].into_iter().flatten().find_map(|offset| {
        tree.token_at(offset).filter(|token| token.kind() == Kind::Alias && token.range().start <= offset)
    })?;
    let anchor = anchors::anchor_of(tree, &snapshot.text(file), alias)?;
    let selection = anchor.range();
    let whole = tree.anchored_value(anchor.range().start).map_or(selection.clone(), |value| value.range());
    Some(Definition {
        origin: alias.range(),
        target: Span::new(file, selection.start..whole.end.max(selection.end)),
        target_selection: Span::new(file, selection),
    })
}

/// `#! lofting: schema=PATH` → the file.
fn modeline(snapshot: &Snapshot, file: FileId, origin: Range<usize>, comment: &str) -> Option<Definition> {
    let association = snapshot.association(file);
    let Reason::Modeline { schema } = &association.reason else { return None };
    let at = comment.find(schema.as_str())?;
    let target = Span::new(*association.schema.as_ref()?.state.files.first()?, 0..0);
    let start = origin.start + at;
    Some(Definition { origin: start..start + schema.len(), target, target_selection: target })
}
