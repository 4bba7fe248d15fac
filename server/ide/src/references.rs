//! References of a data value: its declarations, its keys in values files and flags, its uses in code; from any of
//! them.

use crate::data_value::{DataValue, governed_files};
use lofting_document::{FileId, Span};
use lofting_workspace::{FileKind, Snapshot};
use std::collections::BTreeSet;

#[cfg(test)]
mod tests;

/// All places of the data value at `offset` (bytes), in order of files and places.
pub fn references(snapshot: &Snapshot, file: FileId, offset: usize, with_declarations: bool) -> Vec<Span> {
    let files = governed_files(snapshot);
    let Some(value) = DataValue::at(snapshot, &files, file, offset) else { return Vec::new() };
    let mut found: BTreeSet<Span> = BTreeSet::new();
    if with_declarations {
        found.extend(&value.declared);
    }
    for governed in files.iter().filter(|governed| value.governs(governed)) {
        match governed.kind {
            FileKind::Schema => {}
            FileKind::DataValues | FileKind::PlainValues => found.extend(value.keys_in(snapshot, governed)),
            _ => {
                let code = snapshot.code(governed.file);
                found.extend(value.uses_in(&code).map(|used| Span::new(governed.file, used.range.clone())));
            }
        }
    }
    found.extend(value.flags(snapshot).into_iter().map(|(flag, key)| key.unwrap_or(flag)));
    found.into_iter().collect()
}
