//! Texts that clients show as they are: labels, titles, messages. The parts from a workspace are made visible and cut
//! to a readable length.

use lofting_check::capped;
use lofting_text::{Breaks, visible};

/// Longer names are cut, in characters.
const MAX_NAME: usize = 500;
/// Longer messages are cut, in characters.
const MAX_MESSAGE: usize = 4_000;

/// A label, title or name: one line.
pub fn line(text: &str) -> String {
    visible(&capped(text, MAX_NAME), Breaks::Shown).into_owned()
}

/// A message, which may have several lines.
pub fn message(text: &str) -> String {
    visible(&capped(text, MAX_MESSAGE), Breaks::Kept).into_owned()
}
