//! Updates findings after an edit of their schema that did not change its meaning.

use crate::Diagnostic;
use lofting_schema::Moves;

/// Updates the places in the schema that a finding refers to. False if one of them no longer exists, so that the
/// finding has to be made again. Places in the values file stay.
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
