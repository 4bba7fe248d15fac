//! Integers of any size, made by arithmetic of the Starlark crate: it has no other way to make large ones.

use starlark::values::{Heap, Value};

use crate::failure::{Result, limit};

/// How many digits a text may have that becomes an integer.
const MAX_DIGITS: usize = 10_000;
/// How many digits of any base up to 36 fit in 64 bits.
const CHUNK: usize = 12;

/// `left * 2 ** count`
pub(crate) fn times_power_of_two<'v>(left: Value<'v>, count: u32, heap: Heap<'v>) -> Result<Value<'v>> {
    const STEP: u32 = 32;
    let mut product = left;
    let mut rest = count;
    while rest > 0 {
        let step = rest.min(STEP);
        product = product.mul(heap.alloc(1_i64 << step), heap)?;
        rest -= step;
    }
    Ok(product)
}

/// The integer that digits stand for; all of them are digits of that base, which is at most 36.
pub(crate) fn from_digits<'v>(negative: bool, digits: &str, base: u32, heap: Heap<'v>) -> Result<Value<'v>> {
    if digits.len() > MAX_DIGITS {
        return limit(format!("an integer of more than {MAX_DIGITS} digits"));
    }
    let mut sum = heap.alloc(0_i64);
    let digits: Vec<i64> = digits.chars().filter_map(|digit| digit.to_digit(base)).map(i64::from).collect();
    for chunk in digits.chunks(CHUNK) {
        let (factor, part) = chunk.iter().fold((1_i64, 0_i64), |(factor, part), digit| {
            (factor.wrapping_mul(i64::from(base)), part.wrapping_mul(i64::from(base)).wrapping_add(*digit))
        });
        sum = sum.mul(heap.alloc(factor), heap)?.add(heap.alloc(part), heap)?;
    }
    if negative { sum.minus(heap) } else { Ok(sum) }
}

/// The integer that a finite float without a fraction stands for.
pub(crate) fn from_float<'v>(float: f64, heap: Heap<'v>) -> Result<Value<'v>> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let mut mantissa = float;
    let mut exponent = 0;
    // A larger float is even, so halving it loses nothing.
    while mantissa.abs() > EXACT {
        mantissa /= 2.0;
        exponent += 1;
    }
    times_power_of_two(heap.alloc(mantissa as i64), exponent, heap)
}
