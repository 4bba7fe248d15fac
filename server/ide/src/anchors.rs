//! Anchors, found through the text: a tree has no list of them, and most files have none.

use lofting_syntax::{Item, Kind, Map, Node, Token, Tree, Value};
use lofting_text::Text;

/// `&` is common in some texts (addresses, shell commands); more of them than this are not looked at.
const MAX_AMPERSANDS: usize = 2_000;
/// Aliases of aliases are followed this far.
const MAX_HOPS: usize = 16;

/// The anchors before `offset`, in order.
pub(crate) fn anchors_before<'t>(tree: &'t Tree, text: &Text, offset: usize) -> Vec<Token<'t>> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut start = 0;
    for chunk in text.chunks() {
        if start >= offset {
            break;
        }
        let ampersands = chunk.bytes().enumerate().filter(|(_, byte)| *byte == b'&');
        for at in ampersands.map(|(index, _)| start + index).filter(|at| *at < offset) {
            looked_at += 1;
            if looked_at > MAX_AMPERSANDS {
                return found;
            }
            found.extend(tree.token_at(at).filter(|token| token.kind() == Kind::Anchor && token.range().start == at));
        }
        start += chunk.len();
    }
    found
}

/// The anchor that an alias refers to: the last one of its name before it.
pub(crate) fn anchor_of<'t>(tree: &'t Tree, text: &Text, alias: Token<'_>) -> Option<Token<'t>> {
    let name = alias.text();
    let name = name.strip_prefix('*')?;
    let anchors = anchors_before(tree, text, alias.range().start);
    anchors.into_iter().rev().find(|anchor| anchor.text().strip_prefix('&') == Some(name))
}

/// The value that carries an anchor.
pub(crate) fn anchored_value<'t>(tree: &'t Tree, anchor: Token<'_>) -> Option<Value<'t>> {
    let start = anchor.range().start;
    let holds = |value: &Value<'t>| value.anchor().is_some_and(|found| found.range().start == start);
    let path = tree.path_at(start);
    path.into_iter().rev().find_map(|node| values_of(node).into_iter().flatten().find(holds))
}

/// The values whose tokens stand directly in a node.
fn values_of(node: Node<'_>) -> [Option<Value<'_>>; 2] {
    if let Some(entry) = lofting_syntax::Entry::cast(node) {
        return [entry.key(), Some(entry.value())];
    }
    if let Some(item) = Item::cast(node) {
        return [Some(item.value()), None];
    }
    [lofting_syntax::Document::cast(node).and_then(|document| document.root()), None]
}

/// The maps that `<<: value` brings in.
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
            todo.extend(anchor.and_then(|anchor| anchored_value(tree, anchor)));
        } else if let Some(seq) = value.seq() {
            todo.extend(seq.items().take(MAX_HOPS).map(|item| item.value()));
        } else if let Some(map) = value.map() {
            maps.push(map);
        }
    }
    maps
}
