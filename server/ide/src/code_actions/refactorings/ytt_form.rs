//! Converts a schema of ytt's design proposals into ytt's own form, as `lofting schema --to ytt` does.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use lofting_diagnostic::Confidence;
use lofting_dialect::data_values::is_proposal;
use lofting_dialect::proposals::convert::convert;
use lofting_document::FileId;
use lofting_workspace::FileKind;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let (snapshot, file, at) = (context.snapshot, context.file, context.range.start);
    if snapshot.kind(file) != FileKind::Schema {
        return;
    }
    let is_at_head = |file: FileId| {
        let documents = snapshot.lowered(file);
        let mut heads = documents.documents.iter().filter(|it| is_proposal(it)).flat_map(|document| document.heads());
        heads.any(|head| head.span.range().start <= at && at <= head.span.range().end)
    };
    if !is_at_head(file) {
        return;
    }
    offers.add_later("Convert to ytt's own form of schemas", Confidence::Possible, || {
        // All documents of one schema have the same form.
        let association = snapshot.association(file);
        let others = association.schema.iter().flat_map(|schema| schema.state.files.iter().copied());
        let mut files: Vec<FileId> = others.chain([file]).collect();
        files.sort_unstable();
        files.dedup();
        let mut change = Change::default();
        for file in files {
            let (text, documents) = (snapshot.text(file).to_string(), snapshot.lowered(file));
            if documents.documents.iter().any(is_proposal) {
                let converted = convert(&[(text.clone(), documents)]);
                change.edits.extend(Change::between(file, &text, &converted.text).edits);
            }
        }
        Some(change)
    });
}

#[cfg(test)]
mod tests;
