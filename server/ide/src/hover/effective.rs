//! What becomes of a value: the final one, what it takes the place of, and what takes its place.

use super::place;
use crate::describe::{Markup, code, shorten};
use crate::path::Step;
use crate::target::Target;
use crate::yaml_text::{self, Place};
use lofting_document::{FileId, Node, NodeValue, Span};
use lofting_workspace::{FileKind, Merged, Snapshot};
use std::ops::Range;

/// More calls that differ are only counted.
const MAX_CALLS: usize = 6;
/// More values that were replaced are only counted.
const MAX_REPLACED: usize = 5;

/// What the calls that the file takes part in make of the value at the target.
pub(super) fn effective(snapshot: &Snapshot, file: FileId, target: &Target<'_>, markup: Markup) -> Option<String> {
    if !matches!(snapshot.kind(file), FileKind::DataValues | FileKind::PlainValues) {
        return None;
    }
    in_calls(snapshot, file, markup, |call| in_call(snapshot, file, call, target, markup))
}

/// What the calls that the file takes part in make of the value that code reads at a path.
pub(super) fn read(snapshot: &Snapshot, file: FileId, path: &[Step], markup: Markup) -> Option<String> {
    in_calls(snapshot, file, markup, |call| {
        let value = path.iter().try_fold(call.values(), |node, step| match step {
            Step::Key(key) => node.get(key),
            // Items have no names.
            Step::Item | Step::Nowhere => None,
        })?;
        is_shown(value).then(|| format!("Final value: {}", told(snapshot, value, markup)))
    })
}

/// The words about each call; calls of which the same is to be said together.
fn in_calls(
    snapshot: &Snapshot,
    file: FileId,
    markup: Markup,
    words: impl Fn(&Merged) -> Option<String>,
) -> Option<String> {
    let calls = snapshot.merged_quickly(file);
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for call in &calls {
        let Some(words) = words(call) else { continue };
        let name = name_of(snapshot, call, markup);
        match said.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.extend(name),
            None => said.push((words, name.into_iter().collect())),
        }
    }
    let several = said.len() > 1 || calls.len() > 1 && said.first().is_some_and(|(_, names)| names.len() < calls.len());
    let more = said.len().saturating_sub(MAX_CALLS);
    let lines = said.into_iter().take(MAX_CALLS).map(|(words, names)| match several && !names.is_empty() {
        true => format!("In {}: {words}", names.join(", ")),
        false => words,
    });
    let mut lines: Vec<String> = lines.collect();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    (!lines.is_empty()).then(|| lines.join("\n\n"))
}

/// `` `prod` with `envs/eu.yml` ``
fn name_of(snapshot: &Snapshot, call: &Merged, markup: Markup) -> Option<String> {
    let with = call.alternative.map(|file| format!("with {}", code(&snapshot.shown_path(file), markup)));
    match (&call.set, with) {
        (Some(set), Some(with)) => Some(format!("{} {with}", code(set, markup))),
        (Some(set), None) => Some(code(set, markup)),
        (None, with) => with,
    }
}

fn in_call(snapshot: &Snapshot, file: FileId, call: &Merged, target: &Target<'_>, markup: Markup) -> Option<String> {
    let key = target.key.map_or(target.range.clone(), |key| key.content_range());
    let last = find(call.values(), &target.path, file, &key)?;
    if !is_shown(last) {
        return None;
    }
    let mut replaced = Vec::new();
    let mut here = Some(last);
    // What a value replaced is a chain, which cycles no more than documents do.
    while let Some(node) = here {
        replaced.push(node);
        here = node.replaced.as_deref();
    }
    let own = replaced.iter().position(|node| is_here(node.span, file, &key, snapshot));
    let mut words = format!("Final value: {}", shown(last, markup));
    match own {
        Some(0) | None => {}
        Some(_) => words.push_str(&format!(", which wins from {}", origin(snapshot, last.span))),
    }
    let below: Vec<&Node> = replaced.into_iter().skip(own.unwrap_or(0) + 1).collect();
    if own.is_some() && !below.is_empty() {
        let more = below.len().saturating_sub(MAX_REPLACED);
        let mut list: Vec<String> =
            below.into_iter().take(MAX_REPLACED).map(|node| told(snapshot, node, markup)).collect();
        if more > 0 {
            list.push(format!("{more} more"));
        }
        words.push_str(&format!("\n\nThis value replaces {}", list.join(", ")));
    }
    Some(words)
}

/// Maps are too much to be shown, and their parts are told where they stand.
fn is_shown(node: &Node) -> bool {
    !matches!(node.value, NodeValue::Map(_) | NodeValue::Unknown)
}

fn shown(node: &Node, markup: Markup) -> String {
    let value = yaml_text::value(node, Place::Block).map(|text| code(&shorten(text), markup));
    value.unwrap_or_else(|| "a value".to_owned())
}

/// A value and where it comes from.
fn told(snapshot: &Snapshot, node: &Node, markup: Markup) -> String {
    format!("{} ({})", shown(node, markup), origin(snapshot, node.span))
}

/// `values.yml:4`, or `the schema, schema.yml:4`.
fn origin(snapshot: &Snapshot, span: Span) -> String {
    let place = place(snapshot, span);
    match snapshot.kind(span.file) {
        FileKind::Schema => format!("default, {place}"),
        _ => place,
    }
}

/// Whether a value is the one of the key at `key`: it stands behind it, on its line or below.
fn is_here(span: Span, file: FileId, key: &Range<usize>, snapshot: &Snapshot) -> bool {
    if span.file != file || span.range().start < key.start {
        return false;
    }
    let tree = snapshot.tree(file);
    let entry = tree
        .path_at(key.start)
        .into_iter()
        .rev()
        .find(|node| matches!(node.kind(), lofting_syntax::Kind::MapEntry | lofting_syntax::Kind::SeqEntry));
    entry.is_some_and(|entry| span.range().end <= entry.range().end)
}

/// The value at a path; of items of arrays the one that came from the place, as they have no names.
fn find<'n>(root: &'n Node, path: &[Step], file: FileId, key: &Range<usize>) -> Option<&'n Node> {
    path.iter().try_fold(root, |node, step| match (step, &node.value) {
        (Step::Key(key), _) => node.get(key),
        (Step::Item, NodeValue::Array(items)) => items
            .iter()
            .find(|item| {
                let (value, dash) = (item.value.span, item.span);
                let whole = dash.start.min(value.start) as usize..value.end as usize;
                dash.file == file && whole.start <= key.start && key.start <= whole.end
            })
            .map(|item| &item.value),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
