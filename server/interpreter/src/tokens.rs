//! Tokens with their texts, and with the beginnings and ends of indented blocks.

use lofting_eval::{Token, TokenKind, lex};

use crate::code::Range;
use crate::failure::{Failure, FailureKind, Result};

/// What the parser looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Symbol<'a> {
    /// A name that is not a keyword.
    Name(&'a str),
    /// A keyword, an operator or a bracket.
    Word(&'static str),
    /// A string literal as written.
    String(&'a str),
    /// A number as written.
    Number(&'a str),
    /// The end of a logical line.
    Newline,
    /// A block begins.
    Indent,
    /// A block ends.
    Dedent,
    /// The text ends.
    End,
}

/// The words that have a meaning of their own.
const KEYWORDS: [&str; 16] = [
    "and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load", "not", "or", "pass",
    "return", "while",
];

/// The symbols of a text.
///
/// # Errors
///
/// Lines are indented inconsistently, or a string is not closed.
pub(crate) fn symbols(text: &str, file: u32) -> Result<Vec<(Symbol<'_>, Range)>> {
    let mut reader = Reader { text, symbols: Vec::new(), depth: 0, indents: vec![0], line_begins: true, file };
    let tokens = lex(text, 0);
    for token in &tokens {
        reader.token(token)?;
    }
    let end = range(text.len()..text.len());
    if !reader.line_begins && reader.depth == 0 {
        reader.symbols.push((Symbol::Newline, end));
    }
    for _ in 1..reader.indents.len() {
        reader.symbols.push((Symbol::Dedent, end));
    }
    reader.symbols.push((Symbol::End, end));
    Ok(reader.symbols)
}

fn range(range: std::ops::Range<usize>) -> Range {
    Range { start: range.start as u32, end: range.end as u32 }
}

struct Reader<'a> {
    text: &'a str,
    symbols: Vec<(Symbol<'a>, Range)>,
    /// How many brackets are open: inside them, line ends and indentation mean nothing.
    depth: usize,
    indents: Vec<usize>,
    line_begins: bool,
    file: u32,
}

impl<'a> Reader<'a> {
    fn token(&mut self, token: &Token) -> Result<()> {
        let place = range(token.range.clone());
        let text = self.text.get(token.range.clone()).unwrap_or("");
        let symbol = match token.kind {
            TokenKind::Comment => return Ok(()),
            TokenKind::Newline => {
                if self.depth == 0 && !self.line_begins {
                    self.symbols.push((Symbol::Newline, place));
                    self.line_begins = true;
                }
                return Ok(());
            }
            TokenKind::Name => match KEYWORDS.iter().find(|keyword| **keyword == text) {
                Some(keyword) => Symbol::Word(keyword),
                None => Symbol::Name(text),
            },
            TokenKind::Int | TokenKind::Float => Symbol::Number(text),
            TokenKind::String { closed: false } => {
                return Err(self.failure("unexpected end of string: it is never closed", place));
            }
            TokenKind::String { .. } => Symbol::String(text),
            TokenKind::Unknown => return Err(self.failure(&format!("unexpected input character '{text}'"), place)),
            TokenKind::Punct(sign) => {
                match sign {
                    "(" | "[" | "{" => self.depth += 1,
                    ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                Symbol::Word(sign)
            }
        };
        if self.line_begins {
            self.line_begins = false;
            self.indent(token.range.start, place)?;
        }
        self.symbols.push((symbol, place));
        Ok(())
    }

    fn indent(&mut self, start: usize, place: Range) -> Result<()> {
        let before = self.text.get(..start).unwrap_or("");
        let width = start - before.rfind('\n').map_or(0, |at| at + 1);
        let here = Range { start: place.start, end: place.start };
        if width > self.indents.last().copied().unwrap_or(0) {
            self.indents.push(width);
            self.symbols.push((Symbol::Indent, here));
            return Ok(());
        }
        while self.indents.last().is_some_and(|indent| *indent > width) {
            self.indents.pop();
            self.symbols.push((Symbol::Dedent, here));
        }
        match self.indents.last() {
            Some(indent) if *indent == width => Ok(()),
            _ => Err(self.failure("unindent does not match any outer indentation level", place)),
        }
    }

    fn failure(&self, message: &str, place: Range) -> Failure {
        Failure::new(FailureKind::Syntax, message).at(place.of(self.file))
    }
}

/// How messages name a symbol.
pub(crate) fn described(symbol: Symbol<'_>) -> String {
    match symbol {
        Symbol::Name(_) => "identifier".to_owned(),
        Symbol::Word(word) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => word.to_owned(),
        Symbol::Word(word) => format!("'{word}'"),
        Symbol::String(_) => "string literal".to_owned(),
        Symbol::Number(text) if text.contains(['.', 'e', 'E']) && !text.starts_with("0x") => "float literal".to_owned(),
        Symbol::Number(_) => "int literal".to_owned(),
        Symbol::Newline => "newline".to_owned(),
        Symbol::Indent => "indent".to_owned(),
        Symbol::Dedent => "outdent".to_owned(),
        Symbol::End => "end of file".to_owned(),
    }
}
