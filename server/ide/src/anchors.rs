//! Finds anchors by searching the text: a tree has no list of them, and most files have none.

use lofting_syntax::{Kind, Map, Token, Tree, Value};
use lofting_text::Text;
use std::ops::Range;

/// `&` and `*` are common in some texts (addresses, shell commands); at most this many are examined.
const MAX_MARKS: usize = 2_000;
/// How many aliases of aliases are followed.
const MAX_HOPS: usize = 16;

/// The anchors before `offset`, in order.
pub(crate) fn anchors_before<'t>(tree: &'t Tree, text: &Text, offset: usize) -> Vec<Token<'t>> {
    marked(tree, text, 0..offset, b'&', Kind::Anchor)
}

/// An anchor with the aliases that refer to it.
pub(crate) struct Anchored<'t> {
    pub anchor: Token<'t>,
    pub aliases: Vec<Token<'t>>,
    /// That of them which is at the position.
    pub origin: Range<usize>,
}

/// The anchor of the anchor or alias at `offset`, with all its aliases.
pub(crate) fn anchored_at<'t>(tree: &'t Tree, text: &Text, offset: usize) -> Option<Anchored<'t>> {
    let is_one = |kind: Kind| matches!(kind, Kind::Anchor | Kind::Alias);
    let token = [Some(offset), offset.checked_sub(1)].into_iter().flatten().find_map(|offset| {
        tree.token_at(offset).filter(|token| is_one(token.kind()) && token.range().start <= offset)
    })?;
    let anchor = match token.kind() {
        Kind::Anchor => token,
        _ => anchor_of(tree, text, token)?,
    };
    Some(Anchored { anchor, aliases: aliases_of(tree, text, anchor), origin: token.range() })
}

/// The name in the range of an anchor or alias, without `&` and `*`.
pub(crate) fn name_in(token: Range<usize>) -> Range<usize> {
    (token.start + 1).min(token.end)..token.end
}

/// The aliases that refer to an anchor: up to the next anchor with its name, or the end of its document.
pub(crate) fn aliases_of<'t>(tree: &'t Tree, text: &Text, anchor: Token<'_>) -> Vec<Token<'t>> {
    let start = anchor.range().end;
    let name = anchor.text();
    let name = name.trim_start_matches('&');
    let document = tree.path_at(anchor.range().start).into_iter().find(|node| node.kind() == Kind::Document);
    let mut end = document.map_or(text.len(), |document| document.range().end);
    let same = |token: &Token<'_>, mark: char| token.text().strip_prefix(mark) == Some(name);
    if let Some(next) = marked(tree, text, start..end, b'&', Kind::Anchor).iter().find(|token| same(token, '&')) {
        end = next.range().start;
    }
    let aliases = marked(tree, text, start..end, b'*', Kind::Alias).into_iter();
    aliases.filter(|token| same(token, '*')).collect()
}

/// Whether the document around `offset` has an anchor with this name.
pub(crate) fn is_taken(tree: &Tree, text: &Text, offset: usize, name: &str) -> bool {
    let document = tree.path_at(offset).into_iter().find(|node| node.kind() == Kind::Document);
    let within = document.map_or(0..text.len(), |document| document.range());
    marked(tree, text, within, b'&', Kind::Anchor).iter().any(|token| token.text().strip_prefix('&') == Some(name))
}

/// The tokens of a kind that begin with a mark, in order.
fn marked<'t>(tree: &'t Tree, text: &Text, within: Range<usize>, mark: u8, kind: Kind) -> Vec<Token<'t>> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut start = 0;
    for chunk in text.chunks() {
        if start >= within.end {
            break;
        }
        let marks = chunk.bytes().enumerate().filter(|(_, byte)| *byte == mark).map(|(index, _)| start + index);
        for at in marks.filter(|at| within.contains(at)) {
            looked_at += 1;
            if looked_at > MAX_MARKS {
                return found;
            }
            found.extend(tree.token_at(at).filter(|token| token.kind() == kind && token.range().start == at));
        }
        start += chunk.len();
    }
    found
}

/// The anchor that an alias refers to: the last one with its name before it.
pub(crate) fn anchor_of<'t>(tree: &'t Tree, text: &Text, alias: Token<'_>) -> Option<Token<'t>> {
    let name = alias.text();
    let name = name.strip_prefix('*')?;
    let anchors = anchors_before(tree, text, alias.range().start);
    anchors.into_iter().rev().find(|anchor| anchor.text().strip_prefix('&') == Some(name))
}

/// The maps that `<<: value` merges.
pub(crate) fn merged_maps<'t>(tree: &'t Tree, text: &Text, value: Value<'t>) -> Vec<Map<'t>> {
    let mut maps = Vec::new();
    let mut todo = vec![value];
    let mut hops = 0;
    while let Some(value) = todo.pop() {
        hops += 1;
        if hops > MAX_HOPS {
            break;
        }
        if let Some(alias) = value.alias() {
            let anchor = anchor_of(tree, text, alias);
            todo.extend(anchor.and_then(|anchor| tree.anchored_value(anchor.range().start)));
        } else if let Some(seq) = value.seq() {
            todo.extend(seq.items().take(MAX_HOPS).map(|item| item.value()));
        } else if let Some(map) = value.map() {
            maps.push(map);
        }
    }
    maps
}
