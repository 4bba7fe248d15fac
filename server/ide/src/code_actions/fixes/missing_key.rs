//! Adds required keys with the smallest values that they accept.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::governed::{Governed, governed_at};
use crate::code_actions::least::{entry, written};
use crate::code_actions::offers::Offers;
use crate::path::key_of;
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::Key;
use lofting_schema::Shape;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Lacks, offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let Some(key) = &finding.key else { return };
    offers.add(format!("Add `{key}`"), Confidence::Likely, || add(context, finding, &|missing| missing == key));
    offers.add("Add all keys that are missing", Confidence::Likely, || add(context, finding, &|_| true));
}

fn add(context: &Context<'_>, finding: &Diagnostic, is_meant: &dyn Fn(&Key) -> bool) -> Option<Change> {
    let editing = Editing::new(context.snapshot, context.file);
    let Governed { value, schema, nodes } = governed_at(context, &editing, finding.span)?;
    let schema = &*schema;
    let profile = context.snapshot.profile(context.file);
    let keys = schema.semantics().keys;
    let given: Vec<Key> = value
        .map()
        .into_iter()
        .flat_map(|map| map.entries())
        .filter_map(|entry| Some(keys.named(key_of(profile, entry.key()?)?)))
        .collect();
    let mut entries = Vec::new();
    for id in nodes {
        let Shape::Map(map) = schema.node(id).shape() else { continue };
        // What the rules of a language need besides, the schema does not require.
        let required = map.required.iter().chain(finding.key.iter().filter(|key| !map.required.contains(key)));
        let missing = required.filter(|key| is_meant(key) && !given.contains(key));
        for key in missing.filter(|key| map.get(key).is_none_or(|known| schema.node(known.schema).default.is_none())) {
            let (key, value) = entry(schema, map, key);
            if !entries.iter().any(|(known, _)| *known == key) {
                entries.push((key, value));
            }
        }
    }
    if entries.is_empty() {
        return None;
    }
    let style = editing.style();
    let write = |column: Option<usize>| {
        let lines = entries.iter().map(|(key, value)| written(key, value, column, style));
        let between = column.map_or(", ".to_owned(), |column| format!("{}{}", style.newline, " ".repeat(column)));
        Some(lines.collect::<Vec<_>>().join(&between))
    };
    editing.with_entry(value, &write).map(Change::of)
}
