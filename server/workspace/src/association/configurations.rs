//! The `lofting.toml` files that apply to a file: those in its directory and in the directories above, up to the workspace
//! folder or, around that, its repository.

use crate::association::state::AssociationState;
use crate::config::FILE_NAME;
use crate::files::file::File;
use lofting_memo::Stamp;
use std::path::Path;
use std::sync::Arc;

/// The nearest `lofting.toml` to a path, going up.
pub(crate) fn nearest(state: &AssociationState, path: &Path) -> Option<Arc<File>> {
    nearest_in(state, path.parent()?, state.configured_up_to(path))
}

/// All of them, the nearest first.
pub(crate) fn going_up<'s>(state: &'s AssociationState, path: &'s Path) -> impl Iterator<Item = Arc<File>> + 's {
    let root = state.configured_up_to(path);
    let above = move |found: &Arc<File>| nearest_in(state, found.path.parent()?.parent()?, root);
    std::iter::successors(nearest(state, path), above)
}

/// Change with the texts of all of them.
pub(crate) fn stamps<'s>(state: &'s AssociationState, path: &'s Path) -> impl Iterator<Item = Stamp> + 's {
    going_up(state, path).map(|config| config.revision)
}

fn nearest_in(state: &AssociationState, directory: &Path, root: &Path) -> Option<Arc<File>> {
    let look = |directory: &Path| {
        let found = state.file_at(&directory.join(FILE_NAME)).filter(|file| file.exists());
        found.map(|file| Some(file.clone()))
    };
    state.shared.configurations.going_up(directory, root, None, look)
}
