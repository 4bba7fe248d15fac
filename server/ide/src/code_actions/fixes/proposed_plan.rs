//! Writes a plan of what the branch has moved in a schema, to be reviewed and applied to all values.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::BREAKING_CHANGE]), offer };

/// The name of the plan, beside the schema.
const NAME: &str = "moves.toml";

fn offer(context: &Context<'_>, _: &Diagnostic, offers: &mut Offers<'_>) {
    let snapshot = context.snapshot;
    let path = snapshot.path(context.file).with_file_name(NAME);
    if !context.abilities.creates_files || snapshot.file(&path).is_some() {
        return;
    }
    let Some(plan) = snapshot.plan_since_branch(context.file) else { return };
    offers.add(format!("Propose a migration of all values in {NAME}"), Confidence::Possible, || {
        Some(Change::new_file(path, plan))
    });
}
