//! The tokens of an expression.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, a keyword, or a name in backticks.
    Word,
    /// An integer, with or without sign.
    Integer,
    /// A number with a fraction or an exponent.
    Float,
    /// Text in quotes.
    Text,
    /// Bytes in quotes.
    Bytes,
    /// Text without its closing quote.
    OpenText,
    /// One of [`SIGNS`].
    Sign,
    /// A character that is not allowed in expressions.
    Stray,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes.
    pub range: Range<usize>,
}

/// Signs, longer ones first.
const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", ".?", "[?", "{?", "+", "-", "*", "/", "%", "<", ">", "!", "?", ":", ".", ",",
    "(", ")", "[", "]", "{", "}",
];

/// The tokens of a text, without blanks and comments.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        if matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{c}') {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = token(rest, c);
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens
}

/// The kind and length of the first token of a text, which begins with `c`.
fn token(rest: &str, c: char) -> (TokenKind, usize) {
    if let Some(found) = quoted(rest) {
        return found;
    }
    if is_name_start(c) {
        return (TokenKind::Word, rest.find(|c| !is_name_part(c)).unwrap_or(rest.len()));
    }
    if c == '`' {
        let inner = rest.get(1..).unwrap_or_default();
        let end = inner.find(['`', '\n']);
        return match end.filter(|end| inner.get(*end..).is_some_and(|rest| rest.starts_with('`'))) {
            Some(end) => (TokenKind::Word, end + 2),
            None => (TokenKind::Stray, 1),
        };
    }
    let begins_fraction = c == '.' && rest.chars().nth(1).is_some_and(|next| next.is_ascii_digit());
    if c.is_ascii_digit() || begins_fraction {
        return number(rest);
    }
    // `a ? .5 : b` is not an optional selection, nor is `a ?.b : c`.
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => (TokenKind::Sign, sign.len()),
        None => (TokenKind::Stray, c.len_utf8()),
    }
}

pub(crate) fn is_name_start(c: char) -> bool {
    c == '_' || c.is_ascii_alphabetic()
}

pub(crate) fn is_name_part(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

fn number(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let digits = |from: usize, is_digit: fn(&u8) -> bool| {
        bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| is_digit(byte)).count())
    };
    let unsigned = |end: usize| end + usize::from(matches!(bytes.get(end), Some(b'u' | b'U')));
    if rest.starts_with("0x") || rest.starts_with("0X") {
        return (TokenKind::Integer, unsigned(2 + digits(2, u8::is_ascii_hexdigit)));
    }
    let whole = digits(0, u8::is_ascii_digit);
    let mut end = whole;
    let mut is_float = false;
    // `1.a` selects a field; `1.` is a half-typed number.
    let fraction = digits(end + 1, u8::is_ascii_digit);
    if bytes.get(end) == Some(&b'.') && fraction > 0 {
        is_float = true;
        end += 1 + fraction;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign, u8::is_ascii_digit);
        if exponent > 0 {
            is_float = true;
            end += 1 + sign + exponent;
        }
    }
    if is_float { (TokenKind::Float, end) } else { (TokenKind::Integer, unsigned(end)) }
}

/// The bytes between the quotes of a string, which may lack its closing ones.
pub(crate) fn between_quotes(literal: &str) -> Range<usize> {
    let start = literal.find(['"', '\'']).unwrap_or(literal.len());
    let body = literal.get(start..).unwrap_or_default();
    let quote = body.get(..1).unwrap_or_default();
    let triple = quote.repeat(3);
    let quotes = if !quote.is_empty() && body.starts_with(&triple) { triple.as_str() } else { quote };
    let start = start + quotes.len();
    let inner = literal.get(start..).unwrap_or_default();
    start..start + inner.strip_suffix(quotes).unwrap_or(inner).len()
}

/// A string or bytes literal: `"a"`, `'a'`, `"""a"""`, with prefixes `r` and `b`.
fn quoted(rest: &str) -> Option<(TokenKind, usize)> {
    let prefix = rest.bytes().take(2).take_while(|byte| matches!(byte, b'r' | b'R' | b'b' | b'B')).count();
    let letters = rest.get(..prefix)?.to_ascii_lowercase();
    if !rest.get(prefix..)?.starts_with(['"', '\'']) || matches!(letters.as_str(), "rr" | "bb") {
        return None;
    }
    let body = rest.get(prefix..)?;
    let quote = body.get(..1)?;
    let triple = quote.repeat(3);
    let closing = if body.starts_with(&triple) { triple.as_str() } else { quote };
    let (is_raw, is_long) = (letters.contains('r'), closing.len() == 3);
    let mut at = closing.len();
    while let Some(c) = body.get(at..).and_then(|rest| rest.chars().next()) {
        if body.get(at..).is_some_and(|rest| rest.starts_with(closing)) {
            let kind = if letters.contains('b') { TokenKind::Bytes } else { TokenKind::Text };
            return Some((kind, prefix + at + closing.len()));
        }
        if c == '\n' && !is_long {
            break;
        }
        at += c.len_utf8();
        if c == '\\' && !is_raw {
            at += body.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        }
    }
    Some((TokenKind::OpenText, prefix + at.min(body.len())))
}
