//! Finds quoted and flow scalars whose lines are not deeper than the key or dash they belong to.

use crate::kind::Kind;
use crate::tree::{Element, Node, Tree};
use std::ops::Range;

/// A quoted scalar or flow collection with lines too far left for the grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooseValue {
    /// The value.
    pub range: Range<usize>,
    /// The column of its key or dash, from 0: its lines have to be further right.
    pub column: usize,
    /// The leading white space of those lines, which may be empty.
    pub lines: Vec<Range<usize>>,
    /// What the first of them holds of the value.
    pub first: Range<usize>,
}

impl Tree {
    /// All such values, in order; there are none unless [`Tree::is_loose`].
    pub fn loose_values(&self) -> Vec<LooseValue> {
        if !self.is_loose() {
            return Vec::new();
        }
        let text = self.to_text();
        let mut found = Vec::new();
        let mut open = vec![self.root().children()];
        while let Some(children) = open.last_mut() {
            match children.next() {
                None => drop(open.pop()),
                Some(Element::Node(node)) if matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry) => {
                    let own = value_parts(&node).filter_map(|range| loose(&text, node.range().start, range));
                    found.extend(own);
                    open.push(node.children());
                }
                // Values in brackets have no columns of their own.
                Some(Element::Node(node)) if matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq) => {}
                Some(Element::Node(node)) => open.push(node.children()),
                Some(Element::Token(_)) => {}
            }
        }
        found
    }
}

/// The quoted scalars and flow collections directly in an entry.
fn value_parts<'t>(entry: &Node<'t>) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let is_value = |kind| matches!(kind, Kind::SingleQuoted | Kind::DoubleQuoted | Kind::FlowMap | Kind::FlowSeq);
    entry.children().filter(move |child| is_value(child.kind())).map(|child| child.range())
}

/// The value in `range`, if one of its lines is not deeper than the entry that begins at `start`.
fn loose(text: &str, start: usize, range: Range<usize>) -> Option<LooseValue> {
    let column = start - text.get(..start)?.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let mut lines = Vec::new();
    let mut first = range.clone();
    let mut at = range.start;
    while let Some(line_end) = text.get(at..range.end).and_then(|rest| rest.find('\n')) {
        at += line_end + 1;
        let line = text.get(at..range.end).unwrap_or_default();
        let content = line.trim_start_matches([' ', '\t']);
        let depth = line.len() - content.len();
        // Tabs do not indent.
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let is_blank = content.starts_with(['\n', '\r']);
        if spaces <= column && !is_blank {
            if lines.is_empty() {
                let written = content.lines().next().unwrap_or_default().trim_end();
                first = at + depth..at + depth + written.len();
            }
            lines.push(at..at + depth);
        }
    }
    (!lines.is_empty()).then_some(LooseValue { range, column, lines, first })
}
