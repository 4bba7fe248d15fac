//! How a file, or some of its lines, would be laid out.

use lofting_document::FileId;
use lofting_format::{Edit, format, format_range};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// The edits that lay out a file, or the lines that a range touches; none where a file has syntax errors: those are told
/// already, and a layout would be a guess at what was meant.
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
