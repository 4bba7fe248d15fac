//! Converts plain values into a data values document, and back.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::document_kind::{DocumentKind, document_kind};
use lofting_diagnostic::Confidence;
use lofting_syntax::Tree;
use lofting_workspace::FileKind;
use std::ops::Range;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

/// The annotation that makes a document a data values document.
const ANNOTATION: &str = "#@data/values";

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    match context.snapshot.kind(context.file) {
        FileKind::PlainValues => {
            // It concerns the whole file, so it is offered only at its beginning.
            // ytt refuses annotations in what it gets as plain values.
            let is_given = context.snapshot.is_given_as_plain_values(context.file);
            if is_given || context.text.line_of(context.range.start) > 2 {
                return;
            }
            let tree = context.tree();
            let Some(first) = tree.documents().next() else { return };
            offers.add_later("Make it a document with data values", Confidence::Possible, || {
                let newline = context.newline();
                let (at, text) = match first.start_marker() {
                    Some(marker) => (marker.range().start, format!("{ANNOTATION}{newline}")),
                    None => (0, format!("{ANNOTATION}{newline}---{newline}")),
                };
                // ytt refuses ordinary comments in files with annotations.
                let is_ordinary = |text: &str| !text.starts_with("#!") && !text.starts_with("#@");
                let comments = tree.comments().filter(|comment| is_ordinary(&comment.text()));
                let hashes = comments.map(|comment| comment.range().start..comment.range().start + 1);
                let fixed = hashes.map(|hash| (context.span(hash), "#!".to_owned()));
                Some(Change::of(std::iter::once((context.span(at..at), text)).chain(fixed).collect()))
            });
        }
        FileKind::DataValues => {
            let tree = context.tree();
            let Some(head) = head(&tree, context.range.start) else { return };
            let written = context.text.slice(head.clone());
            if written.trim_end() != ANNOTATION {
                return;
            }
            offers.add("Make it plain values", Confidence::Possible, || {
                let head = (context.span(head), String::new());
                context.tidied(&[head]).map(Change::of)
            });
        }
        _ => {}
    }
}

/// The annotation of the file's only document, if the place is in one of the lines above the document.
fn head(tree: &Tree, offset: usize) -> Option<Range<usize>> {
    let mut documents = tree.documents();
    let (first, second) = (documents.next()?, documents.next());
    let marker = first.start_marker()?.range();
    if second.is_some() || offset > marker.end || document_kind(tree, first, None) != DocumentKind::Values {
        return None;
    }
    let comment = tree.comments().take_while(|comment| comment.range().end <= marker.start);
    comment.map(|comment| comment.range()).find(|range| tree.text(range.clone()).starts_with(ANNOTATION))
}
