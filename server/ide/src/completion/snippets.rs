//! Snippets of a schema (`defaultSnippets`), as YAML for the place at the cursor.

use super::context::Style;
use super::place::{Place, Quote};
use crate::completion_item::{CompletionItem, CompletionOptions, ItemKind, escape_snippet};
use crate::markdown::Page;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{Node, NodeValue};
use lofting_schema::{Schema, SchemaId, Snippet};

/// Longer snippets (in lines) are not offered, because they would bury the user's text.
const LINES: usize = 100;

/// The maximum depth of values that are offered.
const DEPTH: usize = 20;

/// The snippets of these nodes that fit a place: maps where a key is possible, arrays where an item is, and others
/// where a value is.
pub(super) fn items(
    schema: &Schema,
    ids: &[SchemaId],
    place: &Place<'_>,
    style: Style,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    // A block of text is never inserted unless the user requested the list.
    if options.unasked {
        return items;
    }
    for snippet in ids.iter().flat_map(|id| &schema.node(*id).docs.snippets) {
        let Some((edit, fix)) = inserted(snippet, place, style) else { continue };
        let label =
            snippet.label.clone().unwrap_or_else(|| edit.1.trim().lines().next().unwrap_or_default().to_owned());
        let edit = (edit.0, if options.snippets { edit.1 } else { without_stops(&edit.1) });
        items.push(CompletionItem {
            detail: Some("snippet of the schema".to_owned()),
            about: snippet.description.as_deref().map(|it| Page::default().description(it).into()),
            is_snippet: options.snippets,
            additional_edits: fix,
            sort_text: format!("0{:05}", items.len()),
            ..CompletionItem::new(label, ItemKind::Snippet, edit)
        });
    }
    items
}

type Edit = (std::ops::Range<usize>, String);

/// The edit that inserts a snippet, and further edits; None if it does not fit.
fn inserted(snippet: &Snippet, place: &Place<'_>, style: Style) -> Option<(Edit, Vec<Edit>)> {
    let mut out = Lines { style, text: String::new(), lines: 1 };
    match &snippet.body.value {
        NodeValue::Map(_) => {
            let slot = place.keys.as_ref().filter(|slot| !slot.flow)?;
            out.block(&snippet.body, slot.column, 0)?;
            Some(((slot.replace.clone(), format!("{}{}", slot.lead, out.text)), slot.fix.clone().into_iter().collect()))
        }
        NodeValue::Array(_) => {
            let slot = place.items.as_ref()?;
            out.block(&snippet.body, slot.column, 0)?;
            Some(((slot.replace.clone(), format!("{}{}", slot.lead, out.text)), slot.fix.clone().into_iter().collect()))
        }
        _ => {
            let slot = place.value.as_ref().filter(|slot| slot.quote == Quote::None)?;
            out.block(&snippet.body, 0, 0)?;
            Some(((slot.replace.clone(), format!("{}{}", slot.lead, out.text)), Vec::new()))
        }
    }
}

struct Lines {
    style: Style,
    text: String,
    lines: usize,
}

impl Lines {
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
                    self.text.push_str(&if has_stop(&key) {
                        key
                    } else {
                        escape_snippet(&yaml_text::key(&item.key, ScalarContext::Block))
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
                let text = scalar(node)?;
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

/// A scalar, or an empty collection. A string with tab stops is copied as it is; `^` before it marks a value that is not a
/// string.
fn scalar(node: &Node) -> Option<String> {
    Some(match &node.value {
        NodeValue::Map(_) => "{}".to_owned(),
        NodeValue::Array(_) => "[]".to_owned(),
        NodeValue::String(text) => match text.strip_prefix('^') {
            Some(raw) => raw.to_owned(),
            None if has_stop(text) => text.to_string(),
            None => escape_snippet(&yaml_text::string(text, ScalarContext::Block)),
        },
        other => yaml_text::scalar(other, ScalarContext::Block)?,
    })
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
