//! Writes node trees with the place of every item, as ytt's `-o pos` does, for people who look for the origin of a
//! value.

use super::yaml::to_yaml;
use crate::{Document, Node, NodeValue, Span};
use std::fmt::Write as _;

/// By how much the column of places is widened when a place does not fit.
const MARGIN: usize = 10;

/// Writes documents, one line for each item. `place` gives a span as `file:line`, if that is known.
pub struct PositionWriter<'p> {
    place: &'p dyn Fn(Span) -> Option<String>,
    out: String,
    width: usize,
}

impl<'p> PositionWriter<'p> {
    /// A writer without any output yet.
    pub fn new(place: &'p dyn Fn(Span) -> Option<String>) -> PositionWriter<'p> {
        PositionWriter { place, out: String::new(), width: 0 }
    }

    /// Adds a document.
    pub fn document(&mut self, document: &Document) {
        // Like ytt, assume a marker above the first line if there is none (docs/ytt.md 4.5).
        self.line(Some(document.marker.unwrap_or(Span { start: 0, end: 0, ..document.span })), 0, "[doc]");
        self.value(&document.value, 1);
    }

    /// The text written since the last call. The width of the column of places is kept.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Document trees have bounded depth, and so has this recursion.
    fn value(&mut self, node: &Node, depth: usize) {
        match &node.value {
            NodeValue::Map(items) => {
                for item in items {
                    self.item(of_item(item.key_span, &item.value), depth, &format!("{}:", item.key), &item.value);
                }
            }
            NodeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.item(of_item(item.span, &item.value), depth, &format!("[{index}]"), &item.value);
                }
            }
            _ => {
                let text = to_yaml(node);
                self.pad("");
                self.rest(depth, &text);
            }
        }
    }

    fn item(&mut self, span: Span, depth: usize, head: &str, value: &Node) {
        let leaf = match &value.value {
            NodeValue::Map(_) | NodeValue::Array(_) => None,
            _ => Some(to_yaml(value)).filter(|text| !text.contains('\n')),
        };
        match leaf {
            Some(leaf) => self.line(Some(span), depth, &format!("{head} {leaf}")),
            None => {
                self.line(Some(span), depth, head);
                self.value(value, depth + 1);
            }
        }
    }

    fn line(&mut self, span: Option<Span>, depth: usize, text: &str) {
        if let Some(place) = span.and_then(self.place) {
            self.pad(&place);
        }
        self.rest(depth, text);
    }

    fn pad(&mut self, place: &str) {
        if place.len() > self.width {
            self.width = place.len() + MARGIN;
        }
        let written = write!(self.out, "{place:>width$} | ", width = self.width);
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
    }

    fn rest(&mut self, depth: usize, text: &str) {
        self.out.extend(std::iter::repeat_n("  ", depth));
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// The place of an item: that of its value, if the value was replaced by an overlay, else that of its name.
pub(super) fn of_item(name: Span, value: &Node) -> Span {
    if value.replaced.is_some() { value.span } else { name }
}
