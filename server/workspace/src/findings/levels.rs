//! The severity of findings in a file: according to the `lofting.toml` files around it, or else the settings.

use crate::association::configurations::going_up;
use crate::config::Config;
use crate::files::file::File;
use crate::findings::state::CheckState;
use lofting_check::Diagnostic;
use lofting_diagnostic::{Level, Levels, Rule, apply_levels};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Whether a user turned on a rule that is off by default.
pub(crate) fn is_chosen(state: &CheckState, file: &File, rule: &'static Rule) -> bool {
    let configs = configs(state, file);
    let chosen = choices(state, &configs).into_iter().find_map(|levels| levels.of(rule.code));
    chosen.is_some_and(|level| level != Level::Off)
}

/// Of these rules, those that a user turned off.
pub(crate) fn turned_off(
    state: &CheckState,
    file: &File,
    rules: impl Iterator<Item = &'static Rule>,
) -> FxHashSet<&'static str> {
    let configs = configs(state, file);
    let choices = choices(state, &configs);
    let is_off = |rule: &&Rule| choices.iter().find_map(|levels| levels.of(rule.code)) == Some(Level::Off);
    rules.filter(is_off).map(|rule| rule.code).collect()
}

/// Gives findings in `file` the levels that were chosen.
pub(crate) fn apply(state: &CheckState, file: &File, findings: &mut Vec<Diagnostic>) {
    if findings.is_empty() {
        return;
    }
    apply_levels(findings, &choices(state, &configs(state, file)));
}

fn configs(state: &CheckState, file: &File) -> Vec<Arc<Config>> {
    going_up(state, &file.path).map(|config| config.config().clone()).collect()
}

/// A `lofting.toml` is the team's choice for everyone, and so for the command line; the nearest one counts first.
fn choices<'c>(state: &'c CheckState, configs: &'c [Arc<Config>]) -> Vec<&'c Levels> {
    configs.iter().map(|config| &config.levels).chain([&state.settings.levels]).collect()
}
