//! Findings of a file, and what mends them.

use lofting_check::{Diagnostic, Fix};
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// All findings of a file. Cut short when `cancel` is set; the result is then of no use.
pub fn diagnostics(snapshot: &Snapshot, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
    snapshot.diagnostics(file, cancel)
}

/// The findings of a file that need no code to be run, for those who can not wait until it was.
pub fn diagnostics_without_code(snapshot: &Snapshot, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
    snapshot.diagnostics_without_code(file, cancel)
}

/// Whether the findings of a file may wait for code to be run.
pub fn depends_on_code(snapshot: &Snapshot, file: FileId) -> bool {
    snapshot.depends_on_code(file)
}

/// Runs the code behind the data values that a template reads, after its findings were told: a hover that comes later
/// shows them, and must not wait for code to be run.
pub fn prepare_data_values(snapshot: &Snapshot, file: FileId) {
    let reads_values = matches!(snapshot.kind(file), FileKind::Template | FileKind::Library);
    if reads_values && !snapshot.code(file).values.uses.is_empty() {
        snapshot.prepare_merged(file);
    }
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
