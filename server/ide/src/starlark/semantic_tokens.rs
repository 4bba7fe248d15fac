//! Semantic tokens: annotations and code in comments, which editors would show as comments otherwise.

use lofting_document::FileId;
use lofting_eval::code::PieceKind;
use lofting_eval::{Token, TokenKind, is_keyword, lex};
use lofting_workspace::Snapshot;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// A coloured token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SemanticToken {
    /// Its bytes; never across a line break.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: SemanticKind,
}

/// The kind of a token in code. The names are those of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SemanticKind {
    /// `#@name` of an annotation.
    Decorator,
    /// `#@` before code.
    Macro,
    /// `if`, `end`, `None` and the like.
    Keyword,
    /// A name that is called.
    Function,
    /// Any other name.
    Variable,
    /// A name after a dot.
    Property,
    /// The name of an argument.
    Parameter,
    /// A string, or a line of one.
    String,
    /// A number.
    Number,
    /// A comment inside of code.
    Comment,
}

impl SemanticKind {
    /// All kinds, with their names in the protocol.
    pub const ALL: [(SemanticKind, &'static str); 10] = [
        (SemanticKind::Decorator, "decorator"),
        (SemanticKind::Macro, "macro"),
        (SemanticKind::Keyword, "keyword"),
        (SemanticKind::Function, "function"),
        (SemanticKind::Variable, "variable"),
        (SemanticKind::Property, "property"),
        (SemanticKind::Parameter, "parameter"),
        (SemanticKind::String, "string"),
        (SemanticKind::Number, "number"),
        (SemanticKind::Comment, "comment"),
    ];
}

/// The tokens of a file by position, all of them or those that a range touches.
pub fn semantic_tokens(snapshot: &Snapshot, file: FileId, range: Option<Range<usize>>) -> Vec<SemanticToken> {
    let (code, text) = (snapshot.code(file), snapshot.text(file));
    let range = range.unwrap_or(0..text.len());
    // A string of several lines may have begun above the range.
    let first = code.pieces.partition_point(|(piece, _)| piece.end < range.start);
    let begin = first.saturating_sub(LINES_ABOVE);
    let mut reader = Reader::default();
    for (piece, kind) in code.pieces.iter().skip(begin).take_while(|(piece, _)| piece.start <= range.end) {
        // Names are short; a line with much code in its strings is not searched for each piece.
        let line_start = text.line_range(text.line_of(piece.start)).start;
        let from = line_start.max(text.round_down(piece.start.saturating_sub(LONGEST_MARK)));
        reader.mark(&text.slice(from..piece.start), from, *kind);
        reader.piece(&text.slice(piece.clone()), piece.start, *kind);
    }
    let mut tokens = reader.tokens;
    tokens.retain(|token| token.range.end > range.start && token.range.start < range.end);
    tokens
}

/// How many bytes of `#@` with the name after it are coloured.
const LONGEST_MARK: usize = 200;

/// How many lines of code above a range are read.
const LINES_ABOVE: usize = 200;

#[derive(Default)]
struct Reader {
    tokens: Vec<SemanticToken>,
    /// The quotes of a string that continues on the next line.
    open: Option<&'static str>,
}

impl Reader {
    fn add(&mut self, range: Range<usize>, kind: SemanticKind) {
        if !range.is_empty() {
            self.tokens.push(SemanticToken { range, kind });
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
        let text_behind = text.get(from..).unwrap_or_default();
        let base = start + from;
        let tokens = lex(text_behind, base);
        let mut depth = usize::from(kind == PieceKind::Arguments);
        for (index, token) in tokens.iter().enumerate() {
            let around = (index.checked_sub(1).and_then(|before| tokens.get(before)), tokens.get(index + 1));
            let written = text_behind.get(token.range.start - base..token.range.end - base).unwrap_or_default();
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
    token: &Token,
    written: &str,
    (before, behind): (Option<&Token>, Option<&Token>),
    depth: usize,
) -> Option<SemanticKind> {
    let is =
        |token: Option<&Token>, sign: &'static str| token.is_some_and(|token| token.kind == TokenKind::Punct(sign));
    Some(match token.kind {
        TokenKind::Name if is_keyword(written) || ["None", "True", "False"].contains(&written) => SemanticKind::Keyword,
        TokenKind::Name if is(behind, "(") => SemanticKind::Function,
        TokenKind::Name if is(before, ".") => SemanticKind::Property,
        TokenKind::Name if depth > 0 && is(behind, "=") => SemanticKind::Parameter,
        TokenKind::Name => SemanticKind::Variable,
        TokenKind::Int | TokenKind::Float => SemanticKind::Number,
        TokenKind::String { .. } => SemanticKind::String,
        TokenKind::Comment => SemanticKind::Comment,
        TokenKind::Punct(_) | TokenKind::Newline | TokenKind::Unknown => return None,
    })
}
