//! Findings of a file, and what mends them.

use lofting_check::{Diagnostic, Fix};
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// The findings of a file as far as the snapshot can tell. Cut short when `cancel` is set; the result is then of no use.
pub fn diagnostics(snapshot: &Snapshot, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
    snapshot.diagnostics(file, cancel)
}

/// Whether the file's code reads data values, whose own code should run before somebody hovers over one of them.
pub fn reads_data_values(snapshot: &Snapshot, file: FileId) -> bool {
    let reads = matches!(snapshot.kind(file), FileKind::Template | FileKind::Library);
    reads && !snapshot.code(file).values.uses.is_empty()
}

/// A quick fix for a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeAction {
    /// The finding that it mends.
    pub diagnostic: Diagnostic,
    /// The change.
    pub fix: Fix,
    /// It is the obvious one of several.
    pub preferred: bool,
}

/// The fixes for findings that touch `range` (bytes).
pub fn code_actions(snapshot: &Snapshot, file: FileId, range: Range<usize>, cancel: &CancelFlag) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for diagnostic in snapshot.diagnostics(file, cancel).iter() {
        let span = diagnostic.span.range();
        if diagnostic.span.file != file || span.start > range.end || span.end < range.start {
            continue;
        }
        for (index, fix) in diagnostic.fixes.iter().enumerate() {
            actions.push(CodeAction { diagnostic: diagnostic.clone(), fix: fix.clone(), preferred: index == 0 });
        }
    }
    actions
}
