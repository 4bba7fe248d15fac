//! References of a data value: its declarations, its keys in values files and flags, its uses in code; from any of
//! them. References of a name in code: where it is bound and all its uses, in all files. References of a document: its
//! name, and where others refer to it. References of a field of a schema whose values are in other documents. References
//! of an anchor: its aliases.

use crate::anchors;
use crate::data_value::{DataValue, governed_files};
use crate::field::Field;
use crate::named::Named;
use crate::starlark::{CodeName, Role};
use lofting_document::{FileId, Span};
use lofting_workspace::{FileKind, Snapshot};
use std::collections::BTreeSet;

#[cfg(test)]
mod tests;

/// All positions of the anchor, data value or name in code at `offset` (bytes), in order of files and positions.
pub fn references(snapshot: &Snapshot, file: FileId, offset: usize, with_declarations: bool) -> Vec<Span> {
    if let Some(found) = anchors::anchored_at(&snapshot.tree(file), &snapshot.text(file), offset) {
        let declared = with_declarations.then_some(found.anchor);
        return declared.into_iter().chain(found.aliases).map(|token| Span::new(file, token.range())).collect();
    }
    if let Some(found) = CodeName::meant(snapshot, file, offset) {
        let wanted = |role: Role| with_declarations || matches!(role, Role::Use | Role::Alias);
        return found.places.into_iter().filter(|(_, role)| wanted(*role)).map(|(span, _)| span).collect();
    }
    if let Some(named) = Named::at(snapshot, file, offset) {
        return named.places(with_declarations);
    }
    if let Some(field) = Field::at(snapshot, file, offset) {
        let places = field.places(snapshot);
        let keys = places.keys.into_iter().filter(|span| with_declarations || *span != field.declared);
        return keys.chain(places.uses).collect();
    }
    let files = governed_files(snapshot);
    let Some(value) = DataValue::at(snapshot, &files, file, offset) else { return Vec::new() };
    let mut found: BTreeSet<Span> = BTreeSet::new();
    if with_declarations {
        found.extend(&value.declared);
    }
    for governed in files.iter().filter(|governed| governed.kind != FileKind::Schema && value.governs(governed)) {
        found.extend(value.places_in(snapshot, governed));
    }
    found.extend(value.flags(snapshot).into_iter().map(|(flag, key)| key.unwrap_or(flag)));
    found.into_iter().collect()
}
