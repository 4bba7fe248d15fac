//! The tokens of annotations and of code in comments, which editors would show as comments otherwise.

use crate::token_kinds::{SemanticKind, Stretch};
use lofting_document::FileId;
use lofting_eval::code::PieceKind;
use lofting_eval::{Token as CodeToken, TokenKind, is_keyword, lex};
use lofting_syntax::Token;
use lofting_workspace::Snapshot;
use std::ops::Range;

/// The tokens of the code in the pieces that a part of a file (bytes) touches.
pub(crate) fn code_tokens(snapshot: &Snapshot, file: FileId, part: &Range<usize>) -> Vec<Stretch> {
    let (code, text) = (snapshot.code(file), snapshot.text(file));
    if code.is_empty() {
        return annotations(snapshot, file, part);
    }
    // A string of several lines may begin above the part.
    let first = code.pieces.partition_point(|(piece, _)| piece.end < part.start);
    let begin = first.saturating_sub(LINES_ABOVE);
    let mut reader = TokenReader::default();
    for (piece, kind) in code.pieces.iter().skip(begin).take_while(|(piece, _)| piece.start <= part.end) {
        // Names are short; a line with much code in its strings is not searched for each piece.
        let line_start = text.line_range(text.line_of(piece.start)).start;
        let from = line_start.max(text.round_down(piece.start.saturating_sub(LONGEST_MARK)));
        reader.mark(&text.slice(from..piece.start), from, *kind);
        reader.piece(&text.slice(piece.clone()), piece.start, *kind);
    }
    reader.tokens
}

/// The annotations of a file without code.
fn annotations(snapshot: &Snapshot, file: FileId, part: &Range<usize>) -> Vec<Stretch> {
    let tree = snapshot.tree(file);
    // An annotation that a part touches may begin above it.
    let from = part.start.saturating_sub(LONGEST_MARK);
    let mark = |comment: Token<'_>| {
        let text = comment.text();
        let length = text.find(char::is_whitespace).unwrap_or(text.len());
        let start = comment.range().start;
        (text.starts_with("#@") && length > 2).then(|| Stretch::new(start..start + length, SemanticKind::Decorator))
    };
    tree.comments_in(from..part.end).filter_map(mark).collect()
}

/// How many bytes of `#@` with the name after it are coloured.
const LONGEST_MARK: usize = 200;

/// How many lines of code above a range are read.
const LINES_ABOVE: usize = 200;

#[derive(Default)]
struct TokenReader {
    tokens: Vec<Stretch>,
    /// The quotes of a string that continues on the next line.
    open: Option<&'static str>,
}

impl TokenReader {
    fn add(&mut self, range: Range<usize>, kind: SemanticKind) {
        if !range.is_empty() {
            self.tokens.push(Stretch::new(range, kind));
        }
    }

    /// The `#@` before a piece, with the name of an annotation. Code in strings has none.
    fn mark(&mut self, before: &str, start: usize, kind: PieceKind) {
        let Some(at) = before.rfind("#@") else { return };
        let mark = before.get(at..).unwrap_or_default().trim_end();
        if mark.contains(' ') {
            return;
        }
        let kind = if kind == PieceKind::Arguments { SemanticKind::Decorator } else { SemanticKind::Macro };
        self.add(start + at..start + at + mark.len(), kind);
    }

    fn piece(&mut self, text: &str, start: usize, kind: PieceKind) {
        let mut from = 0;
        if let Some(quotes) = self.open.take().filter(|_| kind == PieceKind::Code) {
            let end = text.find(quotes).map(|at| at + quotes.len());
            let blank = text.len() - text.trim_start().len();
            self.add(start + blank..start + end.unwrap_or(text.len()), SemanticKind::String);
            let Some(end) = end else {
                self.open = Some(quotes);
                return;
            };
            from = end;
        }
        let text_after = text.get(from..).unwrap_or_default();
        let base = start + from;
        let tokens = lex(text_after, base);
        let mut depth = usize::from(kind == PieceKind::Arguments);
        for (index, token) in tokens.iter().enumerate() {
            let around = (index.checked_sub(1).and_then(|before| tokens.get(before)), tokens.get(index + 1));
            let written = text_after.get(token.range.start - base..token.range.end - base).unwrap_or_default();
            match token.kind {
                TokenKind::Punct("(" | "[" | "{") => depth += 1,
                TokenKind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
                TokenKind::String { closed: false } => {
                    self.open = ["\"\"\"", "'''"].into_iter().find(|quotes| written.contains(quotes));
                }
                _ => {}
            }
            if let Some(kind) = kind_of(token, written, around, depth) {
                self.add(token.range.clone(), kind);
            }
        }
    }
}

/// The kind of a token according to itself and its neighbours; `None` for operators and brackets.
fn kind_of(
    token: &CodeToken,
    written: &str,
    (before, after): (Option<&CodeToken>, Option<&CodeToken>),
    depth: usize,
) -> Option<SemanticKind> {
    let is =
        |token: Option<&CodeToken>, sign: &'static str| token.is_some_and(|token| token.kind == TokenKind::Punct(sign));
    Some(match token.kind {
        TokenKind::Name if is_keyword(written) || ["None", "True", "False"].contains(&written) => SemanticKind::Keyword,
        TokenKind::Name if is(after, "(") => SemanticKind::Function,
        TokenKind::Name if is(before, ".") => SemanticKind::Property,
        TokenKind::Name if depth > 0 && is(after, "=") => SemanticKind::Parameter,
        TokenKind::Name => SemanticKind::Variable,
        TokenKind::Int | TokenKind::Float => SemanticKind::Number,
        TokenKind::String { .. } => SemanticKind::String,
        TokenKind::Comment => SemanticKind::Comment,
        TokenKind::Punct(_) | TokenKind::Newline | TokenKind::Unknown => return None,
    })
}
