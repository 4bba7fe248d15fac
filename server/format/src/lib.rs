//! YAML laid out anew: from a syntax tree and options to the fewest edits, all of white space and quotes.
//!
//! No edit moves a line break, so that every comment stays on the line of its node, and none changes what a value
//! means. What is laid out already gets no edit at all. Knows neither schemas nor files on disk.
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

/// The edits that lay out a file, by place, none of them empty or next to another.
///
/// A text with syntax errors is left as it is, and the first of them is the answer: columns are what damaged YAML is
/// read by, and whoever moves its lines decides what was meant.
pub fn format(tree: &Tree, options: &Options) -> Result<Vec<Edit>, SyntaxError> {
    laid_out(tree, options, 0..tree.len())
}

/// The edits that lay out the lines which a range touches, in bytes. A collection whose lines are not all among them
/// keeps its column.
pub fn format_range(tree: &Tree, options: &Options, range: Range<usize>) -> Result<Vec<Edit>, SyntaxError> {
    laid_out(tree, options, edits::whole_lines(&tree.to_text(), range))
}

fn laid_out(tree: &Tree, options: &Options, lines: Range<usize>) -> Result<Vec<Edit>, SyntaxError> {
    if let Some(error) = tree.errors().into_iter().next() {
        return Err(error);
    }
    let text = tree.to_text();
    // A byte order mark means something else at the start of a text than further on, and nobody sees where it is.
    if text.rfind('\u{feff}').is_some_and(|at| at > 0) {
        return Ok(Vec::new());
    }
    let style = style::Style::new(tree, &text, options);
    let code = code::Code::read(tree, &text);
    let layout = layout::Layout::new(&text, style, options, code, lines);
    Ok(layout.run(tree))
}
