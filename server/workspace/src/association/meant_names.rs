//! Which of several documents with one name is meant: repositories hold copies, versions and examples of what they define.

use crate::association::name_index::{NamedClaim, Names};
use crate::association::state::AssociationState;
use crate::files::file::File;
use lofting_dialect::SchemaName;
use std::path::Path;

/// How many folders of documents with one name are compared.
const COMPARED: usize = 200;

/// The documents that a name in a file may mean, of an index of names: those in the file itself, else those whose folder
/// is the nearest one going up. The first one counts.
pub(crate) fn places<'n>(
    state: &AssociationState,
    file: &File,
    names: &'n Names,
    name: &SchemaName,
) -> Vec<&'n NamedClaim> {
    let mut all = names.places(name);
    let (first, second) = (all.next(), all.next());
    let (Some(first), Some(second)) = (first, second) else { return first.into_iter().collect() };
    let own: Vec<&NamedClaim> = names.places_in(name, file.id).collect();
    if !own.is_empty() {
        return own;
    }
    let mut found: Vec<(usize, &NamedClaim)> = Vec::new();
    for place in [first, second].into_iter().chain(all).take(COMPARED) {
        lofting_memo::step();
        let Some(there) = state.file(place.file) else { continue };
        let levels = if place.file == file.id { 0 } else { 1 + levels_up(&file.path, &there.path) };
        if found.first().is_none_or(|(nearest, _)| levels <= *nearest) {
            found.retain(|(nearest, _)| *nearest == levels);
            found.push((levels, place));
        }
    }
    found.into_iter().map(|(_, place)| place).collect()
}

/// How many folders one has to go up from a file to a folder that also contains the other.
fn levels_up(from: &Path, to: &Path) -> usize {
    from.ancestors().skip(1).take_while(|folder| !to.starts_with(folder)).count()
}
