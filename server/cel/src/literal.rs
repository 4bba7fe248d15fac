//! What literals stand for.

use crate::value::Value;
use std::fmt;
use std::ops::Range;

/// Why a literal stands for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteralError {
    /// It is not a number that a floating point number or 64 bits can hold.
    Number,
    /// It is not an integer that 64 bits can hold.
    Integer,
    /// There are no digits after `0x`.
    NoDigits,
    /// There is a minus sign before an unsigned integer.
    Negative,
    /// There is an escaped character in bytes.
    CharacterInBytes,
    /// An escape ends too early.
    NoEscapeDigits,
    /// An escape has a number that no character has.
    NoCharacter,
    /// There is something else after a backslash.
    NoEscape,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LiteralError::Number => "the number is too large",
            LiteralError::Integer => "the integer is too large",
            LiteralError::NoDigits => "digits are missing",
            LiteralError::Negative => "an unsigned integer cannot be negative",
            LiteralError::CharacterInBytes => "bytes have no characters as `\\u…`",
            LiteralError::NoEscapeDigits => "digits are missing in the escape",
            LiteralError::NoCharacter => "there is no character with this number",
            LiteralError::NoEscape => "there is no such escape",
        })
    }
}

impl std::error::Error for LiteralError {}

/// The value of a number as it is written; `negative` if a minus sign is before it.
pub fn number(written: &str, negative: bool) -> Result<Value, LiteralError> {
    let (digits, is_unsigned) = match written.strip_suffix(['u', 'U']) {
        Some(digits) => (digits, true),
        None => (written, false),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    if hexadecimal.is_none() && written.contains(['.', 'e', 'E']) {
        let number = written.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or(LiteralError::Number)?;
        return Ok(Value::Double(if negative { -number } else { number }));
    }
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    if digits.is_empty() {
        return Err(LiteralError::NoDigits);
    }
    let number = u64::from_str_radix(digits, radix).map_err(|_| LiteralError::Number)?;
    if is_unsigned {
        return if negative { Err(LiteralError::Negative) } else { Ok(Value::Uint(number)) };
    }
    let number = if negative { 0i64.checked_sub_unsigned(number) } else { i64::try_from(number).ok() };
    number.map(Value::Int).ok_or(LiteralError::Integer)
}

/// The text between the quotes of a string with its escapes resolved.
pub fn text(written: &str, is_raw: bool) -> Result<String, LiteralError> {
    let written = normal_lines(written);
    if is_raw || !written.contains('\\') {
        return Ok(written);
    }
    let mut out = String::with_capacity(written.len());
    let mut rest = written.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match escape(&mut rest)? {
                Escape::Char(c) => out.push(c),
                Escape::Byte(byte) => out.push(char::from(byte)),
            },
            other => out.push(other),
        }
    }
    Ok(out)
}

/// The bytes between the quotes of a bytes literal with its escapes resolved.
pub fn bytes(written: &str, is_raw: bool) -> Result<Vec<u8>, LiteralError> {
    let written = normal_lines(written);
    if is_raw {
        return Ok(written.into_bytes());
    }
    let mut out = Vec::with_capacity(written.len());
    let mut rest = written.chars();
    while let Some(c) = rest.next() {
        let c = match c {
            '\\' => match escape(&mut rest)? {
                Escape::Byte(byte) => {
                    out.push(byte);
                    continue;
                }
                Escape::Char(c) if c.is_ascii() => c,
                Escape::Char(_) => return Err(LiteralError::CharacterInBytes),
            },
            other => other,
        };
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(out)
}

/// All line ends are those of Unix.
fn normal_lines(written: &str) -> String {
    if written.contains('\r') { written.replace("\r\n", "\n").replace('\r', "\n") } else { written.to_owned() }
}

/// The first invalid escape between the quotes of a literal, and what is wrong with it.
pub(crate) fn invalid_escape(written: &str) -> Option<(Range<usize>, LiteralError)> {
    let mut rest = written.chars();
    while let Some(c) = rest.next() {
        let start = written.len() - rest.as_str().len() - c.len_utf8();
        if c == '\\'
            && let Err(why) = escape(&mut rest)
        {
            return Some((start..written.len() - rest.as_str().len(), why));
        }
    }
    None
}

enum Escape {
    Char(char),
    /// A byte; in a string the character with this number.
    Byte(u8),
}

/// What is escaped, after the backslash.
fn escape(rest: &mut std::str::Chars<'_>) -> Result<Escape, LiteralError> {
    let c = rest.next().ok_or(LiteralError::NoEscape)?;
    let mut digits = |first: Option<char>, count: usize, radix: u32| {
        let mut value = first.and_then(|first| first.to_digit(radix)).unwrap_or(0);
        for _ in 0..count {
            let digit = rest.next().and_then(|c| c.to_digit(radix)).ok_or(LiteralError::NoEscapeDigits)?;
            value =
                value.checked_mul(radix).and_then(|value| value.checked_add(digit)).ok_or(LiteralError::NoEscape)?;
        }
        Ok(value)
    };
    let simple = match c {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '\'' | '"' | '`' | '?' => c,
        'x' | 'X' => return digits(None, 2, 16).map(|value| Escape::Byte(u8::try_from(value).unwrap_or_default())),
        '0'..='3' => {
            return digits(Some(c), 2, 8).map(|value| Escape::Byte(u8::try_from(value).unwrap_or_default()));
        }
        'u' | 'U' => {
            let value = digits(None, if c == 'u' { 4 } else { 8 }, 16)?;
            return char::from_u32(value).map(Escape::Char).ok_or(LiteralError::NoCharacter);
        }
        _ => return Err(LiteralError::NoEscape),
    };
    Ok(Escape::Char(simple))
}

#[cfg(test)]
mod tests {
    use super::{bytes, number, text};
    use crate::value::Value;

    #[test]
    fn numbers_are_read() {
        assert!(matches!(number("12", false), Ok(Value::Int(12))));
        assert!(matches!(number("9223372036854775808", true), Ok(Value::Int(i64::MIN))));
        assert!(number("9223372036854775808", false).is_err());
        assert!(matches!(number("0xFu", false), Ok(Value::Uint(15))));
        assert!(number("1u", true).is_err());
        assert!(matches!(number("1e3", true), Ok(Value::Double(number)) if number == -1000.0));
        assert!(number("1e999", false).is_err() && number("0x", false).is_err());
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(text(r"a\n\x41\101\u00e4\U0001F600\?\`", false).as_deref(), Ok("a\nAA\u{e4}\u{1F600}?`"));
        assert_eq!(text(r"\n", true).as_deref(), Ok("\\n"));
        assert_eq!(text("a\r\nb", false).as_deref(), Ok("a\nb"));
        assert_eq!(bytes(r"\xffä\377", false).as_deref(), Ok(&[255, 0xc3, 0xa4, 255][..]));
        for wrong in [r"\q", r"\", r"\x4", r"\u12", r"\ud800", r"\8", r"\400"] {
            assert!(text(wrong, false).is_err(), "{wrong}");
        }
    }
}
