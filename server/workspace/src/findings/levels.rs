//! The severity of findings in a file: according to its `lofting.toml`, or else the settings.

use crate::association::configurations::nearest;
use crate::files::file::File;
use crate::state::State;
use lofting_check::Diagnostic;
use lofting_diagnostic::apply_levels;
use lofting_memo::Stamp;

/// Changes with the levels chosen for a file, apart from settings.
pub(crate) fn stamp(state: &State, file: &File) -> Stamp {
    nearest(state, &file.path).map_or(Stamp::default(), |file| file.revision)
}

/// Gives findings in `file` the levels that were chosen.
pub(crate) fn apply(state: &State, file: &File, findings: &mut Vec<Diagnostic>) {
    if findings.is_empty() {
        return;
    }
    let config = nearest(state, &file.path).map(|file| file.config().clone()).unwrap_or_default();
    // `lofting.toml` is the team's choice for everybody, and so for the command line.
    apply_levels(findings, &[&config.levels, &state.settings.levels]);
}
