//! Flow style: brackets, commas and colons decide; columns only if a bracket is not closed.

use super::Cursor;
use crate::completion::line;
use crate::completion::place::{KeySlot, Place, Quote, Tail, ValueSlot};
use crate::path::{self, Step};
use crate::significant::significant_before;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Element, Entry, Item, Kind, Map, Node, Value, ValueKind};

/// The innermost flow collection around the cursor, with the nodes above it.
pub(in crate::completion) struct OpenFlow<'t> {
    node: Node<'t>,
    above: Vec<Node<'t>>,
}

impl OpenFlow<'_> {
    /// Whether there is a closing bracket.
    pub(in crate::completion) fn is_closed(&self) -> bool {
        close_bracket(self.node).is_some()
    }
}

/// Finds the brackets around the cursor.
pub(in crate::completion) fn open_flow<'t>(cursor: &Cursor<'t>) -> Option<OpenFlow<'t>> {
    let before = significant_before(cursor.tree, cursor.text, cursor.offset)?;
    let mut path = cursor.tree.path_at(before.range().start);
    while let Some(node) = path.pop() {
        match open_bracket(node) {
            Some(open) if open.end <= cursor.offset => {}
            _ => continue,
        }
        match close_bracket(node) {
            Some(close) if close.start < cursor.offset => continue,
            Some(_) => return Some(OpenFlow { node, above: path }),
            None => {}
        }
        // An open bracket contains everything up to the next line that is not deeper than its parent.
        let last_line = cursor.text.line_of(before.range().end.saturating_sub(1));
        let same_line = cursor.text.line_of(cursor.offset) == last_line;
        let parent = path.iter().rev().find(|node| matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry));
        let parent_column = parent.map(|parent| cursor.column_of(parent.range().start));
        let column = cursor.layout.indent.min(cursor.column());
        if same_line || parent_column.is_none_or(|parent| column > parent) {
            return Some(OpenFlow { node, above: path });
        }
    }
    None
}

/// What is being typed between the brackets.
pub(super) fn context<'t>(cursor: &Cursor<'t>, open: OpenFlow<'t>) -> Option<Place<'t>> {
    let document = open.above.iter().copied().find_map(Document::cast);
    let path = path_to(cursor.profile, &open);
    match Map::cast(open.node) {
        Some(map) => in_map(cursor, document, path, map),
        None => in_seq(cursor, document, path, open.node),
    }
}

/// `{a: 1, b}`
fn in_map<'t>(
    cursor: &Cursor<'t>,
    document: Option<Document<'t>>,
    mut path: Vec<Step>,
    map: Map<'t>,
) -> Option<Place<'t>> {
    let place = |path, keys, value| Some(Place { document, path, keys, value, items: None, glued: None });
    let slot = |replace, tail| KeySlot {
        map: Some(map),
        replace,
        lead: String::new(),
        column: cursor.layout.indent,
        tail,
        flow: true,
        fix: None,
        dashes_below: None,
    };
    let Some(entry) = child_before(map.node(), cursor.offset).and_then(Entry::cast) else {
        return place(path, Some(slot(cursor.offset..cursor.offset, Tail::Free)), None);
    };
    if let Some(colon) = entry.colon().filter(|colon| colon.range().end <= cursor.offset) {
        path.push(path::step_into(cursor.profile, entry));
        let value = value_slot(cursor, entry.value(), colon.range().end)?;
        return place(path, None, Some(value));
    }
    let value = entry.key()?;
    let open = is_open_quote(cursor, value);
    let key = value.content_range();
    // A word on a line of its own is a key; the parser takes it for the beginning of the one on the next line.
    let is_of_more_lines =
        value.kind() == ValueKind::Plain && key.end > cursor.line.end && key.start >= cursor.line.start;
    let key = if is_of_more_lines { key.start..cursor.line_end_of(key.start) } else { key };
    let key = key.start..if open { cursor.offset } else { key.end };
    // After a word and a space, only a key that contains a space can continue.
    let key = key.start..if is_blank(cursor, key.end, cursor.offset) { key.end.max(cursor.offset) } else { key.end };
    if cursor.offset > key.end
        || key.start > cursor.offset
        || key.start < cursor.line.start
        || key.end > cursor.line.end
    {
        return None;
    }
    let tail = if entry.colon().is_some() && !open && !is_of_more_lines { Tail::Colon } else { Tail::Free };
    place(path, Some(slot(key, tail)), None)
}

/// `[a, b]`
fn in_seq<'t>(
    cursor: &Cursor<'t>,
    document: Option<Document<'t>>,
    mut path: Vec<Step>,
    node: Node<'t>,
) -> Option<Place<'t>> {
    path.push(Step::Item);
    let item = child_before(node, cursor.offset).and_then(Item::cast);
    let value = match item {
        Some(item) => value_slot(cursor, item.value(), usize::MAX)?,
        None => ValueSlot {
            replace: cursor.offset..cursor.offset,
            lead: "",
            quote: Quote::None,
            flow: true,
            own_line: false,
        },
    };
    Some(Place { document, path, keys: None, value: Some(value), items: None, glued: None })
}

/// The slot of a value in flow style. `gap` is where the white space before it begins.
fn value_slot(cursor: &Cursor<'_>, value: Value<'_>, gap: usize) -> Option<ValueSlot> {
    let lead = if gap == cursor.offset { " " } else { "" };
    let range = value.content_range();
    let mut slot = match value.kind() {
        ValueKind::Missing => ValueSlot {
            replace: cursor.offset..cursor.offset,
            lead: "",
            quote: Quote::None,
            flow: true,
            own_line: false,
        },
        ValueKind::Plain | ValueKind::SingleQuoted | ValueKind::DoubleQuoted => {
            // For the user, a value with an open quote ends at the cursor, even if the parser reads on.
            let open = is_open_quote(cursor, value);
            let end = if open { range.end.min(cursor.line.end) } else { range.end }.max(cursor.offset);
            if range.start < cursor.line.start || end > cursor.line.end || !is_blank(cursor, range.end, end) {
                return None;
            }
            let in_line = range.start - cursor.line.start..end - cursor.line.start;
            if cursor.offset < range.start {
                ValueSlot { replace: cursor.offset..end, lead: "", quote: Quote::None, flow: true, own_line: false }
            } else {
                let mut slot = cursor.value_slot(in_line, true)?;
                if let (true, Quote::Open(quote) | Quote::Closed(quote)) = (open, slot.quote) {
                    slot.quote = Quote::Open(quote);
                    // Brackets and commas after it are not replaced.
                    slot.replace.end = cursor.offset;
                }
                slot
            }
        }
        _ => return None,
    };
    slot.lead = lead;
    Some(slot)
}

fn is_open_quote(cursor: &Cursor<'_>, value: Value<'_>) -> bool {
    let range = value.content_range();
    // A value may end on a line above.
    let in_line = |offset: usize| offset.min(cursor.line.end).saturating_sub(cursor.line.start);
    let Some(text) = cursor.line_text.get(in_line(range.start)..in_line(range.end)) else { return false };
    if value.kind() == ValueKind::Plain {
        return false;
    }
    let Some(end) = line::quoted_end(text.as_bytes(), 0) else { return true };
    // The next quote on the line may belong to a different text.
    let after = cursor.offset.saturating_sub(range.start).max(1);
    text.get(after..end).is_some_and(|after| after.contains([',', '[', ']', '{', '}']))
}

/// Whether nothing but spaces is between two places of the line.
fn is_blank(cursor: &Cursor<'_>, from: usize, to: usize) -> bool {
    from >= to || cursor.text.slice(from..to).trim().is_empty()
}

/// The entry or item that contains the cursor or ends at it; None after the opening bracket and after a comma.
fn child_before(node: Node<'_>, offset: usize) -> Option<Node<'_>> {
    let mut found = None;
    for child in node.children() {
        if child.range().start > offset || (child.range().start == offset && found.is_some()) {
            break;
        }
        match child {
            Element::Token(token) if token.kind() == Kind::Comma && token.range().end <= offset => found = None,
            Element::Node(node) => found = Some(node),
            Element::Token(_) => {}
        }
    }
    found
}

/// The steps from the root to the value that is the flow collection.
fn path_to(profile: Profile, open: &OpenFlow<'_>) -> Vec<Step> {
    let start = open.node.range().start;
    let above = open.above.iter().copied();
    above
        .filter_map(|node| match node.kind() {
            Kind::MapEntry => {
                let entry = Entry::cast(node)?;
                let in_value = entry.colon().is_some_and(|colon| colon.range().end <= start);
                Some(if in_value { path::step_into(profile, entry) } else { Step::Nowhere })
            }
            Kind::SeqEntry => Some(Step::Item),
            _ => None,
        })
        .collect()
}

fn open_bracket(node: Node<'_>) -> Option<std::ops::Range<usize>> {
    if !matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq) {
        return None;
    }
    let token = node.tokens().find(|token| matches!(token.kind(), Kind::OpenBrace | Kind::OpenBracket));
    token.map(|token| token.range())
}

fn close_bracket(node: Node<'_>) -> Option<std::ops::Range<usize>> {
    let token = node.tokens().filter(|token| matches!(token.kind(), Kind::CloseBrace | Kind::CloseBracket)).last();
    token.map(|token| token.range())
}
