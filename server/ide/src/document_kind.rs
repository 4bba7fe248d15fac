//! The kind of a document according to its annotations, read only from the comments around its marker.

use crate::significant::{significant_after, significant_before};
use lofting_annotation::catalog::{Vocabulary, proposed_heads};
use lofting_annotation::{CommentKind, read_comment};
use lofting_syntax::{Document, Kind, Tree};
use lofting_text::Text;
use std::ops::Range;

/// What a document is for ytt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    /// `#@data/values-schema`, or a head of the design proposals.
    Schema(Vocabulary),
    /// `#@data/values`
    Values,
    /// Neither a schema nor data values.
    Other,
}

/// At most this many tokens of white space and comments above a marker are read.
const MAX_TOKENS: usize = 5_000;

/// The kind of `document`. Comments from `except` on (the one being typed) are ignored.
pub(crate) fn document_kind(tree: &Tree, document: Document<'_>, except: Option<usize>) -> DocumentKind {
    // Without a marker comments belong to the first key (docs/ytt.md 5.2).
    let Some(marker) = document.start_marker() else { return DocumentKind::Other };
    let mut kind = DocumentKind::Other;
    for (start, text) in comments_of_marker(tree, marker.range()) {
        if Some(start) == except {
            continue;
        }
        if let CommentKind::Annotation(annotation) = read_comment(&text, start).kind {
            match annotation.name.as_str() {
                "data/values-schema" => return DocumentKind::Schema(Vocabulary::Shipped),
                "data/values" => kind = DocumentKind::Values,
                name if proposed_heads().any(|head| head.name == name) => {
                    return DocumentKind::Schema(Vocabulary::Proposed);
                }
                _ => {}
            }
        }
    }
    kind
}

impl DocumentKind {
    /// The vocabulary of its annotations.
    pub fn vocabulary(self) -> Vocabulary {
        match self {
            DocumentKind::Schema(vocabulary) => vocabulary,
            DocumentKind::Values | DocumentKind::Other => Vocabulary::Shipped,
        }
    }
}

/// The document to which a comment belongs, or whose marker it is above.
pub(crate) fn document_of_comment<'t>(tree: &'t Tree, text: &Text, comment: &Range<usize>) -> Option<Document<'t>> {
    let next = significant_after(tree, text, comment.end);
    let before = significant_before(tree, text, comment.start);
    let document_at = |offset| tree.path_at(offset).into_iter().find_map(Document::cast);
    match (next, before) {
        (Some(next), _) if next.kind() == Kind::DocStart => document_at(next.range().start),
        (_, Some(before)) => document_at(before.range().start),
        (Some(next), None) => document_at(next.range().start),
        (None, None) => None,
    }
}

/// The comments that a document owns: those between the last node above its marker and the marker, and the one after
/// the marker.
fn comments_of_marker(tree: &Tree, marker: Range<usize>) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let mut end = marker.start;
    // A comment after a node on the same line belongs to that node.
    let mut on_this_line = 0;
    for _ in 0..MAX_TOKENS {
        if end == 0 {
            break;
        }
        let Some(token) = tree.token_at(end - 1) else { break };
        match token.kind() {
            Kind::Comment => {
                comments.push((token.range().start, token.text().into_owned()));
                on_this_line += 1;
            }
            Kind::Newline => on_this_line = 0,
            kind if kind.is_trivia() => {}
            _ => {
                comments.truncate(comments.len() - on_this_line);
                break;
            }
        }
        end = token.range().start.min(end - 1);
    }
    let mut start = marker.end;
    while let Some(token) = tree.token_at(start).filter(|token| token.range().start >= start) {
        match token.kind() {
            Kind::Comment => comments.push((token.range().start, token.text().into_owned())),
            Kind::Whitespace => {}
            _ => break,
        }
        start = token.range().end.max(start + 1);
    }
    comments
}
