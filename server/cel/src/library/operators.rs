//! The operators, by names that cannot be written.

use super::{Call, Row};
use crate::cost::{Failure, comparison, membership, one, sum};
use crate::value::{self, Members, Value};
use std::cmp::Ordering;
use std::sync::Arc;

macro_rules! comparison {
    ($name:literal) => {
        &[
            concat!($name, "(bool, bool) -> bool"),
            concat!($name, "(int, int) -> bool"),
            concat!($name, "(int, double) -> bool"),
            concat!($name, "(int, uint) -> bool"),
            concat!($name, "(uint, uint) -> bool"),
            concat!($name, "(uint, double) -> bool"),
            concat!($name, "(uint, int) -> bool"),
            concat!($name, "(double, double) -> bool"),
            concat!($name, "(double, int) -> bool"),
            concat!($name, "(double, uint) -> bool"),
            concat!($name, "(string, string) -> bool"),
            concat!($name, "(bytes, bytes) -> bool"),
            concat!($name, "(timestamp, timestamp) -> bool"),
            concat!($name, "(duration, duration) -> bool"),
        ]
    };
}

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["@equal(T, T) -> bool"], price: comparison, run: equal },
    Row { signatures: &["@not_equal(T, T) -> bool"], price: comparison, run: not_equal },
    Row { signatures: comparison!("@less"), price: comparison, run: less },
    Row { signatures: comparison!("@less_equal"), price: comparison, run: less_equal },
    Row { signatures: comparison!("@greater"), price: comparison, run: greater },
    Row { signatures: comparison!("@greater_equal"), price: comparison, run: greater_equal },
    Row { signatures: &["@in(T, list(T)) -> bool", "@in(K, map(K, V)) -> bool"], price: membership, run: is_in },
    Row {
        signatures: &[
            "@add(int, int) -> int",
            "@add(uint, uint) -> uint",
            "@add(double, double) -> double",
            "@add(string, string) -> string",
            "@add(bytes, bytes) -> bytes",
            "@add(list(T), list(T)) -> list(T)",
            "@add(duration, duration) -> duration",
            "@add(duration, timestamp) -> timestamp",
            "@add(timestamp, duration) -> timestamp",
        ],
        price: sum,
        run: add,
    },
    Row {
        signatures: &[
            "@subtract(int, int) -> int",
            "@subtract(uint, uint) -> uint",
            "@subtract(double, double) -> double",
            "@subtract(duration, duration) -> duration",
            "@subtract(timestamp, duration) -> timestamp",
            "@subtract(timestamp, timestamp) -> duration",
        ],
        price: one,
        run: subtract,
    },
    Row {
        signatures: &[
            "@multiply(int, int) -> int",
            "@multiply(uint, uint) -> uint",
            "@multiply(double, double) -> double",
        ],
        price: one,
        run: multiply,
    },
    Row {
        signatures: &["@divide(int, int) -> int", "@divide(uint, uint) -> uint", "@divide(double, double) -> double"],
        price: one,
        run: divide,
    },
    Row { signatures: &["@remainder(int, int) -> int", "@remainder(uint, uint) -> uint"], price: one, run: remainder },
    Row { signatures: &["@negate(int) -> int", "@negate(double) -> double"], price: one, run: negate },
    Row { signatures: &["@not(bool) -> bool"], price: one, run: not },
    Row {
        signatures: &[
            "@index(list(T), int) -> T",
            "@index(map(K, V), K) -> V",
            "@index(optional(list(T)), int) -> optional(T)",
            "@index(optional(map(K, V)), K) -> optional(V)",
        ],
        price: one,
        run: |call| Err(call.refused()),
    },
    Row {
        signatures: &[
            "@index_optional(list(T), int) -> optional(T)",
            "@index_optional(map(K, V), K) -> optional(V)",
            "@index_optional(optional(list(T)), int) -> optional(T)",
            "@index_optional(optional(map(K, V)), K) -> optional(V)",
        ],
        price: one,
        run: |call| Err(call.refused()),
    },
];

fn equal(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [left, right] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(value::equal(left, right)))
}

fn not_equal(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [left, right] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(!value::equal(left, right)))
}

fn ordered(call: &Call<'_>, holds: fn(Ordering) -> bool) -> Result<Value, Failure> {
    let [left, right] = call.arguments else { return Err(call.refused()) };
    let order = value::order(left, right).map_err(|()| call.refused())?;
    Ok(Value::Bool(order.is_some_and(holds)))
}

fn less(call: &mut Call<'_>) -> Result<Value, Failure> {
    ordered(call, Ordering::is_lt)
}

fn less_equal(call: &mut Call<'_>) -> Result<Value, Failure> {
    ordered(call, Ordering::is_le)
}

fn greater(call: &mut Call<'_>) -> Result<Value, Failure> {
    ordered(call, Ordering::is_gt)
}

fn greater_equal(call: &mut Call<'_>) -> Result<Value, Failure> {
    ordered(call, Ordering::is_ge)
}

fn is_in(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Bool(match call.arguments {
        [item, Value::List(list)] => list.items.iter().any(|other| value::equal(other, item)),
        [key, Value::Map(map)] => map.get(key).is_some(),
        _ => return Err(call.refused()),
    }))
}

const OVERFLOW: &str = "the result is out of range";

fn add(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(match call.arguments {
        [Value::Int(left), Value::Int(right)] => Value::Int(left.checked_add(*right).ok_or(OVERFLOW)?),
        [Value::Uint(left), Value::Uint(right)] => Value::Uint(left.checked_add(*right).ok_or(OVERFLOW)?),
        [Value::Double(left), Value::Double(right)] => Value::Double(left + right),
        [Value::Text(left), Value::Text(right)] => Value::text(format!("{left}{right}")),
        [Value::Bytes(left), Value::Bytes(right)] => Value::Bytes([&**left, &**right].concat().into()),
        [Value::List(left), Value::List(right)] => Value::List(Arc::new(value::sum_of_lists(left, right))),
        [Value::Duration(left), Value::Duration(right)] => Value::Duration(left.plus(*right).ok_or(OVERFLOW)?),
        [Value::Timestamp(time), Value::Duration(span)] | [Value::Duration(span), Value::Timestamp(time)] => {
            Value::Timestamp(time.plus(*span).ok_or(OVERFLOW)?)
        }
        _ => return Err(call.refused()),
    })
}

fn subtract(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(match call.arguments {
        [Value::Int(left), Value::Int(right)] => Value::Int(left.checked_sub(*right).ok_or(OVERFLOW)?),
        [Value::Uint(left), Value::Uint(right)] => Value::Uint(left.checked_sub(*right).ok_or(OVERFLOW)?),
        [Value::Double(left), Value::Double(right)] => Value::Double(left - right),
        [Value::Duration(left), Value::Duration(right)] => Value::Duration(left.minus(*right).ok_or(OVERFLOW)?),
        [Value::Timestamp(time), Value::Duration(span)] => {
            let back = span.nanoseconds.checked_neg().ok_or(OVERFLOW)?;
            Value::Timestamp(time.plus(crate::time::Span { nanoseconds: back }).ok_or(OVERFLOW)?)
        }
        [Value::Timestamp(left), Value::Timestamp(right)] => Value::Duration(left.since(*right).ok_or(OVERFLOW)?),
        _ => return Err(call.refused()),
    })
}

fn multiply(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(match call.arguments {
        [Value::Int(left), Value::Int(right)] => Value::Int(left.checked_mul(*right).ok_or(OVERFLOW)?),
        [Value::Uint(left), Value::Uint(right)] => Value::Uint(left.checked_mul(*right).ok_or(OVERFLOW)?),
        [Value::Double(left), Value::Double(right)] => Value::Double(left * right),
        _ => return Err(call.refused()),
    })
}

const BY_ZERO: &str = "nothing can be divided by zero";

fn divide(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(match call.arguments {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => return Err(BY_ZERO.into()),
        [Value::Int(left), Value::Int(right)] => Value::Int(left.checked_div(*right).ok_or(OVERFLOW)?),
        [Value::Uint(left), Value::Uint(right)] => Value::Uint(left.checked_div(*right).ok_or(OVERFLOW)?),
        [Value::Double(left), Value::Double(right)] => Value::Double(left / right),
        _ => return Err(call.refused()),
    })
}

fn remainder(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(match call.arguments {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => return Err(BY_ZERO.into()),
        [Value::Int(left), Value::Int(right)] => Value::Int(left.checked_rem(*right).ok_or(OVERFLOW)?),
        [Value::Uint(left), Value::Uint(right)] => Value::Uint(left.checked_rem(*right).ok_or(OVERFLOW)?),
        _ => return Err(call.refused()),
    })
}

fn negate(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(match call.arguments {
        [Value::Int(value)] => Value::Int(value.checked_neg().ok_or(OVERFLOW)?),
        [Value::Double(value)] => Value::Double(-value),
        _ => return Err(call.refused()),
    })
}

fn not(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Bool(value)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(!value))
}

/// The places of values in an array, for the functions that look for equal ones.
pub(super) fn members(items: &[Value]) -> Members<'_> {
    Members::of(items)
}
