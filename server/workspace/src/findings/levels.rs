//! How bad findings are in a file: what its `lofting.toml` says of their rules, or else the settings.

use crate::files::file::File;
use crate::input_sets::config;
use crate::state::State;
use lofting_check::Diagnostic;
use lofting_diagnostic::apply_levels;
use lofting_memo::Stamp;
use std::path::Path;
use std::sync::Arc;

/// The `lofting.toml` of a file: the nearest going up.
fn configuration(state: &State, file: &File) -> Option<Arc<File>> {
    let look = |directory: &Path| {
        let found = state.file_at(&directory.join(config::FILE_NAME)).filter(|file| file.exists());
        found.map(|file| Some(file.clone()))
    };
    state.shared.configurations.going_up(file.path.parent()?, state.root_of(&file.path), None, look)
}

/// Changes with what is chosen for a file; settings aside.
pub(crate) fn stamp(state: &State, file: &File) -> Stamp {
    configuration(state, file).map_or(Stamp::default(), |file| file.revision)
}

/// Gives findings in `file` the levels that were chosen.
pub(crate) fn apply(state: &State, file: &File, findings: &mut Vec<Diagnostic>) {
    if findings.is_empty() {
        return;
    }
    let config = configuration(state, file).map(|file| file.config().clone()).unwrap_or_default();
    // What the team wrote down holds for everybody, and so on the command line.
    apply_levels(findings, &[&config.levels, &state.settings.levels]);
}
