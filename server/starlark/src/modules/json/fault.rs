//! What is wrong with a JSON text, in the words of Go's library, which code can compare and print.

use std::borrow::Cow;

use lofting_interpreter::{Value, format};

/// What can follow at a place.
#[derive(Clone, Copy)]
enum Expected {
    /// A value; or the end of an array that has begun.
    Value {
        or_end: bool,
    },
    /// A key; or the end of a map that has begun.
    Key {
        or_end: bool,
    },
    /// What follows a value.
    End,
    Text,
    Escape,
    /// So many digits of `\uXXXX` are missing.
    Unicode(u8),
    /// The sign of a number.
    Sign,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    /// A word, and how much of it was read.
    Word(&'static str, usize),
}

/// What is open around a place.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    Key,
    MapValue,
    Item,
}

struct Scanner {
    next: Expected,
    open: Vec<Around>,
    /// The value of the whole text has ended.
    is_done: bool,
}

/// The first fault of a text that has to be one JSON value, or the first number that no float can be. None if there is none.
pub(super) fn of(bytes: &[u8]) -> Option<String> {
    let mut scanner = Scanner { next: Expected::Value { or_end: false }, open: Vec::new(), is_done: false };
    let (mut number, mut too_large) = (None, None);
    // At the end, Go's scanner reads a blank more, which ends numbers.
    for (at, byte) in bytes.iter().copied().chain([b' ']).enumerate() {
        let is_end = at == bytes.len();
        if is_end && scanner.is_done {
            break;
        }
        if let Some(context) = scanner.read(byte) {
            return Some(format!("invalid character {} {context}", quoted(byte)));
        }
        match (scanner.is_number(), number) {
            (true, None) => number = Some(at),
            (false, Some(start)) => {
                too_large = too_large.or_else(|| number_beyond_floats(bytes.get(start..at)?));
                number = None;
            }
            _ => {}
        }
        if is_end && !scanner.is_done {
            return Some("unexpected end of JSON input".to_owned());
        }
    }
    too_large.map(|number| format!("json: cannot unmarshal number {number} into Go value of type float64"))
}

fn number_beyond_floats(digits: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(digits).ok()?;
    text.parse::<f64>().ok().filter(|number| number.is_infinite()).map(|_| text.to_owned())
}

/// A byte as Go shows it: as the character with this number.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ => {
            let shown = format::shown_quoted(&Value::text(char::from(byte).to_string()));
            format!("'{}'", shown.trim_matches('"'))
        }
    }
}

impl Scanner {
    /// Reads one byte, or says where it is not possible.
    fn read(&mut self, byte: u8) -> Option<Cow<'static, str>> {
        let is_space = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let wrong = |context| Some(Cow::Borrowed(context));
        self.next = match self.next {
            Expected::Value { .. } | Expected::Key { .. } if is_space => return None,
            Expected::Value { or_end: true } if byte == b']' => self.close(),
            Expected::Key { or_end: true } if byte == b'}' => self.close(),
            Expected::Value { .. } => match byte {
                b'{' => self.within(Around::Key, Expected::Key { or_end: true }),
                b'[' => self.within(Around::Item, Expected::Value { or_end: true }),
                b'"' => Expected::Text,
                b'-' => Expected::Sign,
                b'0' => Expected::Zero,
                b'1'..=b'9' => Expected::Integer,
                b't' => Expected::Word("true", 1),
                b'f' => Expected::Word("false", 1),
                b'n' => Expected::Word("null", 1),
                _ => return wrong("looking for beginning of value"),
            },
            Expected::Key { .. } if byte == b'"' => Expected::Text,
            Expected::Key { .. } => return wrong("looking for beginning of object key string"),
            Expected::End => return self.after_value(byte, is_space),
            Expected::Text => match byte {
                b'"' => self.end(),
                b'\\' => Expected::Escape,
                0..0x20 => return wrong("in string literal"),
                _ => Expected::Text,
            },
            Expected::Escape => match byte {
                b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => Expected::Text,
                b'u' => Expected::Unicode(4),
                _ => return wrong("in string escape code"),
            },
            Expected::Unicode(_) if !byte.is_ascii_hexdigit() => return wrong("in \\u hexadecimal character escape"),
            Expected::Unicode(1) => Expected::Text,
            Expected::Unicode(missing) => Expected::Unicode(missing - 1),
            Expected::Sign => match byte {
                b'0' => Expected::Zero,
                b'1'..=b'9' => Expected::Integer,
                _ => return wrong("in numeric literal"),
            },
            Expected::Integer if byte.is_ascii_digit() => Expected::Integer,
            Expected::Integer | Expected::Zero if byte == b'.' => Expected::Point,
            Expected::Point if !byte.is_ascii_digit() => return wrong("after decimal point in numeric literal"),
            Expected::Point => Expected::Fraction,
            Expected::Fraction if byte.is_ascii_digit() => Expected::Fraction,
            Expected::Integer | Expected::Zero | Expected::Fraction if matches!(byte, b'e' | b'E') => {
                Expected::Exponent
            }
            Expected::Exponent if matches!(byte, b'+' | b'-') => Expected::ExponentSign,
            Expected::Exponent | Expected::ExponentSign if !byte.is_ascii_digit() => {
                return wrong("in exponent of numeric literal");
            }
            Expected::Exponent | Expected::ExponentSign => Expected::ExponentDigits,
            Expected::ExponentDigits if byte.is_ascii_digit() => Expected::ExponentDigits,
            Expected::Integer | Expected::Zero | Expected::Fraction | Expected::ExponentDigits => {
                self.end();
                return self.after_value(byte, is_space);
            }
            Expected::Word(word, read) => match word.as_bytes().get(read) {
                Some(next) if *next != byte => {
                    return Some(Cow::Owned(format!("in literal {word} (expecting '{}')", char::from(*next))));
                }
                _ if read + 1 < word.len() => Expected::Word(word, read + 1),
                _ => self.end(),
            },
        };
        None
    }

    fn within(&mut self, around: Around, step: Expected) -> Expected {
        self.open.push(around);
        step
    }

    fn close(&mut self) -> Expected {
        self.open.pop();
        self.end()
    }

    /// A value or a key has ended.
    fn end(&mut self) -> Expected {
        self.next = Expected::End;
        self.is_done = self.open.is_empty();
        Expected::End
    }

    fn after_value(&mut self, byte: u8, is_space: bool) -> Option<Cow<'static, str>> {
        if is_space {
            return None;
        }
        let wrong = |context| Some(Cow::Borrowed(context));
        let Some(around) = self.open.last_mut() else { return wrong("after top-level value") };
        self.next = match (*around, byte) {
            (Around::Key, b':') => {
                *around = Around::MapValue;
                Expected::Value { or_end: false }
            }
            (Around::MapValue, b',') => {
                *around = Around::Key;
                Expected::Key { or_end: false }
            }
            (Around::Item, b',') => Expected::Value { or_end: false },
            (Around::MapValue, b'}') | (Around::Item, b']') => self.close(),
            (Around::Key, _) => return wrong("after object key"),
            (Around::MapValue, _) => return wrong("after object key:value pair"),
            (Around::Item, _) => return wrong("after array element"),
        };
        None
    }

    fn is_number(&self) -> bool {
        matches!(
            self.next,
            Expected::Sign
                | Expected::Zero
                | Expected::Integer
                | Expected::Point
                | Expected::Fraction
                | Expected::Exponent
                | Expected::ExponentSign
                | Expected::ExponentDigits
        )
    }
}
