//! Moves a key that is not declared where it is to the one place where the schema declares it.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::{Editing, Named};
use crate::code_actions::laid_out::{flow, key_and_value};
use crate::code_actions::offers::Offers;
use crate::completion::Style;
use crate::governing::governing;
use crate::path::{Step, key_of, value_of};
use crate::yaml_text::{self, ScalarContext};
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_document::Key;
use lofting_schema::{Schema, SchemaId, Shape};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Entry, Tree, Value};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::UNDECLARED_KEY, &rules::UNREAD_KEY]), offer };

/// How many nodes of a schema are looked at.
const NODES: usize = 2_000;
/// Deeper values are not moved.
const DEPTH: usize = 16;
/// Longer values are not moved, in bytes.
const SIZE: usize = 10_000;

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let profile = context.snapshot.profile(context.file);
    let (tree, at) = (context.tree(), finding.span.range().start);
    let Some(entry) = editing.entry_at(at).filter(|entry| entry.range().len() <= SIZE) else { return };
    let Some(name) = entry.key().and_then(|key| key_of(profile, key)) else { return };
    let Some(Named { document: Some(document), path, .. }) = editing.named(profile, finding.span.range()) else {
        return;
    };
    // Comments and annotations may be about the place where they are.
    let begins = context.text.line_range(context.text.line_of(entry.range().start)).start;
    if context.text.slice(entry.range()).contains('#') || editing.annotated_from(entry.range().start) != begins {
        return;
    }
    let Some(governing) = governing(context.snapshot, context.file, &tree, Some(document), &path, at) else { return };
    let (root, above) = governing.part();
    let Some(keys) = only_place(&governing.schema, root, &name) else { return };
    let part = path.iter().take(above).try_fold(document.root(), |value, step| match step {
        Step::Key(key) => Some(value_of(profile, value?, key)),
        Step::Index(_) | Step::Item | Step::Nowhere => None,
    });
    let Some(Some(part)) = part else { return };
    let Some((holder, missing)) = holder(part, profile, &keys, &name) else { return };
    let shown: Vec<String> = keys.iter().map(Key::to_string).collect();
    let title = if shown.is_empty() {
        format!("Move `{name}` to the top")
    } else {
        format!("Move `{name}` into `{}`", shown.join("."))
    };
    offers.add(title, Confidence::Likely, || {
        let style = editing.style();
        let write = |column: Option<usize>| written(&tree, entry, missing, column, style);
        let own = editing.map_of(entry)?;
        if holder.map().is_some_and(|map| map.range() == own.range()) {
            let text = write(own.column().filter(|_| !own.is_flow()))?;
            return Some(Change::replace(context.span(entry.range()), text));
        }
        let mut edits = editing.without(entry)?;
        edits.extend(editing.with_entry(holder, &write)?);
        Some(Change::of(edits))
    });
}

/// The keys from the value of a node to the only map below it that declares a key; None if there are none or several.
fn only_place(schema: &Schema, root: SchemaId, name: &Key) -> Option<Vec<Key>> {
    let mut found: Option<Vec<Key>> = None;
    let mut seen = FxHashSet::from_iter([root]);
    let mut open: VecDeque<(SchemaId, Vec<Key>)> = VecDeque::from([(root, Vec::new())]);
    while let Some((id, keys)) = open.pop_front() {
        let Shape::Map(map) = schema.node(id).shape() else { continue };
        if map.by_key.contains_key(name) && found.replace(keys.clone()).is_some() {
            return None;
        }
        if seen.len() > NODES {
            return None;
        }
        for declared in map.keys.iter().filter(|declared| seen.insert(declared.schema)) {
            open.push_back((declared.schema, keys.iter().cloned().chain([declared.key.clone()]).collect()));
        }
    }
    found
}

/// The innermost map on a way that is written, and the keys below it that are not. None if the key is there already, or
/// something other than a map is in the way.
fn holder<'t, 'k>(part: Value<'t>, profile: Profile, keys: &'k [Key], name: &Key) -> Option<(Value<'t>, &'k [Key])> {
    let (mut value, mut missing) = (part, keys);
    while let Some((first, rest)) = missing.split_first() {
        let Some(next) = value_of(profile, value, first) else { break };
        (value, missing) = (next, rest);
    }
    let takes_keys = value.map().is_some() || value.is_missing();
    (takes_keys && (!missing.is_empty() || value_of(profile, value, name).is_none())).then_some((value, missing))
}

/// The entry below keys that are written with it: from a column on, or in flow style.
fn written(tree: &Tree, entry: Entry<'_>, above: &[Key], column: Option<usize>, style: Style) -> Option<String> {
    let Some(column) = column else {
        let own = format!("{}: {}", tree.text(entry.key()?.content_range()), flow(tree, entry.value(), DEPTH)?);
        let names = above.iter().rev().map(|key| yaml_text::key(key, ScalarContext::Flow));
        return Some(names.fold(own, |inner, name| format!("{name}: {{{inner}}}")));
    };
    let mut text = String::new();
    for (level, key) in above.iter().enumerate() {
        let room = " ".repeat(column + (level + 1) * style.indent);
        text.push_str(&format!("{}:{}{room}", yaml_text::key(key, ScalarContext::Block), style.newline));
    }
    let own = key_and_value(tree, entry, column + above.len() * style.indent, style, DEPTH)?;
    Some(text + &own)
}
