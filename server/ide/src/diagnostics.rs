//! Findings of a file.

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, FileKind, Snapshot};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// The findings of a file that the snapshot can make. Incomplete, and not to be used, if `cancel` is set.
pub fn diagnostics(snapshot: &Snapshot, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
    snapshot.diagnostics(file, cancel)
}

/// Whether the file's code reads data values, so that the code of these should run before a hover needs them.
pub fn reads_data_values(snapshot: &Snapshot, file: FileId) -> bool {
    let reads = matches!(snapshot.kind(file), FileKind::Template | FileKind::Library);
    reads && !snapshot.code(file).values.uses.is_empty()
}
