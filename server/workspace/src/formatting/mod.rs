//! The formatting options of a file: `lofting.toml` first, which applies to everyone, then `.editorconfig`, then the
//! settings.

mod editorconfig;

use crate::association::configurations::nearest;
use crate::association::state::AssociationState;
use lofting_format::Options;
use std::path::Path;

/// The options for a file. Reads the `.editorconfig` files above it.
pub(crate) fn options(state: &AssociationState, path: &Path) -> Options {
    let ours = nearest(state, path).map(|file| file.config().format).unwrap_or_default();
    let theirs = editorconfig::options(&state.bounds_of(path), path);
    ours.or(theirs).or(state.settings.format)
}
