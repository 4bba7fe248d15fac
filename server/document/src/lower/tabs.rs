//! Tabs among the indentation and on blank lines. YAML ignores many of them; yaml.v2, with which ytt reads, refuses some.

use crate::{FileId, Issue, Span};
use lofting_syntax::{Kind, Token, Tree};

/// The tabs that yaml.v2 refuses at the beginning of a line. Between brackets these are only the first ones, elsewhere
/// all of these:
///
/// * after an unquoted scalar, which might continue there: tabs no deeper than the block collection around the scalar;
/// * in a block scalar: tabs before its first text, and tabs that are less deep than its text;
/// * after anything else: all of them, including those after a dash or question mark.
pub(super) fn leading_tabs(file: FileId, tree: &Tree) -> Vec<Issue> {
    let mut found = Vec::new();
    // The place of the last tab and what precedes it: the tabs of one gap share the answer.
    let mut last: Option<(usize, Before)> = None;
    // The block scalar of the last tab: all of its tabs share its indentation.
    let mut body: Option<(usize, Indentation)> = None;
    for tab in tree.leading_tabs() {
        let Some(token) = tree.token_at(tab.start) else { continue };
        if token.kind() == Kind::BlockBody {
            let start = token.range().start;
            let known = body.filter(|(place, _)| *place == start).map(|(_, known)| known);
            let indentation = known.unwrap_or_else(|| Indentation::of(tree, token));
            body = Some((start, indentation));
            if tab.start < indentation.text || column_of(tree, tab.start) < indentation.column {
                found.push(Issue::BlankTab { span: Span::new(file, tab) });
            }
            continue;
        }
        let before = match token.kind() {
            // After the marker of a document and before a value, a tab is white space.
            Kind::Whitespace if !may_begin_key(tree, token.range().start) => continue,
            Kind::Whitespace if is_followed_by_text(tree, tab.end) && !is_in_flow(tree, tab.start) => Before::Other,
            Kind::Whitespace => before(tree, tab.start, last),
            // An unquoted scalar on several lines.
            Kind::Plain => Before::Plain(column_around(tree, token)),
            _ => continue,
        };
        last = Some((tab.start, before));
        let refused = match before {
            Before::Plain(column) => column.is_some_and(|column| column_of(tree, tab.start) <= column),
            Before::Other => !is_in_flow(tree, tab.start),
        };
        if refused {
            found.push(Issue::BlankTab { span: Span::new(file, tab) });
        }
    }
    if !found.is_empty() {
        // The parser itself refuses tabs where they stand for the indentation of text.
        let reported: Vec<_> = tree.errors().into_iter().map(|error| error.range).collect();
        found.retain(|issue| {
            let tab = issue.span().range();
            !is_followed_by_text(tree, tab.end) || !reported.iter().any(|range| touches(range, &tab))
        });
    }
    found
}

fn touches(one: &std::ops::Range<usize>, other: &std::ops::Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// Whether a key could begin where white space begins: at the start of a line, after a dash or question mark, and after a
/// colon that begins its line.
fn may_begin_key(tree: &Tree, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|at| tree.token_at(at)) else { return true };
    match before.kind() {
        // With `+`, a block scalar has the break of its last line.
        Kind::Newline | Kind::BlockBody | Kind::Dash | Kind::Question => true,
        Kind::Colon => {
            let start = before.range().start;
            let line = tree.text(start.saturating_sub(LONGEST)..start);
            line.rsplit(['\n', '\r'])
                .next()
                .is_some_and(|line| line.chars().all(|c| matches!(c, ' ' | '\t' | '-' | '?')))
        }
        _ => false,
    }
}

fn is_followed_by_text(tree: &Tree, at: usize) -> bool {
    !matches!(tree.text(at..tree.len().min(at + 1)).as_bytes(), [] | [b'\n' | b'\r' | b'#'])
}

/// How deep the lines of a block scalar are.
#[derive(Clone, Copy)]
struct Indentation {
    /// Where the text begins that decides the indentation: before it, a tab is taken for indentation. The start of the
    /// lines if the header gives the indentation.
    text: usize,
    /// The spaces at the beginning of each line.
    column: usize,
}

impl Indentation {
    fn of(tree: &Tree, body: Token<'_>) -> Self {
        let start = body.range().start;
        let written = tree.scalar_at(start).and_then(|scalar| {
            let header = tree.text(scalar.range().start..start);
            header.bytes().skip(1).take(2).find(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0'))
        });
        if let Some(written) = written {
            let around = column_around(tree, body).unwrap_or_default();
            return Indentation { text: start, column: around + written };
        }
        let lines = body.text();
        let text = lines.find(|c| !matches!(c, ' ' | '\t' | '\n' | '\r'));
        let Some(text) = text else {
            return Indentation { text: body.range().end, column: 0 };
        };
        let line = lines[..text].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let column = lines[line..text].bytes().take_while(|byte| *byte == b' ').count();
        // The first line may be cut off before its indentation.
        let cut = if line == 0 { column_of(tree, start) } else { 0 };
        Indentation { text: start + text, column: cut + column }
    }
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

/// The column of the innermost block collection around a scalar; brackets have no column of their own.
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
