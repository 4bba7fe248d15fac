//! The formatting options of a file: `lofting.toml` first, which applies to everyone, the nearest one before those above
//! it, then `.editorconfig`, then the settings.

mod editorconfig;

use crate::association::configurations::going_up;
use crate::association::state::AssociationState;
use lofting_format::Options;
use std::path::Path;

/// The options for a file. Reads the `.editorconfig` files above it.
pub(crate) fn options(state: &AssociationState, path: &Path) -> Options {
    let ours = going_up(state, path).fold(Options::default(), |nearer, file| nearer.or(file.config().format));
    let theirs = editorconfig::options(&state.bounds_of(path), path);
    ours.or(theirs).or(state.settings.format)
}
