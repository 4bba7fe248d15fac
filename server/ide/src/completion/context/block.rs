//! Block style: columns decide.

use super::Cursor;
use crate::completion::line;
use crate::completion::open_levels::{Level, open_levels};
use crate::completion::place::{Below, Fix, ItemSlot, KeySlot, Place, Quote, Tail, ValueSlot};
use crate::path::Step;
use crate::significant::{significant_after, significant_before};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Entry, Item, Kind, Map, Token, Value, ValueKind};
use std::ops::Range;

/// The meaning of the cursor's line, according to the lines above it.
struct Spot<'t> {
    document: Option<Document<'t>>,
    path: Vec<Step>,
    /// The map to which a key on this line belongs.
    map: Option<Map<'t>>,
    /// The column that such a key should have.
    column: usize,
    /// A key is possible here.
    keys: bool,
    /// Any other value is possible: nothing is written below the parent yet.
    fresh: bool,
    /// A dash is possible here, at this column.
    dash: Option<usize>,
    /// The path to the array of such a dash, if that is the value of the key above in the same column.
    array: Option<Vec<Step>>,
}

pub(super) fn context<'t>(cursor: &Cursor<'t>) -> Option<Place<'t>> {
    let layout = &cursor.layout;
    let column = cursor.column();
    if is_marker(&cursor.line_text) || layout.comment.is_some_and(|comment| comment < column) {
        return None;
    }
    let before = significant_before(cursor.tree, cursor.text, cursor.line.start);
    if before.is_some_and(|token| is_inside_scalar(cursor, token)) {
        return None;
    }
    if let Some((key, colon)) = &layout.key {
        let spot = settle(cursor, before, key.start)?;
        if column > *colon {
            return after_colon(cursor, spot, key.clone(), *colon);
        }
        if column < key.start {
            return None;
        }
        let mut slot = key_slot(&spot, cursor.absolute(key.clone()));
        slot.tail = Tail::Colon;
        fix_indentation_of_key(cursor, &mut slot);
        return spot.keys.then_some(Place {
            document: spot.document,
            path: spot.path,
            keys: Some(slot),
            value: None,
            items: None,
            glued: None,
        });
    }
    if layout.value.is_empty() && layout.properties.is_none() {
        return on_blank(cursor, before);
    }
    on_word(cursor, before)
}

/// A line with only white space and dashes.
fn on_blank<'t>(cursor: &Cursor<'t>, before: Option<Token<'t>>) -> Option<Place<'t>> {
    let layout = &cursor.layout;
    let mut column = cursor.column();
    let mut lead = String::new();
    if let Some(dash) = layout.dashes.last() {
        if column <= *dash {
            return None;
        }
        if column == dash + 1 {
            // `-` and the cursor: the space is still missing.
            lead.push(' ');
            column += 1;
        }
    } else {
        column = indentation(cursor, column);
    }
    let spot = settle(cursor, before, column)?;
    let replace = cursor.to_line_end();
    // Dashes below belong to the array of the key above, unless another key is inserted between.
    let takes_items = spot.keys && spot.array.is_some() && dashes_below(cursor, spot.column).is_some();
    let keys = (spot.keys && !takes_items).then(|| {
        let mut slot = key_slot(&spot, replace.clone());
        slot.lead.clone_from(&lead);
        slot.tail = tail(cursor, spot.column);
        fix_indentation_of_key(cursor, &mut slot);
        slot
    });
    // What is on deeper lines is the item.
    let is_written = layout.dashes.last().is_some_and(|dash| next_below(cursor).is_some_and(|next| next.0 > *dash));
    let value = (spot.fresh && !is_written).then(|| ValueSlot {
        replace: replace.clone(),
        lead: if lead.is_empty() { "" } else { " " },
        quote: Quote::None,
        flow: false,
        own_line: layout.dashes.is_empty(),
    });
    let array = spot.array;
    let items = spot.dash.map(|dash| {
        let mut slot = ItemSlot { path: array, replace, lead, column: dash, fix: None };
        fix_indentation(cursor, dash, &slot.replace, &mut slot.lead, &mut slot.fix);
        slot
    });
    Some(Place { document: spot.document, path: spot.path, keys, value, items, glued: None })
}

/// A line with a word that is not a key yet.
fn on_word<'t>(cursor: &Cursor<'t>, before: Option<Token<'t>>) -> Option<Place<'t>> {
    let layout = &cursor.layout;
    let column = cursor.column();
    let word = layout.value.clone();
    let text = cursor.line_text.get(word.clone())?;
    // What is written directly after an anchor or a tag belongs to its name.
    if layout.properties.as_ref().is_some_and(|properties| column <= properties.end) {
        return None;
    }
    let begins_otherwise = match text.chars().next() {
        Some('|' | '>' | '{' | '[' | '}' | ']') => true,
        // An explicit key, and a directive.
        Some('?') => text.chars().nth(1).is_none_or(char::is_whitespace),
        Some('%') => word.start == 0,
        _ => false,
    };
    if column < word.start || begins_otherwise {
        return None;
    }
    let start = if layout.dashes.is_empty() { indentation(cursor, layout.column()) } else { layout.column() };
    let spot = settle(cursor, before, start)?;
    // After a word and a space, only a key that contains a space can continue.
    let key_range = word.start..word.end.max(column);
    let keys = (spot.keys && is_quoted_to_end(text)).then(|| {
        let mut slot = key_slot(&spot, cursor.absolute(key_range));
        slot.tail = tail(cursor, spot.column);
        fix_indentation_of_key(cursor, &mut slot);
        slot
    });
    let mut value = spot.fresh.then(|| cursor.value_slot(word.start..word.end.max(column), false)).flatten();
    if let Some(value) = &mut value {
        value.own_line = layout.dashes.is_empty();
    }
    let glued = text.split_once(':').filter(|_| spot.keys).and_then(|(key, value)| {
        let start = word.start + key.len() + 1;
        let trimmed = value.trim_start();
        let value_start = word.end - trimmed.len();
        let mut slot = match column {
            _ if column < start || column > word.end => return None,
            _ if column < value_start => return None,
            _ => cursor.value_slot(value_start..word.end, false)?,
        };
        slot.lead = " ";
        Some((key.to_owned(), slot))
    });
    Some(Place { document: spot.document, path: spot.path, keys, value, items: None, glued })
}

/// After `key:`.
fn after_colon<'t>(cursor: &Cursor<'t>, spot: Spot<'t>, key: Range<usize>, colon: usize) -> Option<Place<'t>> {
    let layout = &cursor.layout;
    let column = cursor.column();
    if !spot.keys {
        return None;
    }
    let mut path = spot.path;
    path.push(step_of(cursor.profile, cursor.line_text.get(key.clone())?));
    let gap_missing = column == colon + 1;
    let (properties, written_value) = after_properties(&cursor.line_text, layout.value.clone());
    // What is written directly after an anchor or a tag belongs to its name.
    if properties.as_ref().is_some_and(|properties| properties.start < column && column <= properties.end) {
        return None;
    }
    let properties = properties.filter(|properties| properties.end < column);
    let value_range = if properties.is_some() { written_value } else { layout.value.clone() };
    let written = !value_range.is_empty();
    // The value is on the lines below: there is no place for another one.
    if !written && layout.properties.is_none() && has_deeper_lines(cursor, spot.column) {
        return None;
    }
    let value = if !written {
        let replace = match layout.comment {
            Some(_) => cursor.offset..cursor.offset,
            None => cursor.to_line_end(),
        };
        Some(ValueSlot { replace, lead: "", quote: Quote::None, flow: false, own_line: false })
    } else if column < value_range.start {
        let replace = cursor.absolute(column..value_range.end);
        Some(ValueSlot { replace, lead: "", quote: Quote::None, flow: false, own_line: false })
    } else {
        let text = cursor.line_text.get(value_range.clone())?;
        if matches!(text.chars().next(), Some('|' | '>' | '{' | '[')) {
            return None;
        }
        if is_scalar_of_more_lines(cursor, cursor.line.start + value_range.start) {
            return None;
        }
        // After a word and a space, only a value that contains a space can continue.
        cursor.value_slot(value_range.start..value_range.end.max(column), false)
    };
    let mut value = value?;
    if gap_missing {
        value.lead = " ";
    }
    // Children can be offered on lines below only if there are none yet and nothing else is in the way.
    let mut keys = None;
    let mut items = None;
    let plain = !written || (value.quote == Quote::None && column <= value_range.end);
    if plain && layout.properties.is_none() && layout.comment.is_none() && !has_deeper_lines(cursor, spot.column) {
        let newline = cursor.style.newline;
        let gap = properties.as_ref().map_or(colon + 1, |properties| properties.end);
        let gap = gap..cursor.column().min(if written { value_range.start } else { usize::MAX });
        let fix = (!gap.is_empty()).then(|| (cursor.absolute(gap), String::new()));
        let child = spot.column + cursor.style.indent;
        keys = Some(KeySlot {
            map: None,
            replace: value.replace.clone(),
            lead: format!("{newline}{}", " ".repeat(child)),
            column: child,
            tail: Tail::Free,
            flow: false,
            fix: fix.clone(),
            dashes_below: None,
        });
        let dash = spot.column + cursor.style.dash;
        items = Some(ItemSlot {
            path: None,
            replace: value.replace.clone(),
            lead: format!("{newline}{}", " ".repeat(dash)),
            column: dash,
            fix,
        });
    }
    if layout.properties.is_some() && column <= layout.properties.as_ref().map_or(0, |range| range.end) {
        return None;
    }
    Some(Place { document: spot.document, path, keys, value: Some(value), items, glued: None })
}

/// The anchor and the tag that a value in `range` (bytes of the line) begins with, and the range of the rest.
fn after_properties(line: &str, range: Range<usize>) -> (Option<Range<usize>>, Range<usize>) {
    let (mut end, mut start) = (range.start, range.start);
    while let Some(text) = line.get(start..range.end).filter(|text| text.starts_with(['&', '!'])) {
        end = start + text.find([' ', '\t']).unwrap_or(text.len());
        let rest = line.get(end..range.end).unwrap_or_default();
        start = end + rest.len() - rest.trim_start().len();
    }
    // An empty value is directly after them, however much white space follows.
    let rest = if start < range.end { start..range.end } else { end..end };
    ((end > range.start).then_some(range.start..end), rest)
}

/// Decides which collection a key, value or word at `column` of the cursor's line belongs to.
fn settle<'t>(cursor: &Cursor<'t>, before: Option<Token<'t>>, column: usize) -> Option<Spot<'t>> {
    let column_of = |offset| cursor.column_of(offset);
    let (mut levels, mut document) = match before {
        Some(token) if !matches!(token.kind(), Kind::DocEnd | Kind::Directive) => {
            open_levels(cursor.tree, cursor.profile, token, &column_of)
        }
        _ => (Vec::new(), None),
    };
    if document.is_none() {
        // There is nothing above. The text on this line or below belongs to the same document, unless it starts with a
        // marker.
        document = significant_after(cursor.tree, cursor.text, cursor.line.start)
            .filter(|token| token.kind() != Kind::DocStart)
            .and_then(|token| document_of(cursor, token));
    }
    let spot =
        |path, map, column, keys, fresh, dash| Spot { document, path, map, column, keys, fresh, dash, array: None };
    if let Some(first) = cursor.layout.dashes.first() {
        let mut path = path_to_dash(&mut levels, *first)?;
        path.extend(cursor.layout.dashes.iter().map(|_| Step::Item));
        let last = cursor.layout.dashes.last().unwrap_or(first);
        let item = item_at(cursor, cursor.line.start + last);
        let map = item.and_then(|item| item.value().map()).filter(|map| !map.is_flow());
        let fresh = map.is_none();
        return Some(spot(path, map, column, true, fresh, fresh.then_some(column)));
    }
    while let Some(level) = levels.last() {
        let aligned_parent = levels.len() > 1 && levels[levels.len() - 2].is_at(column);
        let zero_indented = level.is_seq() && level.is_at(column) && aligned_parent;
        if zero_indented || (level.column > column && !level.is_at(column)) {
            levels.pop();
        } else {
            break;
        }
    }
    let Some(level) = levels.last() else {
        return at_root(cursor, document, column);
    };
    let above = || levels[..levels.len() - 1].iter().map(|level| level.step.clone()).collect::<Vec<_>>();
    let below = || levels.iter().map(|level| level.step.clone()).collect::<Vec<_>>();
    if level.is_at(column) {
        return Some(match level.map {
            Some(map) => {
                let array = takes_dashes(level, column).then(below);
                let dash = array.as_ref().map(|_| column);
                Spot { array, ..spot(above(), Some(map), column, true, false, dash) }
            }
            None => spot(above(), None, column, false, false, Some(column)),
        });
    }
    // Deeper than the innermost open collection: it is the value of the last child.
    let value = level.value;
    let started_here = value.start() >= cursor.line.start;
    match value.kind() {
        ValueKind::Missing => Some(spot(below(), None, column, true, true, Some(column))),
        ValueKind::BlockMap => {
            let map = value.map()?;
            let own = map.column().unwrap_or(column);
            Some(spot(below(), Some(map), own, true, false, None))
        }
        ValueKind::BlockSeq if cursor.layout.is_empty() => {
            let own = value.seq().and_then(|seq| seq.column()).unwrap_or(column);
            Some(spot(below(), None, column, false, false, Some(own)))
        }
        ValueKind::Plain if started_here => Some(spot(below(), None, column, true, true, None)),
        // Words on the lines above may be half-typed keys; a finished text could not continue here.
        ValueKind::Plain if begins_own_line(cursor, value, column) => {
            Some(spot(below(), None, column, true, false, None))
        }
        ValueKind::SingleQuoted | ValueKind::DoubleQuoted if started_here => {
            Some(spot(below(), None, column, true, true, None))
        }
        _ => None,
    }
}

/// Outside all collections.
fn at_root<'t>(cursor: &Cursor<'t>, document: Option<Document<'t>>, column: usize) -> Option<Spot<'t>> {
    let root = document.and_then(|document| document.root());
    let spot = |map: Option<Map<'t>>, column, keys, fresh, dash| {
        Some(Spot { document, path: Vec::new(), map, column, keys, fresh, dash, array: None })
    };
    match root {
        None => spot(None, column, true, true, Some(column)),
        Some(root) => match root.kind() {
            ValueKind::Missing => spot(None, column, true, true, Some(column)),
            ValueKind::BlockMap => {
                let map = root.map()?;
                spot(Some(map), map.column().unwrap_or(column), true, false, None)
            }
            ValueKind::BlockSeq => {
                let own = root.seq().and_then(|seq| seq.column()).unwrap_or(column);
                spot(None, column, false, false, Some(own))
            }
            // A single word, or several below each other: half-typed keys.
            ValueKind::Plain => spot(None, column, true, root.start() >= cursor.line.start, None),
            ValueKind::SingleQuoted | ValueKind::DoubleQuoted if root.start() >= cursor.line.start => {
                spot(None, column, true, true, None)
            }
            _ => None,
        },
    }
}

/// Whether a dash in the column of a map's keys belongs to the value of its last key: the key has no value yet, or
/// dashes in that column.
fn takes_dashes(level: &Level<'_>, column: usize) -> bool {
    match level.value.kind() {
        ValueKind::Missing => Entry::cast(level.value.owner()).is_some_and(|entry| entry.colon().is_some()),
        ValueKind::BlockSeq => level.value.seq().and_then(|seq| seq.column()) == Some(column),
        _ => false,
    }
}

/// The path to the array to which a dash at `column` adds an item.
fn path_to_dash(levels: &mut Vec<Level<'_>>, column: usize) -> Option<Vec<Step>> {
    while levels.last().is_some_and(|level| level.column > column && !level.is_at(column)) {
        levels.pop();
    }
    let steps = |levels: &[Level<'_>]| levels.iter().map(|level| level.step.clone()).collect::<Vec<_>>();
    let Some(level) = levels.last() else {
        return Some(Vec::new());
    };
    if level.is_seq() && level.is_at(column) {
        return Some(steps(&levels[..levels.len() - 1]));
    }
    // Below a key (at its column or deeper) or below another dash.
    match level.value.kind() {
        ValueKind::Missing | ValueKind::BlockSeq => Some(steps(levels)),
        _ => None,
    }
}

fn key_slot<'t>(spot: &Spot<'t>, replace: Range<usize>) -> KeySlot<'t> {
    KeySlot {
        map: spot.map,
        replace,
        lead: String::new(),
        column: spot.column,
        tail: Tail::Free,
        flow: false,
        fix: None,
        dashes_below: None,
    }
}

/// What follows the place where a key is typed.
fn tail(cursor: &Cursor<'_>, column: usize) -> Tail {
    if has_deeper_lines(cursor, column) {
        Tail::Children
    } else if cursor.layout.comment.is_some() {
        Tail::Comment
    } else {
        Tail::Free
    }
}

/// Whether the next non-blank line is deeper than `column`, or a dash at it: it would become the value of a key
/// inserted here.
fn has_deeper_lines(cursor: &Cursor<'_>, column: usize) -> bool {
    next_below(cursor).is_some_and(|(next, kind)| next > column || (next == column && kind == Kind::Dash))
}

/// The column and the kind of what is next below the line.
fn next_below(cursor: &Cursor<'_>) -> Option<(usize, Kind)> {
    let next = significant_after(cursor.tree, cursor.text, cursor.line.end)?;
    Some((cursor.column_of(next.range().start), next.kind()))
}

/// The next item, if the next thing below the line is a dash at `column`.
fn dashes_below(cursor: &Cursor<'_>, column: usize) -> Option<Below> {
    let next = significant_after(cursor.tree, cursor.text, cursor.line.end)?;
    let start = next.range().start;
    if next.kind() != Kind::Dash || cursor.column_of(start) != column {
        return None;
    }
    let item = item_at(cursor, start)?;
    Some(if item.value().map().is_some() { Below::Map } else { Below::Other })
}

/// Whether the cursor is in a scalar that began on an earlier line.
fn is_inside_scalar(cursor: &Cursor<'_>, before: Token<'_>) -> bool {
    let spans = before.range().end > cursor.line.start;
    match before.kind() {
        Kind::BlockHeader | Kind::BlockBody => {
            if !cursor.layout.is_empty() {
                return spans && before.kind() == Kind::BlockBody;
            }
            // On a blank line, the column decides whether the text continues.
            let text = before.text();
            let body = text.lines().find(|line| !line.trim().is_empty());
            let indent = body.map(|line| line.len() - line.trim_start_matches(' ').len());
            before.kind() == Kind::BlockBody && indent.is_some_and(|indent| cursor.column() >= indent)
        }
        Kind::SingleQuoted | Kind::DoubleQuoted => spans,
        _ => false,
    }
}

/// Whether the scalar at `start`, on the cursor's line, continues on the next line.
fn is_scalar_of_more_lines(cursor: &Cursor<'_>, start: usize) -> bool {
    cursor.tree.token_at(start).is_some_and(|token| token.range().end > cursor.line.end)
}

/// Whether a plain scalar above begins its own line at `column`: the lines below it may be half-typed keys as well as
/// the rest of a text.
fn begins_own_line(cursor: &Cursor<'_>, value: Value<'_>, column: usize) -> bool {
    let start = value.content_range().start;
    let line = cursor.text.line_range(cursor.text.line_of(start));
    let layout = line::layout(&cursor.text.slice(line.clone()));
    layout.key.is_none() && layout.column() == column && start - line.start == column
}

/// Nothing is offered on `---` and `...` lines.
fn is_marker(line: &str) -> bool {
    ["---", "..."]
        .iter()
        .any(|marker| line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])))
}

/// A word that begins with a quote can be a key only if nothing follows its closing quote.
fn is_quoted_to_end(text: &str) -> bool {
    if !text.starts_with(['"', '\'']) {
        return !text.starts_with(['*', '&', '!']);
    }
    line::quoted_end(text.as_bytes(), 0).is_none_or(|end| end == text.len())
}

/// The column that indentation of this length stands for. A tab counts as one level: it is an error in YAML, and
/// accepting an item fixes it.
fn indentation(cursor: &Cursor<'_>, column: usize) -> usize {
    let blanks = cursor.line_text.as_bytes().get(..column).unwrap_or_default();
    let tabs = blanks.iter().filter(|byte| **byte == b'\t').count();
    column + tabs * (cursor.style.indent - 1)
}

fn fix_indentation_of_key(cursor: &Cursor<'_>, slot: &mut KeySlot<'_>) {
    let column = slot.column;
    slot.dashes_below = dashes_below(cursor, column);
    fix_indentation(cursor, column, &slot.replace.clone(), &mut slot.lead, &mut slot.fix);
}

/// Ensures that inserted text begins at `column`, by replacing the indentation where it differs.
fn fix_indentation(
    cursor: &Cursor<'_>,
    column: usize,
    replace: &Range<usize>,
    lead: &mut String,
    fix: &mut Option<Fix>,
) {
    if !cursor.layout.dashes.is_empty() {
        return;
    }
    let end = cursor.layout.indent.min(cursor.column());
    let blanks = cursor.line_text.get(..end).unwrap_or_default();
    if blanks.len() == column && !blanks.contains('\t') {
        return;
    }
    let range = cursor.absolute(0..end);
    let spaces = " ".repeat(column);
    if range.is_empty() && range.start == replace.start {
        // LSP does not define the order of two insertions at one place.
        lead.insert_str(0, &spaces);
    } else {
        *fix = Some((range, spaces));
    }
}

/// The step of a key that may not be a key in the tree yet.
fn step_of(profile: Profile, key: &str) -> Step {
    let tree = lofting_syntax::parse(key);
    let root = tree.documents().next().and_then(|document| document.root());
    root.and_then(|key| crate::path::key_of(profile, key)).map_or(Step::Nowhere, Step::Key)
}

fn document_of<'t>(cursor: &Cursor<'t>, token: Token<'t>) -> Option<Document<'t>> {
    cursor.tree.path_at(token.range().start).into_iter().find_map(Document::cast)
}

/// The item whose dash is at `offset`.
fn item_at<'t>(cursor: &Cursor<'t>, offset: usize) -> Option<Item<'t>> {
    let path = cursor.tree.path_at(offset);
    path.into_iter().filter_map(Item::cast).find(|item| item.node().range().start == offset)
}
