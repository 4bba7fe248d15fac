//! Aliases and merge keys: what they stand for and bring.

use crate::anchors::{anchor_of, merged_maps};
use crate::answers::Hovered;
use crate::describe::shorten;
use crate::markdown::{Page, Words};
use crate::pages::link;
use lofting_document::{FileId, Span};
use lofting_syntax::{Entry, Kind, Map, Tree};
use lofting_workspace::Snapshot;

/// Keys that are named; the others are counted.
const MAX_KEYS: usize = 20;
/// Lines of an anchored value that are shown.
const MAX_LINES: usize = 12;

/// What the alias or merge key at `offset` (bytes) stands for.
pub(super) fn hover(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize) -> Option<Hovered> {
    alias(snapshot, file, tree, offset).or_else(|| merge_key(snapshot, file, tree, offset))
}

fn alias(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize) -> Option<Hovered> {
    let token = [Some(offset), offset.checked_sub(1)].into_iter().flatten().find_map(|offset| {
        tree.token_at(offset).filter(|token| token.kind() == Kind::Alias && token.range().start <= offset)
    })?;
    let text = snapshot.text(file);
    let head = Words::default().strong(token.text());
    let Some(anchor) = anchor_of(tree, &text, token) else {
        let page = Page::from(head.ours(" stands for nothing: there is no such anchor above it"));
        return Some((page, token.range()));
    };
    let mut page = Page::from(head.ours(" stands for"));
    if let Some(value) = tree.anchored_value(anchor.range().start) {
        let range = value.content_range();
        let range = value.node().map_or(range, |node| node.range().start..node.content_end());
        // From the beginning of its line, so that the indentation of the lines is kept.
        let line = text.line_range(text.line_of(range.start)).start;
        let indent = text.slice(line..range.start);
        let indent = if indent.trim().is_empty() { indent.into_owned() } else { String::new() };
        let written = text.slice(range).into_owned();
        let mut lines: Vec<&str> = written.lines().map(|line| line.strip_prefix(&indent).unwrap_or(line)).collect();
        if lines.len() > MAX_LINES {
            lines.truncate(MAX_LINES);
            lines.push("…");
        }
        page = page.yaml(lines.join("\n").trim_end());
    }
    let anchored = Words::default().ours("Anchored in ").words(link(snapshot, Span::new(file, anchor.range())));
    Some((page.words(anchored), token.range()))
}

fn merge_key(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize) -> Option<Hovered> {
    let path = tree.path_at(offset);
    let entry = path.iter().rev().find_map(|node| Entry::cast(*node))?;
    let key = entry.key()?;
    let range = key.content_range();
    let is_here = range.start <= offset && offset <= range.end;
    key.scalar().filter(|scalar| is_here && scalar.value() == "<<")?;
    let around = path.iter().rev().find_map(|node| Map::cast(*node));
    let names = |map: Map<'_>| {
        let keys = map.entries().filter_map(|entry| Some(entry.key()?.scalar()?.value().into_owned()));
        keys.filter(|key| key != "<<").take(MAX_KEYS + 1).collect::<Vec<_>>()
    };
    let own = around.map(names).unwrap_or_default();
    let mut brought: Vec<String> = Vec::new();
    for map in merged_maps(tree, &snapshot.text(file), entry.value()) {
        let new: Vec<String> =
            names(map).into_iter().filter(|key| !own.contains(key) && !brought.contains(key)).collect();
        brought.extend(new);
    }
    let head = Words::default().strong("<<").ours(" is a merge key: ");
    let page = match brought.len() {
        0 => Page::from(head.ours("it adds no keys that are not beside it already")),
        count => {
            let list = brought.into_iter().take(MAX_KEYS).map(|key| Words::default().code(shorten(key)));
            let more = (count > MAX_KEYS).then(|| Words::default().ours("more"));
            Page::from(head.ours("it brings ").words(Words::list(list.chain(more))))
        }
    };
    Some((page, range))
}
