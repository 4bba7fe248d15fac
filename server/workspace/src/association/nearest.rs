//! Rules 5 and 6: the schema nearest to a file, and the schema of its private library.

use crate::association::shared::{Nearest, SchemaFiles};
use crate::association::state::AssociationState;
use crate::disk::path::file_name;
use crate::files::file::File;
use crate::files::libraries::{LIBRARIES, SCHEMA_DIRECTORIES};
use crate::inputs::NameKind;
use lofting_check::library_ref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The nearest directory going up from `path` that contains a schema, directly or in one of its [`SCHEMA_DIRECTORIES`],
/// and the schema files there in ytt's order.
pub(crate) fn nearest(state: &AssociationState, path: &Path) -> Option<Nearest> {
    let look = |directory: &Path| {
        let files_in = |directory: &Path| {
            let found = schema_files_in(state, directory);
            (!found.is_empty()).then(|| Nearest { directory: directory.into(), files: SchemaFiles::of(state, found) })
        };
        let below = || SCHEMA_DIRECTORIES.iter().find_map(|name| files_in(&directory.join(name)));
        files_in(directory).or_else(below).map(Some)
    };
    state.shared.nearest.going_up(path.parent()?, state.root_of(path), None, look)
}

/// The schema files directly in a directory, in ytt's order.
fn schema_files_in(state: &AssociationState, directory: &Path) -> Vec<Arc<File>> {
    let files = state.index.schemas_in(directory);
    let mut found: Vec<Arc<File>> =
        files.filter_map(|id| state.file(id)).filter(|file| is_schema_file(file)).cloned().collect();
    found.sort_by(|a, b| file_name(&a.path).as_bytes().cmp(file_name(&b.path).as_bytes()));
    found
}

/// Whether ytt would find a schema document in the file.
pub(crate) fn is_schema_file(file: &File) -> bool {
    NameKind::of_path(&file.path) == NameKind::Yaml && holds_schema(file)
}

/// Whether the file contains a schema document, whatever its name: a file mark can make any file a template
/// (docs/ytt.md 3.2).
pub(crate) fn holds_schema(file: &File) -> bool {
    file.exists() && file.facts.schema && file.holds().schema
}

/// The schema files in and below a directory in the order of `ytt -f DIRECTORY`, without those of private libraries.
pub(crate) fn schema_files_below(state: &AssociationState, directory: &Path) -> SchemaFiles {
    state.shared.below.get(directory.to_owned(), |directory| SchemaFiles::of(state, files_below(state, directory)))
}

fn files_below(state: &AssociationState, directory: &Path) -> Vec<Arc<File>> {
    let mut found: Vec<Arc<File>> = Vec::new();
    for (below, files) in state.index.schemas_below(directory) {
        let inner = below.strip_prefix(directory).unwrap_or(below);
        if inner.components().any(|part| part.as_os_str() == LIBRARIES) {
            continue;
        }
        let files = files.iter().filter_map(|id| state.file(*id));
        found.extend(files.filter(|file| is_schema_file(file)).cloned());
    }
    let key = |file: &File| crate::disk::path::shown(directory, &file.path).into_bytes();
    found.sort_by_cached_key(|file| key(file));
    found
}

/// The directory of the private library that all values documents of a file are meant for, with its schema files:
/// beside the file, or beside the nearest directory above it. None if there is no such schema.
pub(crate) fn addressed_library(state: &AssociationState, file: &File) -> Option<(PathBuf, SchemaFiles)> {
    let documents = state.documents(file).documents.iter().filter(|document| document.is_data_values());
    let mut directories = documents.map(|document| library_ref(&document.notes)?.ok()?.directory());
    let directory = directories.next()??;
    if !directories.all(|other| other.as_ref() == Some(&directory)) {
        return None;
    }
    let root = state.root_of(&file.path);
    let above = file.path.ancestors().skip(1).take_while(|above| above.starts_with(root));
    above.map(|above| above.join(&directory)).find_map(|library| {
        let files = schema_files_below(state, &library);
        (!files.is_empty()).then_some((library, files))
    })
}
