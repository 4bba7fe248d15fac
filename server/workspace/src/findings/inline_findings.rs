//! The findings of files whose text is inside another file are shown in that one.

use crate::findings::diagnostics::{Findings, diagnostics};
use crate::findings::state::CheckState;
use lofting_check::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_memo::CancelFlag;

/// The findings of a file with those of the files in its text, all in files that a user can open.
pub(crate) fn with_inline_findings(state: &CheckState, file: FileId, found: Findings, cancel: &CancelFlag) -> Findings {
    if state.inline.is_empty() {
        return found;
    }
    let hosted = state.inline.of_host(file);
    let is_inline = |span: &Span| state.inline.is_inline(span.file);
    let touches = |finding: &Diagnostic| finding.related.iter().any(|related| is_inline(&related.span));
    if hosted.is_empty() && !found.list.iter().any(touches) {
        return found;
    }
    let mut all: Vec<Diagnostic> = found.list.to_vec();
    let mut partial = found.partial;
    // The files are read when the host is saved; until then their positions in it are not known.
    let host_len = state.file(file).map(|host| host.text().len());
    let is_placed = |id: &&FileId| state.inline.host_len(**id) == host_len;
    for file in hosted.iter().filter(is_placed).filter_map(|id| state.file(*id)) {
        let inside = diagnostics(state, file, cancel);
        all.extend(inside.list.iter().cloned());
        partial |= inside.partial;
    }
    for finding in &mut all {
        finding.span = state.inline.placed(finding.span);
        for related in &mut finding.related {
            related.span = state.inline.placed(related.span);
        }
        for edit in finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.0 = state.inline.placed(edit.0);
        }
    }
    all.sort_by_key(|finding| (finding.span.file != file, finding.span.start));
    Findings { list: all.into(), partial }
}
