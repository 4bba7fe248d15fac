//! Which findings are incomplete without running code.

use crate::association::associate::kind;
use crate::association::kind::FileKind;
use crate::association::reads::Reads;
use crate::association::reason::Association;
use crate::evaluation::Need;
use crate::files::file::File;
use crate::findings::calls;
use crate::findings::state::CheckState;
use std::sync::Arc;

/// Whether the findings of `file` are incomplete without running code: its own, or that of files they depend on.
pub(crate) fn waits_for_code(state: &CheckState, file: &File, association: &Association, read: &Reads) -> bool {
    let schemas = || association.schemas().chain(&read.schemas);
    state.has_coded_files()
        && (file.is_coded() && file.needs_run()
            || schemas().any(|schema| schema.source.needs_run())
            || others(state, file, Need::Findings).iter().any(|other| other.is_coded() && other.needs_run()))
}

/// Files other than its schemas whose code affects a file.
pub(crate) fn others<'s>(state: &'s CheckState, file: &File, need: Need) -> Vec<&'s Arc<File>> {
    match kind(state, file) {
        // A library shows how the code ends that loads it.
        FileKind::Library if need == Need::Findings => {
            let sets = state.sets.of_file(file.id).flat_map(|(set, _)| &set.templates);
            sets.filter_map(|id| state.file(*id)).collect()
        }
        FileKind::Template if need == Need::Findings => Vec::new(),
        _ => calls::inputs_with(state, file.id),
    }
}
