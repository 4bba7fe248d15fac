//! Pieces of code as logical lines of tokens.

use super::{Piece, PieceKind};
use crate::lexer::{TokenKind, lex};
use std::ops::Range;

/// A token with its text.
#[derive(Clone, Debug)]
pub(super) struct Tok<'a> {
    pub kind: TokenKind,
    pub range: Range<usize>,
    pub text: &'a str,
}

/// A statement, or several with `;` between them, in one or more pieces.
pub(super) struct Line<'a> {
    pub kind: PieceKind,
    pub tokens: Vec<Tok<'a>>,
    /// Bytes from the first piece to the end of the last.
    pub range: Range<usize>,
    pub node_end: usize,
    /// A string in it begins in one piece and ends in another.
    pub has_split_string: bool,
}

/// Joins pieces into logical lines: a statement continues while a bracket or a triple-quoted string is open, or after a
/// backslash at the line end (docs/ytt.md 7.1).
pub(super) fn lines<'a>(pieces: &[Piece<'a>]) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    let mut open = Open::default();
    for piece in pieces {
        lofting_memo::step();
        let continues = open.continues() && piece.follows && piece.kind == PieceKind::Code;
        let mut tokens = Vec::new();
        let mut at = 0;
        let in_string = continues && open.string.is_some();
        if let Some(mark) = open.string.filter(|_| continues) {
            match end_of_string(piece.text, mark) {
                Some(end) => {
                    at = end;
                    open.string = None;
                }
                None => {
                    at = piece.text.len();
                    let goes_on = mark.len() == 3 || piece.text.trim_end().ends_with('\\');
                    open.string.take_if(|_| !goes_on);
                }
            }
        }
        for token in lex(piece.text.get(at..).unwrap_or(""), piece.start + at) {
            lofting_memo::step();
            let text = token.range.start - piece.start..token.range.end - piece.start;
            tokens.push(Tok { kind: token.kind, range: token.range, text: piece.text.get(text).unwrap_or("") });
        }
        tokens.retain(|token| token.kind != TokenKind::Comment);
        // With a forgotten closing bracket, the rest of the file must not count as inside it.
        let goes_on = continues && (open.backslash || at > 0 || !begins_statement(&tokens));
        if !goes_on {
            open.depth = 0;
        }
        open.backslash = false;
        let range = piece.start..piece.start + piece.text.len();
        open.read(&mut tokens);
        match lines.last_mut().filter(|_| goes_on) {
            Some(line) => {
                line.tokens.append(&mut tokens);
                line.range.end = range.end;
                line.node_end = piece.node_end;
                line.has_split_string |= in_string;
            }
            None => lines.push(Line {
                kind: piece.kind,
                tokens,
                range,
                node_end: piece.node_end,
                has_split_string: in_string,
            }),
        }
        if piece.kind != PieceKind::Code {
            open = Open::default();
        }
    }
    lines
}

/// The brackets and strings that are open at the end of a piece.
#[derive(Default)]
struct Open {
    depth: usize,
    /// The quotes of the string that continues: a triple-quoted one, or one with a backslash at its line end.
    string: Option<&'static str>,
    backslash: bool,
}

impl Open {
    fn continues(&self) -> bool {
        self.depth > 0 || self.string.is_some() || self.backslash
    }

    fn read(&mut self, tokens: &mut Vec<Tok<'_>>) {
        for token in tokens.iter() {
            match token.kind {
                TokenKind::Punct("(" | "[" | "{") => self.depth += 1,
                TokenKind::Punct(")" | "]" | "}") => self.depth = self.depth.saturating_sub(1),
                TokenKind::String { closed: false } => {
                    let quoted = token.text.trim_start_matches(['r', 'b']);
                    let goes_on = |mark: &&str| mark.len() == 3 || token.text.trim_end().ends_with('\\');
                    let marks = ["\"\"\"", "'''", "\"", "'"];
                    self.string = marks.into_iter().find(|mark| quoted.starts_with(mark)).filter(goes_on);
                }
                _ => {}
            }
        }
        if tokens.last().is_some_and(|last| last.kind == TokenKind::Unknown && last.text == "\\") {
            tokens.pop();
            self.backslash = true;
        }
    }
}

/// The end of a string that began before `text`: after its closing quotes.
fn end_of_string(text: &str, mark: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if text[at..].starts_with(mark) => return Some(at + mark.len()),
            _ => {}
        }
    }
    None
}

/// Whether a line begins with a word that can only begin a statement, or that must do so here, judging by how the line
/// ends.
fn begins_statement(tokens: &[Tok<'_>]) -> bool {
    let Some(first) = tokens.first() else { return false };
    let ends_with_colon = tokens.last().is_some_and(|last| last.kind == TokenKind::Punct(":"));
    match first.text {
        "def" | "end" | "load" | "return" | "elif" | "break" | "continue" => true,
        "if" | "for" | "else" | "while" => ends_with_colon,
        _ => false,
    }
}
