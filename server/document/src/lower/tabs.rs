//! Tabs on blank lines. YAML passes over them; yaml.v2, with which ytt reads, does not everywhere.

use crate::{FileId, Issue, Span};
use lofting_syntax::{Kind, Token, Tree};

/// The tabs on blank lines and before comments that yaml.v2 refuses: outside of brackets, and
///
/// * behind an unquoted scalar, which might go on there, those that are not deeper than the collection it stands in;
/// * behind anything else, all.
pub(super) fn blank_tabs(file: FileId, tree: &Tree) -> Vec<Issue> {
    let mut found = Vec::new();
    // Where the last one stood, and what is before it: many in one gap ask for that once.
    let mut last: Option<(usize, Before)> = None;
    for tab in tree.blank_tabs() {
        let Some(token) = tree.token_at(tab.start) else { continue };
        let before = match token.kind() {
            Kind::Whitespace => before(tree, tab.start, last),
            // An unquoted scalar of several lines.
            Kind::Plain => Before::Plain(column_around(tree, token)),
            _ => continue,
        };
        last = Some((tab.start, before));
        let refused = match before {
            Before::Plain(column) => column.is_some_and(|column| column_of(tree, tab.start) <= column),
            Before::Other => true,
        };
        if refused && !is_in_flow(tree, tab.start) {
            found.push(Issue::BlankTab { span: Span::new(file, tab) });
        }
    }
    found
}

/// What stands before a blank line.
#[derive(Clone, Copy)]
enum Before {
    /// An unquoted scalar, in a collection at this column if in any.
    Plain(Option<usize>),
    Other,
}

fn before(tree: &Tree, mut at: usize, last: Option<(usize, Before)>) -> Before {
    while let Some(token) = at.checked_sub(1).and_then(|at| tree.token_at(at)) {
        if let Some((_, known)) = last.filter(|(place, _)| token.range().contains(place)) {
            return known;
        }
        match token.kind() {
            Kind::Whitespace | Kind::Newline => at = token.range().start,
            Kind::Plain => return Before::Plain(column_around(tree, token)),
            _ => return Before::Other,
        }
    }
    Before::Other
}

/// The column of the innermost block collection around a scalar.
fn column_around(tree: &Tree, token: Token<'_>) -> Option<usize> {
    let path = tree.path_at(token.range().start);
    let around = path.iter().rev().find(|node| matches!(node.kind(), Kind::BlockMap | Kind::BlockSeq))?;
    Some(column_of(tree, around.range().start))
}

fn is_in_flow(tree: &Tree, at: usize) -> bool {
    let is_flow = |node: &lofting_syntax::Node<'_>| matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq);
    tree.path_at(at).iter().any(|node| is_flow(node) && node.content_end() > at)
}

/// Bytes between the beginning of the line and an offset.
fn column_of(tree: &Tree, offset: usize) -> usize {
    // Indentation is short, whatever stands before it.
    let before = tree.text(offset.saturating_sub(LONGEST)..offset);
    before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// Indentation that is looked at: deeper is beyond what is read.
const LONGEST: usize = 4096;
