//! Functions that make numbers, and strings of one character.

use std::sync::Arc;

use crate::arguments::Given;
use crate::evaluator::Evaluator;
use crate::failure::{Result, fail};
use crate::format::float_text;
use crate::integers;
use crate::value::{Span, Value};

pub(super) fn float(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    if !given.named.is_empty() {
        return fail("float does not accept keyword arguments");
    }
    let value = match given.values {
        [] => return Ok(Value::Float(0.0)),
        [value] => value,
        several => return fail(format!("float got {} arguments, wants 1", several.len())),
    };
    if let Some(truth) = value.as_bool() {
        return Ok(Value::Float(f64::from(u8::from(truth))));
    }
    if let Some(number) = integers::to_f64(value) {
        return Ok(Value::Float(number));
    }
    let Some(text) = value.as_text() else {
        return fail(format!("float got {}, want number or string", value.type_name()));
    };
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() || text.contains(['n', 'N']) => Ok(Value::Float(number)),
        Ok(_) => fail(format!("float: strconv.ParseFloat: parsing {text:?}: value out of range")),
        Err(_) => fail(format!("float: strconv.ParseFloat: parsing {text:?}: invalid syntax")),
    }
}

pub(super) fn int(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let [value, base] = given.by_name(["x", "base"], 1)?;
    let value = value.unwrap_or(&Value::None);
    if let Some(text) = value.as_text() {
        let base = match base.map(integers::to_i128) {
            None => 10,
            Some(Some(base @ (0 | 2..=36))) => base as u32,
            Some(_) => return fail("int: base must be an integer >= 2 && <= 36"),
        };
        return digits(text, base);
    }
    if base.is_some() {
        return fail("int: can't convert non-string with explicit base");
    }
    match value {
        Value::Bool(truth) => Ok(Value::Int(i64::from(*truth))),
        Value::Float(float) if !float.is_finite() => {
            fail(format!("int: cannot convert float {} to integer", float_text(*float)))
        }
        Value::Float(float) => integers::from_f64(*float),
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        _ => fail(format!("int: cannot convert {} to int", value.type_name())),
    }
}

/// An integer as text: a sign, an optional prefix that fits the base, and digits only.
fn digits(text: &str, base: u32) -> Result<Value> {
    let invalid = || fail(format!("int: invalid literal with base {base}: {text}"));
    let (negative, rest) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let prefixes = [("0o", 8), ("0O", 8), ("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2)];
    let prefix = prefixes.iter().find(|(prefix, _)| rest.len() > 2 && rest.starts_with(prefix));
    let (digits, radix) = match prefix {
        Some((_, own)) if base != 0 && base != *own => return invalid(),
        Some((prefix, own)) => (rest.trim_start_matches(prefix), *own),
        // In base 0, a leading zero may be followed only by zeros.
        None if base == 0 && rest.starts_with('0') && rest.len() > 1 => {
            if rest.bytes().all(|byte| byte == b'0') {
                ("0", 10)
            } else {
                return invalid();
            }
        }
        None => (rest, if base == 0 { 10 } else { base }),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return invalid();
    }
    integers::from_digits(negative, digits, radix)
}

pub(super) fn range(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 3)?;
    let number = |index| Ok(given.number(index)?.unwrap_or(0));
    let (start, stop, step) = match given.values.len() {
        1 => (0, number(0)?, 1),
        2 => (number(0)?, number(1)?, 1),
        _ => (number(0)?, number(1)?, number(2)?),
    };
    if step == 0 {
        return fail("range: step argument must not be zero");
    }
    let distance = i128::from(stop) - i128::from(start);
    let step_size = i128::from(step);
    let count =
        if (distance > 0) == (step > 0) && distance != 0 { (distance.abs() - 1) / step_size.abs() + 1 } else { 0 };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    Ok(Value::Range(Arc::new(Span { start, stop, step, count })))
}

pub(super) fn chr(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    let Some(code) = integers::to_i128(given.first()) else {
        return fail(format!("chr: got {}, want int", given.first().type_name()));
    };
    match u32::try_from(code).ok().map(char::from_u32) {
        Some(Some(character)) => Ok(Value::text(character.encode_utf8(&mut [0; 4]))),
        // Half a character of UTF-16.
        Some(None) if code <= 0x10ffff => Ok("\u{fffd}".into()),
        _ if code < 0 => fail(format!("chr: Unicode code point {code} out of range (<0)")),
        _ => fail(format!("chr: Unicode code point U+{code:X} out of range (>0x10FFFF)")),
    }
}

/// The code point of a string of one character.
pub(super) fn ord(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    let Some(text) = given.first().as_text() else {
        return fail(format!("ord: got {}, want string", given.first().type_name()));
    };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => Ok(Value::Int(i64::from(only as u32))),
        _ => fail(format!("ord: string encodes {} Unicode code points, want 1", text.chars().count())),
    }
}

/// The hash that Java gives a string.
pub(super) fn hash(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    let text = given.text(0)?;
    let hash = text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    Ok(Value::Int(i64::from(hash)))
}
