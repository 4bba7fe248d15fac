//! Findings of files that are not open in an editor.

use crate::association::associate::kind;
use crate::association::json_schemas::named;
use crate::association::kind::FileKind;
use crate::association::known_kinds;
use crate::association::no_data::no_data;
use crate::disk::path::says_yaml;
use crate::files::file::{File, Origin};
use crate::files::scan::is_code;
use crate::findings::diagnostics::statements::is_code_of_set;
use crate::findings::diagnostics::{Findings, diagnostics, without_limit};
use crate::findings::state::CheckState;
use lofting_check::LIMIT;
use lofting_document::FileId;
use lofting_memo::CancelFlag;

/// The findings of one file; `None` if it was not `named` and does not count. Data read only for this is not kept, so
/// that a repository with thousands of applications need not fit into memory. At most as many as usual, or all of them.
pub(crate) fn findings(
    state: &CheckState,
    file: FileId,
    named: bool,
    most: usize,
    cancel: &CancelFlag,
) -> Option<Findings> {
    let known = state.file(file)?;
    let shared = !matches!(known.origin, Origin::Disk(_))
        || known.facts.schema
        || known.facts.part_schema
        || state.sets.of_file(file).next().is_some();
    let unread;
    let file: &File = if shared {
        known
    } else {
        unread = known.unread();
        &unread
    };
    let make = if most > LIMIT { without_limit } else { diagnostics };
    (named || is_checked(state, file)).then(|| make(state, file, cancel))
}

/// Whether a file counts: all YAML does, apart from templates that are YAML only after they were rendered. Where another
/// server checks what has no schema, only what looks like a mistake of a ytt user does.
fn is_checked(state: &CheckState, file: &File) -> bool {
    let is_other_yaml = || says_yaml(&file.path) && !no_data(state, file).is_some_and(|why| why.is_template());
    if is_code(&file.path) {
        return is_code_of_set(state, file);
    }
    kind(state, file) != FileKind::Other
            || state.settings.validate_other_yaml && is_other_yaml()
            || file.facts.lookalike
            || known_kinds::may_find(file) && !known_kinds::findings(state, file).is_empty()
            || named(state, file).is_some_and(|named| named.naming.by.is_in_file())
            // It cannot be read, but its readable part shows that it is ytt's.
            || file.facts.ytt && file.problem().is_some()
            // ytt parses all its inputs.
            || state.sets.of_file(file.id).any(|(_, part)| part.is_read())
            || !state.inline.of_host(file.id).is_empty()
}
