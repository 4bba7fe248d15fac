//! Converts between the forms of a language: OpenChoreo's schemas in shorthand and in OpenAPI.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use lofting_diagnostic::Confidence;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let (snapshot, file, at) = (context.snapshot, context.file, context.range.start);
    for title in snapshot.other_forms(file, at) {
        offers.add(title, Confidence::Possible, || {
            let edits = snapshot.in_other_form(file, at, title)?;
            Some(Change::of(edits.into_iter().map(|(range, text)| (context.span(range), text)).collect()))
        });
    }
}

#[cfg(test)]
mod tests;
