//! Moves a key of a schema in all values and templates, where the schema has renamed or moved it.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::migration::migration;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_migration::{Move, Path};

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::BREAKING_CHANGE]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let read = |path: &Option<String>| path.as_deref().and_then(Path::read);
    let (Some(from), Some(to)) = (read(&finding.path), read(&finding.expected)) else { return };
    let title = format!("Move `{from}` to `{to}` in all values and templates");
    let Ok(step) = Move::key(from, to) else { return };
    offers.add_later(title, Confidence::Possible, || {
        let found = migration(context.snapshot, context.file, &[step], &|_| true);
        Some(Change::of_plan(context.snapshot, found))
    });
}
