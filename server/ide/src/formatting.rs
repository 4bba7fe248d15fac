//! How a file, or some of its lines, would be formatted.

use lofting_document::FileId;
use lofting_format::{Edit, format, format_range};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// The edits that format a file, or the lines that a range touches; none if the file has syntax errors: these are
/// already reported, and formatting would only guess what was meant.
pub fn formatting(snapshot: &Snapshot, file: FileId, range: Option<Range<usize>>) -> Vec<Edit> {
    let (tree, options) = (snapshot.tree(file), snapshot.format_options(file));
    let edits = match range {
        Some(range) => format_range(&tree, &options, range),
        None => format(&tree, &options),
    };
    edits.unwrap_or_default()
}

#[cfg(test)]
mod tests;
