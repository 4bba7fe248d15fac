//! Applies the moves of a plan to all values, templates and commands of the workspace.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::migration::migration;
use lofting_diagnostic::Confidence;
use lofting_migration::{Move, Plan};
use std::path::Path;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

/// What the list of moves consists of.
const HEAD: &str = "[[move]]";

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let snapshot = context.snapshot;
    let path = snapshot.path(context.file);
    if path.extension().is_none_or(|ending| ending != "toml") {
        return;
    }
    let text = context.text.to_string();
    if !text.contains(HEAD) {
        return;
    }
    let Ok(plan) = Plan::read(&text) else { return };
    let schema = path.parent().unwrap_or(Path::new("")).join(&plan.schema);
    let Some(schema) = snapshot.file(&schema) else { return };
    let change = |moves: &[Move]| Some(Change::of_plan(snapshot, migration(snapshot, schema, moves, &|_| true)));
    let count = plan.moves.len();
    if count > 1 {
        offers.add_later(format!("Apply all {count} moves of this migration"), Confidence::Likely, || {
            change(&plan.moves)
        });
    }
    let before = text.get(..context.text.line_range(context.text.line_of(context.range.start)).end);
    let number = before.unwrap_or_default().lines().filter(|line| line.trim() == HEAD).count();
    if let Some(step) = number.checked_sub(1).and_then(|index| plan.moves.get(index)) {
        let title = format!("Apply this move of `{}`", step.path());
        offers.add_later(title, Confidence::Likely, || change(std::slice::from_ref(step)));
    }
}
