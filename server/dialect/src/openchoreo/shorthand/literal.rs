//! Values of markers: the text they stand for, and the literals of each type.

use lofting_document::{ArrayItem, Key, MapItem, Node, NodeValue, Notes, Span};
use std::borrow::Cow;
use std::ops::Range;

/// A quoted value without its quotes. A text in double quotes that is not valid stays as it is, including the quotes.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    let inner = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    if let Some(inner) = inner('"') {
        return go_string(inner).map_or(Cow::Borrowed(text), Cow::Owned);
    }
    match inner('\'') {
        Some(inner) => Cow::Owned(inner.replace("''", "'")),
        None => Cow::Borrowed(text),
    }
}

/// Whether the double quotes around a text are kept, because the text is not a valid Go string.
pub fn keeps_quotes(text: &str) -> bool {
    text.len() > 1 && text.starts_with('"') && text.ends_with('"') && matches!(unquoted(text), Cow::Borrowed(_))
}

/// The text of a Go string, given without its quotes; None if it is not valid.
fn go_string(inner: &str) -> Option<String> {
    let mut bytes: Vec<u8> = Vec::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' | '\n' => return None,
            '\\' => {}
            c => {
                bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
                continue;
            }
        }
        let escape = rest.next()?;
        let simple = match escape {
            'a' => 0x07,
            'b' => 0x08,
            'f' => 0x0c,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 0x0b,
            '\\' => b'\\',
            '"' => b'"',
            _ => 0,
        };
        if simple != 0 {
            bytes.push(simple);
            continue;
        }
        let digits = |text: &str, count: usize, radix| {
            let digits = text.get(..count).filter(|digits| digits.chars().all(|digit| digit.is_digit(radix)))?;
            u32::from_str_radix(digits, radix).ok()
        };
        let text = rest.as_str();
        let (value, read) = match escape {
            'x' => (digits(text, 2, 16)?, 2),
            'u' => (digits(text, 4, 16)?, 4),
            'U' => (digits(text, 8, 16)?, 8),
            '0'..='7' => {
                let start = inner.len() - text.len() - 1;
                (digits(inner.get(start..)?, 3, 8)?, 2)
            }
            _ => return None,
        };
        match escape {
            'u' | 'U' => bytes.extend(char::from_u32(value)?.encode_utf8(&mut [0; 4]).bytes()),
            _ => bytes.push(u8::try_from(value).ok()?),
        }
        rest = text.get(read..)?.chars();
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A decimal integer of 64 bits.
pub fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_decimal = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_decimal.then(|| text.parse().ok()).flatten()
}

/// A number as Go reads floats, including the words for infinity and NaN: see [`is_in_json`].
pub fn number(text: &str) -> Option<f64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = rest.to_ascii_lowercase();
    if matches!(lower.as_str(), "inf" | "infinity" | "nan") {
        return lower.parse::<f64>().ok().map(|value| sign * value);
    }
    let digits = without_underscores(&lower)?;
    let value = match digits.strip_prefix("0x") {
        Some(hex) => hex_float(hex)?,
        None if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            // Rust reads the same decimal forms.
            digits.parse::<f64>().ok().filter(|value| value.is_finite())?
        }
        None => return None,
    };
    Some(sign * value)
}

/// Whether JSON can express a number.
pub fn is_in_json(number: f64) -> bool {
    number.is_finite()
}

/// Underscores are allowed only between digits and after `0x`.
fn without_underscores(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(Cow::Borrowed(text));
    }
    let (start, is_hex) = if text.starts_with("0x") { (2, true) } else { (0, false) };
    let mut before = if start > 0 { '0' } else { '^' };
    for c in text.get(start..)?.chars() {
        let is_digit = c.is_ascii_digit() || is_hex && c.is_ascii_hexdigit();
        let sound = match c {
            '_' => before == '0',
            _ => before != '_' || is_digit,
        };
        if !sound {
            return None;
        }
        before = if is_digit { '0' } else { c };
    }
    (before != '_').then(|| Cow::Owned(text.replace('_', "")))
}

/// `1p4`, `1.8p-1`: Go requires the exponent.
fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let exponent = i32::try_from(integer(exponent)?).ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?.checked_mul(4)?)?;
    Some(value * 2.0_f64.powi(shift)).filter(|value| value.is_finite())
}

/// A boolean as Go reads it.
pub fn boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

/// The values of a list: separated by commas outside double quotes, without blanks around them and without empty ones.
pub fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    let mut push = |range: Range<usize>| {
        let piece = text.get(range.clone()).unwrap_or_default();
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            let start = range.start + (piece.len() - piece.trim_start().len());
            pieces.push(start..start + trimmed.len());
        }
    };
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    push(start..text.len());
    pieces
}

/// The value of a JSON text; all its parts get the same place.
pub fn json(text: &str, span: Span) -> Option<Node> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    Some(from_json(&value, span))
}

/// The JSON parser bounds the depth.
fn from_json(value: &serde_json::Value, span: Span) -> Node {
    let value = match value {
        serde_json::Value::Null => NodeValue::Null,
        serde_json::Value::Bool(value) => NodeValue::Bool(*value),
        serde_json::Value::Number(number) => match number.as_i128() {
            Some(number) => NodeValue::int(number),
            None => float(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => NodeValue::String(text.into()),
        serde_json::Value::Array(items) => {
            let item =
                |item| ArrayItem { span, value: from_json(item, span), notes: Notes::default(), conditional: false };
            NodeValue::Array(items.iter().map(item).collect())
        }
        serde_json::Value::Object(members) => {
            let item = |(name, value): (&String, _)| entry(Key::from(name.as_str()), span, from_json(value, span));
            NodeValue::Map(members.iter().map(item).collect())
        }
    };
    Node::new(value, span)
}

/// An item of a map, with the place of its key.
pub(in crate::openchoreo) fn entry(key: Key, key_span: Span, value: Node) -> MapItem {
    MapItem { key, key_span, span: key_span, value, notes: Notes::default(), merged: false, conditional: false }
}

/// Beyond this, floats do not represent every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number as in JSON: integral ones are integers.
pub fn float(number: f64) -> NodeValue {
    if number == number.trunc() && number.abs() <= EXACT {
        NodeValue::int(number as i128)
    } else {
        NodeValue::Float(number)
    }
}

/// The value of an example: JSON in brackets, else a boolean, integer or number, in this order, else the text with its
/// quotes. None for brackets without valid JSON.
pub fn example(text: &str, span: Span) -> Option<Node> {
    if text.starts_with(['{', '[']) {
        return json(text, span);
    }
    let value = match (boolean(text), integer(text), number(text).filter(|number| is_in_json(*number))) {
        (Some(value), ..) => NodeValue::Bool(value),
        (_, Some(value), _) => NodeValue::int(value),
        (.., Some(value)) => float(value),
        _ => NodeValue::String(text.into()),
    };
    Some(Node::new(value, span))
}

#[cfg(test)]
mod tests;
