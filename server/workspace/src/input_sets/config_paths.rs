//! Paths that a `lofting.toml` can name: the known files of the workspace and their directories. Nothing is looked for
//! on disk, so what is offered never leads out of the workspace.

use crate::config::{ListKey, SET_KEYS, Strings, Takes};
use crate::disk::glob::is_pattern;
use crate::disk::path::{file_name, normalise};
use crate::files::file::File;
use crate::input_sets::state::SetsState;
use lofting_check::nearest_name;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// How many directories below the given one are looked through.
const MAX_DIRECTORIES: usize = 20_000;

/// Names directly in `directory`, sorted; those of directories end with `/`.
pub(crate) fn children(state: &SetsState, directory: &Path) -> Vec<String> {
    // Others are only known if something asked for them once.
    let is_ours = |file: &&Arc<File>| file.is_open() || file.exists() && crate::files::scan::is_ours(&file.path);
    let mut names = BTreeSet::new();
    for (below, files) in state.index.directories_below(directory).take(MAX_DIRECTORIES) {
        let mut ours = files.iter().filter_map(|id| state.file(*id)).filter(is_ours);
        let mut parts = below.strip_prefix(directory).into_iter().flat_map(Path::components);
        match parts.next() {
            Some(first) => {
                let name = format!("{}/", first.as_os_str().to_string_lossy());
                if !names.contains(&name) && ours.next().is_some() {
                    names.insert(name);
                }
            }
            None => names.extend(ours.map(|file| file_name(&file.path).to_owned()).filter(|name| !name.is_empty())),
        }
    }
    names.into_iter().collect()
}

/// What was most likely meant by the nonexistent path in `range` of the `lofting.toml`.
pub(crate) fn path_meant(state: &SetsState, config: &File, range: &Range<usize>) -> Option<String> {
    let sets = &config.config().sets;
    let is_path = |key: &ListKey| SET_KEYS.iter().any(|known| known.takes == Takes::List(*key, Strings::Paths));
    let mut texts = sets.iter().flat_map(|set| &set.lists).filter(|(key, _)| is_path(key)).flat_map(|(_, list)| list);
    let (written, _) = texts.find(|(_, place)| place == range)?;
    let path = written.strip_suffix('/').unwrap_or(written);
    let (before, name) = path.rsplit_once('/').map_or(("", path), |(before, name)| (before, name));
    if name.is_empty() || is_pattern(written) || written.contains('=') {
        return None;
    }
    let directory = normalise(config.path.parent()?, Path::new(before));
    let children = children(state, &directory);
    let meant = nearest_name(name, children.iter().map(|child| child.strip_suffix('/').unwrap_or(child)))?;
    Some(if before.is_empty() { meant.to_owned() } else { format!("{before}/{meant}") })
}
