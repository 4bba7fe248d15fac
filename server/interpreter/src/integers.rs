//! Integers of any size: small ones are machine words, and results that do not fit become large ones.

use std::borrow::Cow;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Num, Signed, ToPrimitive, Zero};

use crate::failure::{Result, fail, limit};
use crate::value::Value;

/// How many digits a text may have that becomes an integer.
const MAX_DIGITS: usize = 10_000;
/// How many bits an integer may have.
const MAX_BITS: u64 = 1 << 17;
/// By how many bits an integer can be shifted to the left.
const MAX_SHIFT: i64 = 512;

/// The integer as a large one; None for anything else.
pub(crate) fn big(value: &Value) -> Option<Cow<'_, BigInt>> {
    match value {
        Value::Int(number) => Some(Cow::Owned(BigInt::from(*number))),
        Value::Big(number) => Some(Cow::Borrowed(number)),
        _ => None,
    }
}

/// A result of arithmetic as a value.
pub(crate) fn value(number: BigInt) -> Result<Value> {
    match number.to_i64() {
        Some(small) => Ok(Value::Int(small)),
        None if number.bits() > MAX_BITS => limit(format!("an integer of more than {MAX_BITS} bits")),
        None => Ok(Value::Big(Arc::new(number))),
    }
}

/// The value of a 128-bit number.
pub fn from_i128(number: i128) -> Value {
    i64::try_from(number).map_or_else(|_| Value::Big(Arc::new(BigInt::from(number))), Value::Int)
}

/// An integer that fits 128 bits.
pub fn to_i128(value: &Value) -> Option<i128> {
    match value {
        Value::Int(number) => Some(i128::from(*number)),
        Value::Big(number) => number.to_i128(),
        _ => None,
    }
}

/// An integer or float as a float.
pub fn to_f64(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Big(number) => number.to_f64(),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// The integer that a finite float without a fraction stands for.
///
/// # Errors
///
/// It is not finite.
pub fn from_f64(number: f64) -> Result<Value> {
    match BigInt::from_f64(number.trunc()) {
        Some(number) => value(number),
        None => fail(format!("cannot convert float {} to integer", crate::format::float_text(number))),
    }
}

/// The integer that digits stand for; all of them are digits of that base, which is at most 36.
pub(crate) fn from_digits(negative: bool, digits: &str, base: u32) -> Result<Value> {
    if digits.len() > MAX_DIGITS {
        return limit(format!("an integer of more than {MAX_DIGITS} digits"));
    }
    let number = BigInt::from_str_radix(digits, base).unwrap_or_default();
    value(if negative { -number } else { number })
}

pub(crate) fn add(left: &Value, right: &Value) -> Option<Result<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right)
        && let Some(sum) = a.checked_add(*b)
    {
        return Some(Ok(Value::Int(sum)));
    }
    Some(value(big(left)?.as_ref() + big(right)?.as_ref()))
}

pub(crate) fn subtract(left: &Value, right: &Value) -> Option<Result<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right)
        && let Some(difference) = a.checked_sub(*b)
    {
        return Some(Ok(Value::Int(difference)));
    }
    Some(value(big(left)?.as_ref() - big(right)?.as_ref()))
}

pub(crate) fn multiply(left: &Value, right: &Value) -> Option<Result<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right)
        && let Some(product) = a.checked_mul(*b)
    {
        return Some(Ok(Value::Int(product)));
    }
    Some(value(big(left)?.as_ref() * big(right)?.as_ref()))
}

/// `left // right`, rounded down.
pub(crate) fn floor_divide(left: &Value, right: &Value) -> Option<Result<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right)
        && let (Some(quotient), Some(rest)) = (a.checked_div(*b), a.checked_rem(*b))
    {
        return Some(Ok(Value::Int(if rest != 0 && (rest < 0) != (*b < 0) { quotient - 1 } else { quotient })));
    }
    let (left, right) = (big(left)?, big(right)?);
    if right.is_zero() {
        return Some(fail("floored division by zero"));
    }
    let (quotient, rest) = (left.as_ref() / right.as_ref(), left.as_ref() % right.as_ref());
    Some(value(if !rest.is_zero() && rest.is_negative() != right.is_negative() { quotient - 1 } else { quotient }))
}

/// `left % right`, with the sign of the divisor.
pub(crate) fn modulo(left: &Value, right: &Value) -> Option<Result<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right)
        && let Some(rest) = a.checked_rem(*b)
    {
        return Some(Ok(Value::Int(if rest != 0 && (rest < 0) != (*b < 0) { rest + b } else { rest })));
    }
    let (left, right) = (big(left)?, big(right)?);
    if right.is_zero() {
        return Some(fail("integer modulo by zero"));
    }
    let rest = left.as_ref() % right.as_ref();
    Some(value(if !rest.is_zero() && rest.is_negative() != right.is_negative() { rest + right.as_ref() } else { rest }))
}

pub(crate) fn negate(operand: &Value) -> Option<Result<Value>> {
    match operand {
        Value::Int(number) if *number != i64::MIN => Some(Ok(Value::Int(-number))),
        _ => Some(value(-big(operand)?.into_owned())),
    }
}

pub(crate) fn invert(operand: &Value) -> Option<Result<Value>> {
    match operand {
        Value::Int(number) => Some(Ok(Value::Int(!number))),
        _ => Some(value(-big(operand)?.into_owned() - 1)),
    }
}

pub(crate) fn bitwise(operator: &str, left: &Value, right: &Value) -> Option<Result<Value>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        return Some(Ok(Value::Int(match operator {
            "&" => a & b,
            "|" => a | b,
            _ => a ^ b,
        })));
    }
    let (left, right) = (big(left)?, big(right)?);
    Some(value(match operator {
        "&" => left.as_ref() & right.as_ref(),
        "|" => left.as_ref() | right.as_ref(),
        _ => left.as_ref() ^ right.as_ref(),
    }))
}

/// `left << right` and `left >> right`
pub(crate) fn shift(operator: &str, left: &Value, right: &Value) -> Option<Result<Value>> {
    let number = big(left)?;
    if !right.is_int() {
        return Some(fail(format!("got {}, want int", right.type_name())));
    }
    let shown = crate::format::shown_quoted(right);
    if big(right)?.sign() == Sign::Minus {
        return Some(fail(format!("negative shift count: {shown}")));
    }
    let count = right.as_int();
    if operator == "<<" {
        return Some(match count {
            Some(count) if count < MAX_SHIFT => value(number.as_ref() << count),
            _ => fail(format!("shift count too large: {shown}")),
        });
    }
    // What is shifted out entirely leaves the sign.
    let count = count.unwrap_or(i64::MAX).min(MAX_BITS as i64 + 1);
    Some(value(number.as_ref() >> count))
}
