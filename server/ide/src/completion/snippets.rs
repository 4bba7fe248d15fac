//! Snippets of a schema (`defaultSnippets`), as YAML for the place at the cursor.

use super::context::{Cursor, Style};
use super::place::{ItemSlot, KeySlot, Place, Quote, Tail};
use crate::completion_item::{CompletionItem, ItemKind, escape_snippet};
use crate::describe::shorten;
use crate::markdown::Page;
use crate::path::key_of;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::{ConstraintKind, Kinds, Schema, SchemaId, SchemaNode, Shape, Snippet};
use lofting_syntax::ValueKind;
use lofting_syntax::resolve::is_cut_in_flow;
use std::ops::Range;

/// Longer snippets (in lines) are not offered, because they would bury the user's text.
const LINES: usize = 100;

/// The maximum depth of values that are offered.
const DEPTH: usize = 20;

/// Keys that are present are looked for among this many.
const ENTRIES: usize = 500;

/// At most this many values of one node are offered.
const VALUES: usize = 20;

/// The nodes whose snippets may fit a place.
pub(super) struct Owners {
    /// Those that hold for the value at the place, and those that only join them.
    pub here: Vec<SchemaId>,
    /// Those of the array, if the place is one of its items.
    pub array: Vec<SchemaId>,
}

/// The snippets of these nodes that fit a place, and the collections that they have as defaults, examples or allowed
/// values: maps where a key is possible, arrays where an item is, and others where a value is. `snippets` is whether the
/// editor knows tab stops.
pub(super) fn items(
    schema: &Schema,
    owners: &Owners,
    place: &Place<'_>,
    cursor: &Cursor<'_>,
    snippets: bool,
) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    let at = At { place, style: cursor.style, present: present(place, cursor) };
    for id in &owners.here {
        let kinds = kinds(schema, *id);
        for snippet in &schema.node(*id).docs.snippets {
            items.extend(at.edit(snippet, kinds).map(|edit| item(snippet, edit, snippets, items.len())));
        }
        if let Shape::Array(array) = schema.node(*id).shape() {
            for snippet in &schema.node(array.item).docs.snippets {
                items.extend(at.item(snippet).map(|edit| item(snippet, edit, snippets, items.len())));
            }
        }
        items.extend(values(schema.node(*id), kinds, &at, items.len()));
    }
    for id in &owners.array {
        // A map that an array offers is one of its items.
        let is_of_items = !kinds(schema, *id).has(Kinds::MAP);
        for snippet in schema.node(*id).docs.snippets.iter().filter(|_| is_of_items) {
            let is_item = !matches!(snippet.body.value, NodeValue::Array(_));
            let edit = at.edit(snippet, Kinds::ANY).filter(|_| is_item);
            items.extend(edit.map(|edit| item(snippet, edit, snippets, items.len())));
        }
    }
    let mut known: Vec<Edit> = Vec::new();
    items.retain(|item| {
        let is_new = !known.contains(&item.edit);
        known.push(item.edit.clone());
        is_new
    });
    items
}

/// The kinds of values that a node accepts, or those that it joins.
fn kinds(schema: &Schema, id: SchemaId) -> Kinds {
    schema.speaking(id).into_iter().fold(Kinds::NONE, |kinds, id| kinds.or(schema.node(id).kinds))
}

fn item(snippet: &Snippet, (edit, fix): Change, snippets: bool, number: usize) -> CompletionItem {
    let label = snippet.label.clone().unwrap_or_else(|| edit.1.trim().lines().next().unwrap_or_default().to_owned());
    let edit = (edit.0, if snippets { edit.1 } else { without_stops(&edit.1) });
    CompletionItem {
        detail: Some("snippet of the schema".to_owned()),
        about: snippet.description.as_deref().map(|it| Page::default().description(it).into()),
        is_snippet: snippets,
        additional_edits: fix,
        sort_text: format!("0{number:05}"),
        ..CompletionItem::new(label, ItemKind::Snippet, edit)
    }
}

/// The default, examples and allowed values of a node that are maps or arrays. They are offered where nothing is written.
fn values(node: &SchemaNode, kinds: Kinds, at: &At<'_, '_>, number: usize) -> Vec<CompletionItem> {
    let default = node.default.as_ref().filter(|default| default.explicit).map(|default| (&default.value, "default"));
    let examples = node.docs.examples.iter().map(|example| (&example.value, "example"));
    let allowed = node.constraints.iter().filter_map(|constraint| match &constraint.kind {
        ConstraintKind::OneOf(values) if !constraint.conditional => Some(values),
        _ => None,
    });
    let allowed = allowed.flat_map(|values| values.iter().map(|value| (value, "allowed value")));
    let is_filled = |value: &Node| match &value.value {
        NodeValue::Map(items) => !items.is_empty(),
        NodeValue::Array(items) => !items.is_empty(),
        _ => false,
    };
    let found = default.into_iter().chain(examples).chain(allowed).filter(|(value, _)| is_filled(value)).take(VALUES);
    let item = |(index, (value, detail)): (usize, (&Node, &str))| {
        let (edit, fix) = at.value(value, kinds)?;
        let label = shorten(yaml_text::value(value, ScalarContext::Block)?);
        Some(CompletionItem {
            detail: Some(detail.to_owned()),
            additional_edits: fix,
            sort_text: format!("e{:05}", number + index),
            ..CompletionItem::new(label, ItemKind::Value, edit)
        })
    };
    found.enumerate().filter_map(item).collect()
}

type Edit = (Range<usize>, String);

/// The edit that inserts a value, and further edits.
type Change = (Edit, Vec<Edit>);

/// The keys of the map at the place, apart from the one at the cursor.
fn present(place: &Place<'_>, cursor: &Cursor<'_>) -> Vec<Key> {
    let Some(slot) = &place.keys else { return Vec::new() };
    let is_typed = |start: usize| slot.replace.start <= start && start <= slot.replace.end && !slot.replace.is_empty();
    let entries = slot.map.into_iter().flat_map(|map| map.entries()).take(ENTRIES);
    let written = entries.filter(|entry| !is_typed(entry.node().range().start) && !entry.is_incomplete());
    written.filter_map(|entry| key_of(cursor.profile, entry.key()?)).collect()
}

/// A place for text of several lines.
struct At<'p, 't> {
    place: &'p Place<'t>,
    style: Style,
    /// The keys that the map at the place has.
    present: Vec<Key>,
}

impl At<'_, '_> {
    /// Inserts a snippet; None if it does not fit.
    fn edit(&self, snippet: &Snippet, kinds: Kinds) -> Option<Change> {
        let body = &snippet.body;
        if snippet.is_text {
            return self.text(body, kinds);
        }
        match &body.value {
            NodeValue::Map(_) if !kinds.has(Kinds::MAP) => self.item(snippet).filter(|_| kinds.has(Kinds::ARRAY)),
            NodeValue::Map(_) => self.map(self.lines(false), &self.lacking(body)?),
            NodeValue::Array(_) => self.array(self.lines(false), body),
            _ => self.scalar(body),
        }
    }

    /// Inserts a snippet as an item of the array at the place.
    fn item(&self, snippet: &Snippet) -> Option<Change> {
        if snippet.is_text || matches!(snippet.body.value, NodeValue::Array(_)) {
            return None;
        }
        let slot = self.place.items.as_ref()?;
        let mut lines = self.lines(false);
        lines.text.push_str("- ");
        lines.block(&snippet.body, slot.column + 2, 0)?;
        Some(lines.at_item(slot))
    }

    /// Inserts a collection as it is, where nothing is written.
    fn value(&self, value: &Node, kinds: Kinds) -> Option<Change> {
        match &value.value {
            NodeValue::Map(_) if kinds.has(Kinds::MAP) && self.present.is_empty() => self.map(self.lines(true), value),
            NodeValue::Array(_) if kinds.has(Kinds::ARRAY) => {
                // Below other items, it would be more of them.
                self.place.value.as_ref()?;
                self.array(self.lines(true), value)
            }
            _ => None,
        }
    }

    fn lines(&self, is_literal: bool) -> Lines {
        Lines { style: self.style, place: ScalarContext::Block, is_literal, text: String::new(), lines: 1 }
    }

    fn map(&self, mut lines: Lines, body: &Node) -> Option<Change> {
        let slot = self.place.keys.as_ref().filter(|slot| !slot.flow && slot.tail == Tail::Free)?;
        lines.block(body, slot.column, 0)?;
        Some(lines.at_key(slot))
    }

    fn array(&self, mut lines: Lines, body: &Node) -> Option<Change> {
        let slot = self.place.items.as_ref()?;
        lines.block(body, slot.column, 0)?;
        Some(lines.at_item(slot))
    }

    fn scalar(&self, body: &Node) -> Option<Change> {
        let slot = self.place.value.as_ref().filter(|slot| slot.quote == Quote::None)?;
        let mut lines = Lines { place: self.style.scalars(slot.flow), ..self.lines(false) };
        lines.block(body, 0, 0)?;
        Some(((slot.replace.clone(), format!("{}{}", slot.lead, lines.text)), Vec::new()))
    }

    /// Inserts text: the lines of a collection where one is expected, a single line anywhere else.
    fn text(&self, body: &Node, kinds: Kinds) -> Option<Change> {
        let NodeValue::String(text) = &body.value else { return None };
        let mut lines = self.lines(false);
        let keys = self.place.keys.as_ref().filter(|slot| !slot.flow && slot.tail == Tail::Free);
        if let Some(slot) = keys.filter(|_| kinds != Kinds::ANY && kinds.has(Kinds::MAP)) {
            lines.copy(&self.lacking_lines(text)?, slot.column)?;
            return Some(lines.at_key(slot));
        }
        if let Some(slot) = self.place.items.as_ref().filter(|_| kinds != Kinds::ANY && kinds.has(Kinds::ARRAY)) {
            lines.copy(text, slot.column)?;
            return Some(lines.at_item(slot));
        }
        let is_of_one_line = !text.contains('\n') && !self.style.json;
        let slot = self.place.value.as_ref().filter(|slot| slot.quote == Quote::None && is_of_one_line)?;
        Some(((slot.replace.clone(), format!("{}{text}", slot.lead)), Vec::new()))
    }

    /// The lines of a map without those of keys that are present; None if nothing is left.
    fn lacking_lines(&self, text: &str) -> Option<String> {
        let mut is_missing = true;
        let mut left = String::new();
        for line in text.lines() {
            if !line.starts_with([' ', '\t', '-', '#']) {
                let key = line.split_once(':').map(|(key, _)| key.trim().trim_matches(['"', '\'']));
                is_missing = key.is_none_or(|key| self.present.iter().all(|present| present.to_string() != key));
            }
            if is_missing {
                left.push_str(line);
                left.push('\n');
            }
        }
        let is_empty = left.trim().is_empty() && !text.trim().is_empty();
        (!is_empty).then_some(left)
    }

    /// A map without the keys that are present; None if nothing is left.
    fn lacking(&self, body: &Node) -> Option<Node> {
        let NodeValue::Map(items) = &body.value else { return None };
        let is_missing = |key: &Key| has_stop(&key.to_string()) || !self.present.contains(key);
        let left: Vec<_> = items.iter().filter(|item| is_missing(&item.key)).cloned().collect();
        let is_empty = left.is_empty() && !items.is_empty();
        (!is_empty).then(|| Node::new(NodeValue::Map(left.into()), body.span))
    }
}

struct Lines {
    style: Style,
    /// How its scalars are written.
    place: ScalarContext,
    /// Without tab stops.
    is_literal: bool,
    text: String,
    lines: usize,
}

impl Lines {
    fn at_key(self, slot: &KeySlot<'_>) -> Change {
        let edit = (slot.replace.clone(), format!("{}{}", slot.lead, self.text));
        (edit, slot.fix.clone().into_iter().collect())
    }

    fn at_item(self, slot: &ItemSlot) -> Change {
        let edit = (slot.replace.clone(), format!("{}{}", slot.lead, self.text));
        (edit, slot.fix.clone().into_iter().collect())
    }

    /// Lines of text, the first at the cursor, the others at `column`. Tabs of their indentation are levels.
    fn copy(&mut self, text: &str, column: usize) -> Option<()> {
        for (index, line) in text.lines().enumerate() {
            let content = line.trim_start_matches('\t');
            let levels = line.len() - content.len();
            if index > 0 {
                self.line(column + levels * self.style.indent)?;
            }
            self.text.push_str(content);
        }
        Some(())
    }

    fn line(&mut self, column: usize) -> Option<()> {
        self.lines += 1;
        self.text.push_str(self.style.newline);
        self.text.extend(std::iter::repeat_n(' ', column));
        (self.lines <= LINES).then_some(())
    }

    /// A value in block style, whose first line continues the text and whose other lines begin at `column`.
    fn block(&mut self, node: &Node, column: usize, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        match &node.value {
            NodeValue::Map(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.line(column)?;
                    }
                    let key = item.key.to_string();
                    let written = yaml_text::key(&item.key, ScalarContext::Block);
                    self.text.push_str(&match (self.is_literal, has_stop(&key)) {
                        (true, _) => written,
                        (false, true) => key,
                        (false, false) => escape_snippet(&written),
                    });
                    self.text.push(':');
                    self.below(&item.value, column, column + self.style.indent, depth)?;
                }
            }
            NodeValue::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.line(column)?;
                    }
                    self.text.push_str("- ");
                    self.block(&item.value, column + 2, depth + 1)?;
                }
            }
            _ => {
                let literal = || yaml_text::value(node, self.place);
                let text = if self.is_literal { literal()? } else { scalar(node, self.place)? };
                self.text.push_str(&text);
            }
        }
        Some(())
    }

    /// The value of a key, starting after the colon.
    fn below(&mut self, node: &Node, column: usize, deeper: usize, depth: usize) -> Option<()> {
        let column = match &node.value {
            NodeValue::Map(items) if !items.is_empty() => deeper,
            NodeValue::Array(items) if !items.is_empty() => column + self.style.dash,
            _ => {
                self.text.push(' ');
                return self.block(node, column, depth + 1);
            }
        };
        self.line(column)?;
        self.block(node, column, depth + 1)
    }
}

/// A scalar, or an empty collection. Tab stops in strings stay; `^` before one marks a value that is not a string.
fn scalar(node: &Node, place: ScalarContext) -> Option<String> {
    Some(match &node.value {
        NodeValue::Map(_) => "{}".to_owned(),
        NodeValue::Array(_) => "[]".to_owned(),
        NodeValue::String(text) => match text.strip_prefix('^') {
            Some(raw) => raw.to_owned(),
            None if has_stop(text) => with_quotes(text, place),
            None => escape_snippet(&yaml_text::string(text, place)),
        },
        other => yaml_text::scalar(other, place)?,
    })
}

/// A string with tab stops, in quotes if it would be something else without them.
fn with_quotes(text: &str, place: ScalarContext) -> String {
    let proposed = without_stops(text);
    let needs_quotes = match place {
        ScalarContext::Json => true,
        ScalarContext::Flow if is_cut_in_flow(&proposed) => true,
        ScalarContext::Flow | ScalarContext::Block => !proposed.trim().is_empty() && !is_plain(&proposed),
    };
    match (needs_quotes, text.contains(['"', '\\']), text.contains('\'')) {
        (true, false, _) => format!("\"{text}\""),
        (true, true, false) if place != ScalarContext::Json => format!("'{text}'"),
        _ => text.to_owned(),
    }
}

/// Whether a text is a plain scalar in YAML, whatever its type is.
fn is_plain(text: &str) -> bool {
    let tree = lofting_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root());
    root.is_some_and(|root| root.kind() == ValueKind::Plain && root.content_range() == (0..text.len()))
}

/// Whether a text contains a tab stop: `$1`, `${1:name}`.
fn has_stop(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        rest.trim_start_matches('{').starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The text for editors without snippets: each tab stop is replaced by its proposal.
fn without_stops(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Proposals may contain tab stops; this counts the open ones.
    let mut open = 0_usize;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\\' => {
                out.extend(rest.chars().next());
                rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
            }
            '$' => {
                let inner = rest.strip_prefix('{').unwrap_or(rest);
                let after = inner.trim_start_matches(|c: char| c.is_ascii_digit());
                let is_open = inner.len() < rest.len();
                match (is_open, after.len() < inner.len()) {
                    (_, false) => out.push('$'),
                    (false, true) => rest = after,
                    (true, true) => {
                        open += 1;
                        rest = after;
                        if let Some(choices) = after.strip_prefix('|') {
                            let end = choices.find("|}").unwrap_or(choices.len());
                            out.push_str(choices.get(..end).unwrap_or_default().split(',').next().unwrap_or_default());
                            rest = choices.get(end + 1..).unwrap_or_default();
                        }
                        rest = rest.strip_prefix(':').unwrap_or(rest);
                    }
                }
            }
            '}' if open > 0 => open -= 1,
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_what_they_propose() {
        for (text, want) in [
            ("a: $1", "a: "),
            ("${1:name}: ${2|x,y|}$0", "name: x"),
            ("${1:a ${2:b}} $x \\$1 }", "a b $x $1 }"),
            ("$", "$"),
            ("${", "${"),
        ] {
            assert_eq!(without_stops(text), want, "{text}");
        }
        assert!(has_stop("${12:x}") && has_stop("a$0") && !has_stop("$x ${y}"));
    }
}
