//! What happens to a value: its final value, what it replaces, and what replaces it.

use super::link;
use crate::describe::shorten;
use crate::effective::{KeyPlace, chain, is_shown};
use crate::markdown::{Page, Words};
use crate::path::Step;
use crate::target::Target;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{FileId, Node, Span};
use lofting_workspace::{AskedValue, FileKind, Merged, Snapshot};
use std::ops::Range;

/// The maximum number of different results that are shown; more are only counted.
const MAX_CALLS: usize = 6;
/// The maximum number of replaced values that are shown; more are only counted.
const MAX_REPLACED: usize = 5;

/// What the value at the target becomes in the calls that the file is part of.
pub(crate) fn effective(snapshot: &Snapshot, file: FileId, target: &Target<'_>) -> Option<Page> {
    if !matches!(snapshot.kind(file), FileKind::DataValues | FileKind::PlainValues) {
        return None;
    }
    let calls =
        snapshot.merged_at(file, &[AskedValue { offset: key_of(target).start, path: &target.path, with_items: true }]);
    in_calls(snapshot, &calls, |call| in_call(snapshot, file, call, target))
}

/// What the value that code reads at a path becomes in the calls that the file is part of.
pub(crate) fn read(snapshot: &Snapshot, file: FileId, path: &[Step]) -> Option<Page> {
    in_calls(snapshot, &snapshot.merged_quickly(file), |call| {
        let value = path.iter().try_fold(call.values(), |node, step| match step {
            Step::Key(key) => node.get(key),
            // Items have no names.
            Step::Index(_) | Step::Item | Step::Nowhere => None,
        })?;
        is_shown(value).then(|| Page::from(Words::default().ours("Final value: ").words(described(snapshot, value))))
    })
}

/// The text about each call; calls with the same text are combined.
fn in_calls(snapshot: &Snapshot, calls: &[Merged], about: impl Fn(&Merged) -> Option<Page>) -> Option<Page> {
    let mut said: Vec<(Page, Vec<Words>)> = Vec::new();
    for call in calls {
        let Some(page) = about(call) else { continue };
        let name = name_of(snapshot, call);
        match said.iter_mut().find(|(known, _)| *known == page) {
            Some((_, names)) => names.extend(name),
            None => said.push((page, name.into_iter().collect())),
        }
    }
    let several = said.len() > 1 || calls.len() > 1 && said.first().is_some_and(|(_, names)| names.len() < calls.len());
    let more = said.len().saturating_sub(MAX_CALLS);
    let mut all = Page::default();
    for (page, names) in said.into_iter().take(MAX_CALLS) {
        let page = if several && !names.is_empty() {
            page.led_by(Words::default().ours("In ").words(Words::list(names)).ours(": "))
        } else {
            page
        };
        all = all.page(page);
    }
    if more > 0 {
        all = all.words(Words::default().text(format!("and {more} more")));
    }
    (!all.is_empty()).then_some(all)
}

/// `` `prod` with `envs/eu.yml` ``
fn name_of(snapshot: &Snapshot, call: &Merged) -> Option<Words> {
    let with = call.alternative.map(|file| Words::default().ours("with ").code(snapshot.shown_path(file)));
    match (&call.set, with) {
        (Some(set), Some(with)) => Some(Words::default().code(&**set).ours(" ").words(with)),
        (Some(set), None) => Some(Words::default().code(&**set)),
        (None, with) => with,
    }
}

/// The key of a target, or what stands for it.
fn key_of(target: &Target<'_>) -> Range<usize> {
    target.key.map_or(target.range.clone(), |key| key.content_range())
}

fn in_call(snapshot: &Snapshot, file: FileId, call: &Merged, target: &Target<'_>) -> Option<Page> {
    let place = KeyPlace { file, key: key_of(target) };
    let last = place.find(call.values(), &target.path)?;
    if !is_shown(last) {
        return None;
    }
    let replaced: Vec<&Node> = chain(last).collect();
    let own = replaced.iter().position(|node| place.holds(node.span, snapshot));
    // The value here is visibly the final one, and a replaced default of the schema adds nothing
    // to the description of the key.
    let is_default = |node: &&Node| snapshot.kind(node.span.file) == FileKind::Schema;
    let mut below: Vec<&Node> = replaced.into_iter().skip(own.unwrap_or(0) + 1).collect();
    let head = match own {
        Some(0) if yaml_text::value(last, ScalarContext::Block).is_some() => {
            below.retain(|node| !is_default(node));
            None
        }
        Some(0) | None => Some(Words::default().ours("Final value: ").words(shown(last))),
        Some(_) => {
            let words = Words::default().ours("Final value: ").words(shown(last));
            Some(words.ours(", which wins from ").words(origin(snapshot, last.span)))
        }
    };
    let page = head.map(Page::from);
    if own.is_none() || below.is_empty() {
        return page;
    }
    let more = (below.len() + call.left_out).saturating_sub(MAX_REPLACED);
    let list = below.into_iter().take(MAX_REPLACED).map(|node| described(snapshot, node));
    let more = (more > 0).then(|| Words::default().text(format!("{more} more")));
    let words = Words::default().ours("This value replaces ").words(Words::list(list.chain(more)));
    Some(page.unwrap_or_default().words(words))
}

fn shown(node: &Node) -> Words {
    match yaml_text::value(node, ScalarContext::Block) {
        Some(text) => Words::default().code(shorten(text)),
        None => Words::default().ours("a value"),
    }
}

/// A value and where it comes from.
fn described(snapshot: &Snapshot, node: &Node) -> Words {
    shown(node).ours(" (").words(origin(snapshot, node.span)).ours(")")
}

/// `values.yml:4`, or `default, schema.yml:4`.
fn origin(snapshot: &Snapshot, span: Span) -> Words {
    let words = match snapshot.kind(span.file) {
        FileKind::Schema => Words::default().ours("default, "),
        _ => Words::default(),
    };
    words.words(link(snapshot, span))
}

#[cfg(test)]
mod tests;
