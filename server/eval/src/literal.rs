//! The meaning of string and number literals.

use std::ops::Range;

/// A decoded string literal.
#[derive(Clone, Debug, PartialEq)]
pub struct StringLiteral {
    /// The text it stands for.
    pub value: String,
    /// The value as bytes: escapes may spell bytes that are not valid text.
    pub spelled: Vec<u8>,
    /// Bytes of the content inside the quotes, relative to the literal's first byte.
    pub content: Range<usize>,
    /// The first escape Starlark refuses, relative to the literal's first byte.
    pub bad_escape: Option<Range<usize>>,
    /// A byte string `b"..."`: ytt has none.
    pub bytes: bool,
}

/// A literal on one line that stands for this text.
pub fn write_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Decodes a string literal as the lexer found it, closed or not.
pub fn read_string(literal: &str) -> StringLiteral {
    let prefix = literal.find(['"', '\'']).unwrap_or(literal.len());
    let (raw, bytes) = literal.get(..prefix).map_or((false, false), |p| (p.contains('r'), p.contains('b')));
    let quoted = literal.get(prefix..).unwrap_or("");
    let quote = quoted.get(..1).unwrap_or("\"");
    let triple = quote.repeat(3);
    let mark = if quoted.starts_with(&triple) { triple.as_str() } else { quote };
    let inner = quoted.get(mark.len()..).unwrap_or("");
    let inner = match inner.strip_suffix(mark) {
        // `"\"` is not closed, because its last quote is escaped.
        Some(stripped) if trailing_backslashes(stripped).is_multiple_of(2) => stripped,
        _ => inner,
    };
    let start = (prefix + mark.len()).min(literal.len());
    let mut bad_escape = None;
    let value = if raw {
        line_ends(inner).into_bytes()
    } else {
        unescape(inner, &mut |range| {
            bad_escape.get_or_insert(range.start + start..range.end + start);
        })
    };
    let text = String::from_utf8_lossy(&value).into_owned();
    StringLiteral { value: text, spelled: value, content: start..start + inner.len(), bad_escape, bytes }
}

/// The message for an escape that ytt refuses.
pub fn invalid_escape(escape: &str) -> String {
    format!("invalid escape sequence {escape} (write `\\\\` for a backslash, or a raw string: r\"...\")")
}

fn trailing_backslashes(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}

/// CRLF and CR inside a literal are one line feed.
fn line_ends(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

fn unescape(text: &str, refuse: &mut impl FnMut(Range<usize>)) -> Vec<u8> {
    // Escapes may spell single bytes of a character (`\xc3\xa9`).
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\r' => {
                at += if bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 };
                out.push(b'\n');
            }
            b'\\' => at = escape(text, at, &mut out, refuse),
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// Decodes the escape at `at` and returns the offset after it.
fn escape(text: &str, at: usize, out: &mut Vec<u8>, refuse: &mut impl FnMut(Range<usize>)) -> usize {
    let bytes = text.as_bytes();
    let simple = match bytes.get(at + 1) {
        Some(b'a') => 7,
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'v') => 11,
        Some(&byte @ (b'\\' | b'\'' | b'"')) => byte,
        Some(b'\n') => return at + 2,
        Some(b'\r') => {
            return if bytes.get(at + 2) == Some(&b'\n') { at + 3 } else { at + 2 };
        }
        Some(b'0'..=b'7') => {
            let digits = bytes.iter().skip(at + 1).take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            let value = text.get(at + 1..at + 1 + digits).and_then(|d| u32::from_str_radix(d, 8).ok()).unwrap_or(0);
            if value > 0xff {
                refuse(at..at + 1 + digits);
            }
            out.push((value & 0xff) as u8);
            return at + 1 + digits;
        }
        Some(b'x') => {
            let digits = text.get(at + 2..at + 4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let Some(value) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                refuse(at..at + 2);
                out.push(b'\\');
                return at + 1;
            };
            out.push(value);
            return at + 4;
        }
        _ => {
            // A backslash before any other character stands for itself, including `\u` and `\U` (docs/ytt.md 18).
            out.push(b'\\');
            return at + 1;
        }
    };
    out.push(simple);
    at + 2
}

/// A number literal's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A number with fraction or exponent.
    Float(f64),
    /// An integer that is too large to hold here.
    TooLarge,
    /// Not a valid number (`0x`, `12ab`).
    Invalid,
}

/// Reads an unsigned number literal: decimal, `0x`, `0o`, `0b`; no leading 0.
pub fn read_number(text: &str) -> Number {
    let lower = text.to_ascii_lowercase();
    let based = [("0x", 16), ("0o", 8), ("0b", 2)];
    for (prefix, radix) in based {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return integer(digits, radix);
        }
    }
    if lower.contains(['.', 'e']) {
        return lower.parse().map_or(Number::Invalid, Number::Float);
    }
    match lower.strip_prefix('0') {
        Some(zeros) if zeros.bytes().all(|digit| digit == b'0') => Number::Int(0),
        // ytt refuses `017`, an octal number of early Python, and wants `0o17`.
        Some(_) => Number::Invalid,
        None => integer(&lower, 10),
    }
}

fn integer(digits: &str, radix: u32) -> Number {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Number::Invalid;
    }
    i128::from_str_radix(digits, radix).map_or(Number::TooLarge, Number::Int)
}
