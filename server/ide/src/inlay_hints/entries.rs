//! Entries of maps and items of arrays that begin in a part of a tree, each with its path from the root.

use crate::path::{Step, step_into};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Children, Document, Element, Entry, Item, Kind, Node, Tree, Value};
use std::ops::Range;

/// An entry or item.
pub(super) struct Here<'t> {
    /// Its document.
    pub document: Option<Document<'t>>,
    /// The path to its value.
    pub path: Vec<Step>,
    /// Its key; an item has none.
    pub key: Option<Value<'t>>,
    /// Its value.
    pub value: Value<'t>,
    /// Where the key or the dash begins.
    pub start: usize,
    /// After the colon or the dash.
    pub head_end: usize,
}

/// The maximum number of entries: more than any screen shows.
const MAX_ENTRIES: usize = 20_000;
/// Deeper ones are not looked at: each keeps its way from the root.
const MAX_DEPTH: usize = 64;

/// The entries and items that begin in `range` (bytes), in order. Uses an explicit stack, because documents can be
/// nested deeper than threads have stack; what is outside the range is not visited.
pub(super) fn entries(tree: &Tree, profile: Profile, range: Range<usize>) -> Vec<Here<'_>> {
    let mut found = Vec::new();
    let mut document = None;
    let mut path: Vec<Step> = Vec::new();
    // Children that remain to be visited, each with the length of the path above them.
    let mut open: Vec<(Children<'_>, usize)> = vec![(tree.root().children_from(range.start), 0)];
    while let Some((children, above)) = open.last_mut() {
        path.truncate(*above);
        let next = children.next().filter(|element| element.range().start < range.end);
        let Some(element) = next else {
            open.pop();
            continue;
        };
        let Element::Node(node) = element else { continue };
        if node.range().end < range.start {
            continue;
        }
        if node.kind() == Kind::Document {
            document = Document::cast(node);
        }
        if let Some(here) = here(node, profile, document, &path) {
            path.clone_from(&here.path);
            if here.start >= range.start {
                found.push(here);
                if found.len() >= MAX_ENTRIES {
                    return found;
                }
            }
        }
        if path.len() < MAX_DEPTH {
            open.push((node.children_from(range.start), path.len()));
        }
    }
    found
}

fn here<'t>(node: Node<'t>, profile: Profile, document: Option<Document<'t>>, above: &[Step]) -> Option<Here<'t>> {
    let (step, key, value, head) = match Entry::cast(node) {
        Some(entry) => {
            let head = entry.colon().map(|colon| colon.range());
            (step_into(profile, entry), entry.key(), entry.value(), head)
        }
        None => {
            let item = Item::cast(node)?;
            (Step::Item, None, item.value(), item.dash().map(|dash| dash.range()))
        }
    };
    let start = key.map(|key| key.range().start).or(head.clone().map(|head| head.start));
    let start = start.unwrap_or_else(|| value.start());
    let head_end = head.map_or_else(|| key.map_or(start, |key| key.range().end), |head| head.end);
    let mut path = above.to_vec();
    path.push(step);
    Some(Here { document, path, key, value, start, head_end })
}
