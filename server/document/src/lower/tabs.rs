//! Tabs on blank lines. YAML ignores them; yaml.v2, with which ytt reads, refuses some.

use crate::{FileId, Issue, Span};
use lofting_syntax::{Kind, Token, Tree};

/// The tabs on blank lines and before comments that yaml.v2 refuses. Outside brackets these are:
///
/// * after an unquoted scalar, which might continue there: tabs no deeper than the collection of the scalar;
/// * after anything else: all of them.
pub(super) fn blank_tabs(file: FileId, tree: &Tree) -> Vec<Issue> {
    let mut found = Vec::new();
    // The place of the last tab and what precedes it: the tabs of one gap share the answer.
    let mut last: Option<(usize, Before)> = None;
    for tab in tree.blank_tabs() {
        let Some(token) = tree.token_at(tab.start) else { continue };
        let before = match token.kind() {
            Kind::Whitespace => before(tree, tab.start, last),
            // An unquoted scalar on several lines.
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

/// What precedes a blank line.
#[derive(Clone, Copy)]
enum Before {
    /// An unquoted scalar, with the column of the collection around it, if there is one.
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
    // Indentation is short compared with what may precede it on the line.
    let before = tree.text(offset.saturating_sub(LONGEST)..offset);
    before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// How many bytes of indentation are looked at; deeper nesting is not read anyway.
const LONGEST: usize = 4096;
