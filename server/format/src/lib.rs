//! YAML formatting: makes the fewest edits from a syntax tree and options, all of them of white space and quotes.
//!
//! No edit moves a line break, so every comment stays on the line of its node, and none changes the meaning of a value.
//! Formatted text gets no edits at all. This crate knows neither schemas nor files on disk.
#![forbid(unsafe_code)]

mod code;
mod comments;
mod edits;
mod gaps;
mod layout;
mod options;
mod scalars;
mod style;
#[cfg(test)]
mod tests;

pub use edits::{Edit, apply};
pub use options::{CHOICES, Choice, LineEnding, Options, Quotes, Sequences, Takes, Value};

use lofting_syntax::{SyntaxError, Tree};
use std::ops::Range;

/// The edits that format a file, by position, none of them empty or adjacent to another.
///
/// A text with syntax errors is not changed, and the first error is returned: columns decide how damaged YAML is read,
/// so moving its lines would mean guessing what was meant.
pub fn format(tree: &Tree, options: &Options) -> Result<Vec<Edit>, SyntaxError> {
    laid_out(tree, options, 0..tree.len())
}

/// The edits that format the lines which a range touches, in bytes. A collection keeps its column unless all its lines
/// are among them.
pub fn format_range(tree: &Tree, options: &Options, range: Range<usize>) -> Result<Vec<Edit>, SyntaxError> {
    laid_out(tree, options, edits::whole_lines(tree, &tree.to_text(), range))
}

fn laid_out(tree: &Tree, options: &Options, lines: Range<usize>) -> Result<Vec<Edit>, SyntaxError> {
    if let Some(error) = tree.errors().into_iter().next() {
        return Err(error);
    }
    let text = tree.to_text();
    // A byte order mark means one thing at the start of a text and another further on, and it is invisible.
    if text.rfind('\u{feff}').is_some_and(|at| at > 0) {
        return Ok(Vec::new());
    }
    let style = style::Style::new(tree, &text, options);
    let code = code::Code::read(tree, &text);
    let layout = layout::Layout::new(&text, style, options, code, lines);
    Ok(layout.run(tree))
}
