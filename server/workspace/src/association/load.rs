//! The files that `load("path", ...)` in code refers to (docs/ytt.md 7.5).

use crate::association::state::AssociationState;
use crate::disk::path::normalise;
use crate::evaluation::scope::file_of;
use crate::files::file::File;
use crate::files::libraries::{LIBRARIES, library_of};
use crate::inputs::NameKind;
use crate::inputs::Source;
use lofting_document::FileId;
use std::path::{Path, PathBuf};

/// The file that `written` refers to in a `load` of `file`. Paths are relative to the loading file or, with a leading
/// slash, to the root of its library. `@library:path` leads to a file of a private library beside the loading file.
pub(crate) fn loaded_file(state: &AssociationState, file: &File, written: &str) -> Option<FileId> {
    if written.is_empty() {
        return None;
    }
    let in_library = match written.strip_prefix('@') {
        Some(reference) => {
            Some(reference.split_once(':').filter(|(name, path)| *name != BUILT_IN && !path.is_empty())?)
        }
        None => None,
    };
    inputs(state, file).find_map(|(name, path)| {
        let beside = |written: &str| match name.rsplit_once('/') {
            Some((directory, _)) => format!("{directory}/{written}"),
            None => written.to_owned(),
        };
        let base = match (in_library, written.strip_prefix('/')) {
            (Some((library, path)), _) => beside(&format!("{LIBRARIES}/{library}/{}", path.trim_start_matches('/'))),
            (None, Some(absolute)) => absolute.to_owned(),
            (None, None) => beside(written),
        };
        path(&base).and_then(|path| state.file_at(&path)).filter(|file| file.exists()).map(|file| file.id)
    })
}

/// What is loaded from there is a part of ytt: `@ytt:data`.
const BUILT_IN: &str = "ytt";

/// How many files are searched for those that load a given one.
const MAX_BESIDE: usize = 300;

/// Files that may load `file`: those of its input sets, or else those in its directory and the one above.
pub(crate) fn beside(state: &AssociationState, file: &File) -> Vec<FileId> {
    let mut found: Vec<FileId> = Vec::new();
    for (set, _) in state.sets.of_file(file.id) {
        let inputs = set.inputs.iter().filter_map(|input| file_of(state, input)).map(|file| file.id);
        found.extend(inputs.take(MAX_BESIDE));
    }
    if found.is_empty() {
        let directories = file.path.ancestors().skip(1).take(2).filter(|path| path.starts_with(state.root_of(path)));
        for directory in directories {
            let files = state.index.directories_below(directory).flat_map(|(_, files)| files.iter().copied());
            found.extend(files.take(MAX_BESIDE));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|other| {
        *other != file.id && state.file(*other).is_some_and(|file| file.exists() && file.may_have_code())
    });
    found.truncate(MAX_BESIDE);
    found
}

/// Files that `file` can load, as `load` would name them: relative to it, then from the root of its library, then those of
/// private libraries beside it.
pub(crate) fn loadable(state: &AssociationState, file: &File) -> Vec<String> {
    let Some(parent) = file.path.parent() else { return Vec::new() };
    let root = library_of(state, &file.path).map_or_else(|| state.root_of(&file.path).to_owned(), |(root, _)| root);
    let mut names = Vec::new();
    for (directory, files) in state.index.directories_below(&root) {
        // Files of a library cannot be loaded from outside.
        let below = directory.strip_prefix(&root).unwrap_or(directory);
        if below.components().any(|part| part.as_os_str() == LIBRARIES) {
            continue;
        }
        let known = files.iter().filter_map(|id| state.file(*id)).filter(|other| other.exists() && other.id != file.id);
        for other in known.filter(|other| is_library(&other.path)) {
            let name = crate::disk::path::shown(parent, &other.path);
            if other.path.starts_with(parent) && names.len() < MOST {
                names.push(name);
            }
        }
    }
    names.sort();
    let mut absolute = from_root(state, file);
    absolute.truncate(MOST);
    names.extend(absolute);
    names.extend(of_libraries(state, parent));
    names
}

/// The files of private libraries in a directory, as `@library:path`, sorted.
fn of_libraries(state: &AssociationState, directory: &Path) -> Vec<String> {
    let libraries = directory.join(LIBRARIES);
    let mut names = Vec::new();
    for (_, files) in state.index.directories_below(&libraries) {
        for other in files.iter().filter_map(|id| state.file(*id)).filter(|other| other.exists()) {
            let library = library_of(state, &other.path).filter(|_| is_library(&other.path));
            let Some((root, name)) = library.filter(|(root, _)| names.len() < MOST && is_in(root, &libraries)) else {
                continue;
            };
            names.push(format!("@{name}:{}", crate::disk::path::shown(&root, &other.path)));
        }
    }
    names.sort();
    names
}

/// Whether a library is one of these, and not a private one of them.
fn is_in(library: &Path, libraries: &Path) -> bool {
    let below = library.strip_prefix(libraries);
    below.is_ok_and(|below| below.components().all(|part| part.as_os_str() != LIBRARIES))
}

/// The paths from the root of the library, with a slash in front, sorted.
fn from_root(state: &AssociationState, file: &File) -> Vec<String> {
    let library = library_of(state, &file.path).map(|(root, _)| root);
    let mut inputs = state.sets.of_file(file.id).flat_map(|(set, _)| set.inputs.iter()).peekable();
    let mut names: Vec<String> = match library {
        None if inputs.peek().is_some() => {
            let is_other =
                |source: &Source| matches!(source, Source::Path(path) if is_library(path) && **path != *file.path);
            inputs.filter(|input| is_other(&input.source)).map(|input| input.name.clone()).collect()
        }
        // Without a set, as the files lie on disk.
        root => {
            let root = root.unwrap_or_else(|| state.root_of(&file.path).to_owned());
            let files = state.index.directories_below(&root).flat_map(|(_, files)| files.iter());
            let others = files.filter_map(|id| state.file(*id)).filter(|other| other.exists() && other.id != file.id);
            let libraries = others.filter(|other| is_library(&other.path));
            libraries.map(|other| crate::disk::path::shown(&root, &other.path)).collect()
        }
    };
    // Files of a library cannot be loaded from outside.
    names.retain(|name| !name.split('/').any(|part| part == LIBRARIES));
    names.sort();
    names.dedup();
    names.into_iter().map(|name| format!("/{name}")).collect()
}

fn is_library(path: &Path) -> bool {
    matches!(NameKind::of_path(path), NameKind::YamlLibrary | NameKind::TextLibrary | NameKind::Starlark)
}

/// Maximum number of files to list.
const MOST: usize = 500;

type Find<'s> = Box<dyn Fn(&str) -> Option<PathBuf> + 's>;

/// The names of the file inside ytt, each with a function from names to paths: one for each input set, and one for its
/// place on disk.
fn inputs<'s>(state: &'s AssociationState, file: &'s File) -> impl Iterator<Item = (String, Find<'s>)> {
    let sets = state.sets.of_file(file.id).filter_map(|(set, _)| {
        let is_file = |source: &Source| matches!(source, Source::Path(path) if **path == *file.path);
        let own = set.inputs.iter().find(|input| is_file(&input.source))?;
        let find: Find<'s> = Box::new(move |name| {
            let input = set.inputs.iter().find(|input| input.name == name)?;
            match &input.source {
                Source::Path(path) => Some(path.clone()),
                Source::Text(_) => None,
            }
        });
        Some((own.name.clone(), find))
    });
    let root = library_of(state, &file.path).map_or_else(|| state.root_of(&file.path).to_owned(), |(root, _)| root);
    let own = crate::disk::path::shown(&root, &file.path);
    let find: Find<'s> = Box::new(move |name| Some(normalise(&root, Path::new(name))));
    sets.chain(std::iter::once((own, find)))
}
