//! How bad findings are in a file: what its `lofting.toml` says of their rules, or else the settings.

use crate::association::configurations::nearest;
use crate::files::file::File;
use crate::state::State;
use lofting_check::Diagnostic;
use lofting_diagnostic::apply_levels;
use lofting_memo::Stamp;

/// Changes with what is chosen for a file; settings aside.
pub(crate) fn stamp(state: &State, file: &File) -> Stamp {
    nearest(state, &file.path).map_or(Stamp::default(), |file| file.revision)
}

/// Gives findings in `file` the levels that were chosen.
pub(crate) fn apply(state: &State, file: &File, findings: &mut Vec<Diagnostic>) {
    if findings.is_empty() {
        return;
    }
    let config = nearest(state, &file.path).map(|file| file.config().clone()).unwrap_or_default();
    // What the team wrote down holds for everybody, and so on the command line.
    apply_levels(findings, &[&config.levels, &state.settings.levels]);
}
