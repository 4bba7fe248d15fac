//! Moves a document's annotation that is below the `---`.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_syntax::Document;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::DATA_ANNOTATION_ON_ITEM]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let Some(annotation) = finding.related.first().map(|related| related.span) else { return };
    if annotation.file != context.file {
        return;
    }
    offers.add("Move the annotation above `---`", Confidence::Likely, || {
        let tree = context.tree();
        let at = annotation.range().start;
        let document = tree.path_at(at).into_iter().find_map(Document::cast)?;
        let text = context.text.slice(annotation.range()).into_owned();
        let newline = context.newline();
        let removed = context.tidied(&[(annotation, String::new())]);
        let added = match document.start_marker() {
            Some(marker) => (marker.range().start, format!("{text}{newline}")),
            // The annotation needs a document marker, which was missing.
            None => (document.range().start, format!("{text}{newline}---{newline}")),
        };
        let place = context.span(added.0..added.0);
        Some(Change::of(std::iter::once((place, added.1)).chain(removed).collect()))
    });
}
