//! Moves a document's annotation that is below the `---`.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::DATA_ANNOTATION_ON_ITEM]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let Some(annotation) = finding.related.first().map(|related| related.span) else { return };
    if annotation.file != context.file {
        return;
    }
    let (tree, at) = (context.tree(), annotation.range().start);
    // Comments above the content of a document without a marker are in no document.
    let Some(document) = tree.documents().find(|document| at < document.range().end) else { return };
    let newline = context.newline();
    let text = || context.text.slice(annotation.range()).into_owned();
    let moved = |start: usize, text: String| {
        let removed = context.tidied(&[(annotation, String::new())])?;
        Some(Change::of(std::iter::once((context.span(start..start), text)).chain(removed).collect()))
    };
    let content = document.root().map_or(document.range().start, |root| root.range().start);
    match document.start_marker().map(|marker| marker.range().start) {
        Some(marker) if at < marker => {}
        Some(marker) => offers.add("Move the annotation above `---`", Confidence::Likely, || {
            moved(marker, format!("{}{newline}", text()))
        }),
        // The annotation needs a document marker, which is missing.
        None if at < content => offers.add("Write `---` below the annotation", Confidence::Likely, || {
            let next = context.text.line_range(context.text.line_of(at) + 1).start;
            Some(Change::replace(context.span(next..next), format!("---{newline}")))
        }),
        None => offers.add("Move the annotation to the top, above `---`", Confidence::Likely, || {
            moved(document.range().start, format!("{}{newline}---{newline}", text()))
        }),
    }
}
