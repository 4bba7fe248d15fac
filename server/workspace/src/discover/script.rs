//! Shell scripts.

use super::FoundCommand;
use super::shell::{Dialect, commands as simple_commands};
use super::variables::Variables;
use super::ytt_command;

pub(super) fn commands(text: &str) -> Vec<FoundCommand> {
    in_text(text, 0, Dialect::Shell, &mut Variables::default())
}

/// The `ytt` calls in a piece of shell that begins at `first_line` (from 0) of its file.
pub(super) fn in_text(text: &str, first_line: usize, dialect: Dialect, variables: &mut Variables) -> Vec<FoundCommand> {
    simple_commands(text, dialect, variables)
        .iter()
        .filter_map(|simple| ytt_command::read(simple, first_line))
        .collect()
}
