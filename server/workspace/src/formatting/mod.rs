//! How a file is laid out, and by whose choice: `lofting.toml` first, which holds for everybody, then `.editorconfig`,
//! then the settings.

mod editorconfig;

use crate::association::configurations::nearest;
use crate::state::State;
use lofting_format::Options;
use std::path::Path;

/// What is chosen for a file. Reads the `.editorconfig`s above it.
pub(crate) fn options(state: &State, path: &Path) -> Options {
    let ours = nearest(state, path).map(|file| file.config().format).unwrap_or_default();
    let theirs = editorconfig::options(&state.bounds_of(path), path);
    ours.or(theirs).or(state.settings.format)
}
