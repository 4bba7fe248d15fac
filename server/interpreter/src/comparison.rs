//! Equality, order and hashes of values.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use crate::collections::DictKey;
use crate::failure::{Result, fail, limit};
use crate::value::{MAX_DEPTH, Value, too_deep};

/// How many values one comparison may look at: those that share parts can be much smaller than what they stand for.
const MAX_COMPARED: usize = 5_000_000;

/// A comparison of two values, with all that they hold.
pub(crate) struct Comparison {
    depth: usize,
    left: usize,
}

impl Default for Comparison {
    fn default() -> Self {
        Self { depth: 0, left: MAX_COMPARED }
    }
}

impl Comparison {
    /// Compares values inside values.
    fn inside<T>(&mut self, compare: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return too_deep();
        }
        self.left = match self.left.checked_sub(1) {
            Some(left) => left,
            None => return limit("evaluation was stopped: too many steps"),
        };
        self.depth += 1;
        let result = compare(self);
        self.depth -= 1;
        result
    }
}

pub(crate) fn equal(left: &Value, right: &Value, state: &mut Comparison) -> Result<bool> {
    Ok(match (left, right) {
        (Value::None, Value::None) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Int(_) | Value::Big(_) | Value::Float(_)) => {
            numbers(left, right) == Some(Ordering::Equal)
        }
        (Value::List(a), Value::List(b)) if !a.is_same(b) => {
            a.len() == b.len() && all_equal(&a.to_vec(), &b.to_vec(), state)?
        }
        (Value::Tuple(a), Value::Tuple(b)) if !a.is_same(b) => a.len() == b.len() && all_equal(a, b, state)?,
        (Value::Dict(a), Value::Dict(b)) if !a.is_same(b) => {
            if a.len() != b.len() {
                return Ok(false);
            }
            for (key, value) in a.entries() {
                match b.get(&DictKey::new(key)?) {
                    Some(other) if state.inside(|state| equal(&value, &other, state))? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Value::Set(a), Value::Set(b)) => a.equals(b),
        (Value::Range(a), Value::Range(b)) => {
            a.count == b.count && (a.count == 0 || a.start == b.start && (a.count == 1 || a.step == b.step))
        }
        (Value::Builtin(a), Value::Builtin(b)) => std::ptr::eq(*a, *b),
        (Value::Object(a), Value::Object(b)) => a.equals(b)?,
        (Value::Function(_), Value::Function(_))
        | (Value::List(_), Value::List(_))
        | (Value::Tuple(_), Value::Tuple(_))
        | (Value::Dict(_), Value::Dict(_)) => left.is_same(right),
        _ => false,
    })
}

fn all_equal(left: &[Value], right: &[Value], state: &mut Comparison) -> Result<bool> {
    for (left, right) in left.iter().zip(right) {
        if !state.inside(|state| equal(left, right, state))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The order of two numbers; None if one of them is not a number, or NaN.
fn numbers(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Float(float), integer) => with_float(integer, *float).map(Ordering::reverse),
        (integer, Value::Float(float)) => with_float(integer, *float),
        (left, right) => Some(crate::integers::big(left)?.as_ref().cmp(crate::integers::big(right)?.as_ref())),
    }
}

/// The order of an integer and a float, exactly.
fn with_float(integer: &Value, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    let Some(whole) = BigInt::from_f64(float.trunc()) else {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    };
    let integer = crate::integers::big(integer)?;
    Some(integer.as_ref().cmp(&whole).then_with(|| 0.0.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)))
}

/// None if one of two numbers that decide is NaN: no comparison with it holds.
pub(crate) fn order(left: &Value, right: &Value, operator: &str, state: &mut Comparison) -> Result<Option<Ordering>> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(Some(left.cmp(right))),
        (Value::String(left), Value::String(right)) => Ok(Some(left.cmp(right))),
        (Value::Bool(left), Value::Bool(right)) => Ok(Some(left.cmp(right))),
        (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Int(_) | Value::Big(_) | Value::Float(_)) => {
            Ok(numbers(left, right))
        }
        (Value::List(left), Value::List(right)) => sequences(&left.to_vec(), &right.to_vec(), operator, state),
        (Value::Tuple(left), Value::Tuple(right)) => sequences(left, right, operator, state),
        _ => fail(format!("{} {operator} {} not implemented", left.type_name(), right.type_name())),
    }
}

fn sequences(left: &[Value], right: &[Value], operator: &str, state: &mut Comparison) -> Result<Option<Ordering>> {
    for (left, right) in left.iter().zip(right) {
        if !state.inside(|state| equal(left, right, state))? {
            return state.inside(|state| order(left, right, operator, state));
        }
    }
    Ok(Some(left.len().cmp(&right.len())))
}

/// Feeds the hash of a value that can be a key: equal values have equal hashes.
pub(crate) fn hash<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::None => 0u8.hash(state),
        Value::Bool(truth) => truth.hash(state),
        Value::Int(number) => number.hash(state),
        Value::Big(number) => number.hash(state),
        // Equal to an integer, if it is whole.
        Value::Float(number) if number.fract() == 0.0 => match number.to_i64().filter(|whole| *whole as f64 == *number)
        {
            Some(whole) => whole.hash(state),
            None => BigInt::from_f64(*number).unwrap_or_default().hash(state),
        },
        Value::Float(number) => number.to_bits().hash(state),
        Value::String(text) => text.as_str().hash(state),
        Value::Tuple(items) => {
            items.len().hash(state);
            items.iter().for_each(|item| hash(item, state));
        }
        Value::Function(function) => (std::sync::Arc::as_ptr(&function.0) as usize).hash(state),
        Value::Builtin(builtin) => builtin.name.hash(state),
        // Methods are equal to nothing, and all others are not keys.
        _ => 1u8.hash(state),
    }
}
