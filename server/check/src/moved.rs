//! Findings of values after an edit of their schema that did not change what it means.

use crate::Diagnostic;
use lofting_schema::Moves;

/// Puts the places in the schema that a finding names where they are now. False: one of them is nowhere any more, and the
/// finding has to be made again. What it says about its own file stays.
pub fn follow(finding: &mut Diagnostic, moves: &Moves) -> bool {
    let own = finding.span.file;
    let related = finding.related.iter_mut().map(|related| &mut related.span);
    let edits = finding.fixes.iter_mut().flat_map(|fix| fix.edits.iter_mut().map(|(span, _)| span));
    related.chain(edits).filter(|span| span.file != own).all(|span| match moves.now(*span) {
        Some(now) => {
            *span = now;
            true
        }
        None => false,
    })
}
