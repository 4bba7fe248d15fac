//! Takes out an annotation that is of no use, with its line.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_syntax::Kind;

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::SCHEMA_EMPTY_DESCRIPTION, &rules::SCHEMA_REPEATED_DESCRIPTION]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let tree = context.tree();
    let comment = tree.token_at(finding.span.range().start).filter(|token| token.kind() == Kind::Comment);
    let Some(comment) = comment.map(|comment| context.span(comment.range())) else { return };
    offers.add("Remove the annotation", Confidence::Likely, || {
        context.tidied(&[(comment, String::new())]).map(Change::of)
    });
}
