//! Declares an undeclared key in the schema, with the type of its value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::inferred::{declared, inferred};
use crate::code_actions::offers::Offers;
use crate::path::key_of;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_document::Key;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::UNDECLARED_KEY]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    // Other languages than ytt declare keys in other forms.
    let is_ytt = finding.family.is_none();
    let Some(place) = finding.related.first().map(|related| context.snapshot.placed(related.span)) else { return };
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_at(finding.span.range().start).filter(|_| is_ytt) else { return };
    // Nobody who writes `on` means a boolean.
    let name = entry.key().and_then(|key| key_of(context.snapshot.profile(context.file), key));
    if !matches!(name, Some(Key::String(_) | Key::Int(_))) {
        return;
    }
    let key = context.text.slice(finding.span.range()).into_owned();
    offers.add(format!("Declare `{key}` in the schema"), Confidence::Likely, || {
        let (tree, profile) = (context.tree(), context.snapshot.profile(context.file));
        let value = inferred(&tree, profile, entry.value());
        let schema = Editing::new(context.snapshot, place.file);
        let holder = schema.named(context.snapshot.profile(place.file), place.range())?;
        let style = schema.style();
        let write = |column: Option<usize>| match column {
            Some(column) => Some(declared(&key, None, &value, column, style)),
            None => Some(format!("{key}: {}", value.in_flow(false)?)),
        };
        schema.with_entry(holder.value, &write).map(Change::of)
    });
}
