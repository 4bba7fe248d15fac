//! The severity of findings in a file: according to its `lofting.toml`, or else the settings.

use crate::association::configurations::nearest;
use crate::files::file::File;
use crate::findings::state::CheckState;
use lofting_check::Diagnostic;
use lofting_diagnostic::{Level, Rule, apply_levels};

/// Whether a user turned on a rule that is off by default.
pub(crate) fn is_chosen(state: &CheckState, file: &File, rule: &'static Rule) -> bool {
    let config = nearest(state, &file.path).map(|file| file.config().clone()).unwrap_or_default();
    let chosen = [&config.levels, &state.settings.levels].into_iter().find_map(|levels| levels.of(rule.code));
    chosen.is_some_and(|level| level != Level::Off)
}

/// Gives findings in `file` the levels that were chosen.
pub(crate) fn apply(state: &CheckState, file: &File, findings: &mut Vec<Diagnostic>) {
    if findings.is_empty() {
        return;
    }
    let config = nearest(state, &file.path).map(|file| file.config().clone()).unwrap_or_default();
    // `lofting.toml` is the team's choice for everyone, and so for the command line.
    apply_levels(findings, &[&config.levels, &state.settings.levels]);
}
