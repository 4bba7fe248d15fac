//! Exponentials, logarithms, powers and remainders by the algorithms of Go's `math`, so that results agree to the last
//! digit: `Exp`, `Log` and `Hypot` as on amd64, whose processors multiply and add in one step; `Log1p`, `Pow`,
//! `Remainder`, `Frexp` and `Ldexp` as everywhere.

use std::f64::consts::{LOG2_E, SQRT_2};

const BIAS: i64 = 1023;
const MANTISSA_BITS: u32 = 52;
const MANTISSA: u64 = (1 << MANTISSA_BITS) - 1;
const EXPONENT: u64 = 0x7ff;
/// The smallest positive number with all its digits.
const SMALLEST_NORMAL: f64 = f64::MIN_POSITIVE;
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;

/// A polynomial by Horner's method, from the coefficient of the highest power.
pub(super) fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    let mut coefficients = coefficients.iter();
    let first = coefficients.next().copied().unwrap_or(0.0);
    coefficients.fold(first, |sum, coefficient| sum * x + coefficient)
}

/// Go's `normalize`: a number with all its digits, and the exponent of two that was taken from it.
fn normalized(x: f64) -> (f64, i64) {
    if x.abs() < SMALLEST_NORMAL { (x * (1_u64 << MANTISSA_BITS) as f64, -i64::from(MANTISSA_BITS)) } else { (x, 0) }
}

fn exponent(x: f64) -> i64 {
    ((x.to_bits() >> MANTISSA_BITS) & EXPONENT) as i64 - BIAS
}

/// The number's digits with another exponent, which is one of numbers that have all their digits.
fn with_exponent(x: f64, exponent: i64) -> f64 {
    let rest = x.to_bits() & !(EXPONENT << MANTISSA_BITS);
    f64::from_bits(rest | (((exponent + BIAS) as u64 & EXPONENT) << MANTISSA_BITS))
}

/// Go's `Frexp`: a fraction from a half to one, and the exponent of two.
fn frexp(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (x, taken) = normalized(x);
    (with_exponent(x, -1), taken + exponent(x) + 1)
}

/// Go's `Ldexp`
fn ldexp(fraction: f64, power: i64) -> f64 {
    if fraction == 0.0 || !fraction.is_finite() {
        return fraction;
    }
    let (fraction, taken) = normalized(fraction);
    let power = power.saturating_add(taken + exponent(fraction));
    if power < -1075 {
        return 0_f64.copysign(fraction);
    }
    if power > BIAS {
        return f64::INFINITY.copysign(fraction);
    }
    if power < 1 - BIAS {
        // The product is rounded to the digits that are left.
        let unit = 1.0 / (1_u64 << 53) as f64;
        return unit * with_exponent(fraction, power + 53);
    }
    with_exponent(fraction, power)
}

/// Go's `Exp` on amd64, after Naoki Shibata: the series of a sixteenth, which is squared four times.
pub(super) fn exp(x: f64) -> f64 {
    const OVERFLOW: f64 = 709.782712893384;
    const LN2_UPPER: f64 = 0.693147180559663;
    const LN2_LOWER: f64 = 2.8235290563031577e-13;
    const SERIES: [f64; 8] = [
        2.48015873015873e-5,
        0.0001984126984126984,
        0.001388888888888889,
        0.008333333333333333,
        0.041666666666666664,
        0.16666666666666666,
        0.5,
        1.0,
    ];
    if x.is_nan() {
        return x;
    }
    if x > OVERFLOW {
        return f64::INFINITY;
    }
    let power = (LOG2_E * x).round_ties_even();
    let biased = (power as i64).saturating_add(BIAS);
    if biased < -52 {
        return 0.0;
    }
    let reduced = (-power).mul_add(LN2_LOWER, (-power).mul_add(LN2_UPPER, x)) * 0.0625;
    let mut sum = 0.0;
    for coefficient in SERIES {
        sum = reduced.mul_add(sum, coefficient);
    }
    // One less than the result, so that small results keep their digits: (1 + y)² - 1 = y (y + 2).
    let mut less_one = reduced * sum;
    for _ in 0..3 {
        less_one *= less_one + 2.0;
    }
    let result = (less_one + 2.0).mul_add(less_one, 1.0);
    match biased {
        // Two factors, since one alone would be too small to have all its digits.
        ..=0 => result * with_exponent(1.0, biased - 1) * SMALLEST_NORMAL,
        1..0x7ff => result * with_exponent(1.0, biased - BIAS),
        _ => f64::INFINITY,
    }
}

/// Go's `Log` on amd64, which takes numbers below the smallest normal one as if they had all their digits.
pub(super) fn log(x: f64) -> f64 {
    const ODD: [f64; 4] = [0.14798198605116586, 0.1818357216161805, 0.2857142874366239, 0.6666666666666735];
    const EVEN: [f64; 3] = [0.15313837699209373, 0.22222198432149784, 0.3999999999940942];
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if !x.is_finite() {
        return x;
    }
    let mut fraction = f64::from_bits(x.to_bits() & MANTISSA | 0.5_f64.to_bits());
    let mut power = (exponent(x) + 1) as f64;
    if fraction <= SQRT_2 / 2.0 {
        power -= 1.0;
        fraction *= 2.0;
    }
    let f = fraction - 1.0;
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let rest = s2 * polynomial(s4, &ODD) + s4 * polynomial(s4, &EVEN);
    let half = 0.5 * f * f;
    power * LN2_HIGH - ((half - (s * (half + rest) + power * LN2_LOW)) - f)
}

/// Go's `Log1p`, after FreeBSD's `s_log1p.c`.
pub(super) fn log1p(x: f64) -> f64 {
    const SQRT_2_LESS_1: f64 = 0.41421356237309503;
    const SQRT_HALF_LESS_1: f64 = -0.2928932188134525;
    const SMALL: f64 = 1.0 / (1_u64 << 29) as f64;
    const TINY: f64 = 1.0 / (1_u64 << 54) as f64;
    const COEFFICIENTS: [f64; 7] = [
        0.14798198605116586,
        0.15313837699209373,
        0.1818357216161805,
        0.22222198432149784,
        0.2857142874366239,
        0.3999999999940942,
        0.6666666666666735,
    ];
    if x < -1.0 || x.is_nan() {
        return f64::NAN;
    }
    if x == -1.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    if x.abs() < SMALL {
        return if x.abs() < TINY { x } else { x - x * x * 0.5 };
    }
    let near = x > SQRT_HALF_LESS_1 && x < SQRT_2_LESS_1;
    let Parts { f, power, correction, is_power } =
        if near { Parts { f: x, power: 0.0, correction: 0.0, is_power: false } } else { parts(x) };
    let half = 0.5 * f * f;
    if is_power {
        if f == 0.0 {
            return power * LN2_HIGH + (correction + power * LN2_LOW);
        }
        let rest = half * (1.0 - 0.6666666666666666 * f);
        return power * LN2_HIGH - ((rest - (power * LN2_LOW + correction)) - f);
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let rest = z * polynomial(z, &COEFFICIENTS);
    if power == 0.0 {
        return f - (half - s * (half + rest));
    }
    power * LN2_HIGH - ((half - (s * (half + rest) + (power * LN2_LOW + correction))) - f)
}

/// 1 + x is (1 + f) · 2^power, and what its rounding lost.
struct Parts {
    f: f64,
    power: f64,
    correction: f64,
    /// The digits of 1 + x are those of a power of two.
    is_power: bool,
}

fn parts(x: f64) -> Parts {
    const SQRT_2_DIGITS: u64 = 0x0006_a09e_667f_3bcd;
    let is_large = x.abs() >= (1_u64 << 53) as f64;
    let sum = if is_large { x } else { 1.0 + x };
    let mut power = exponent(sum);
    let lost = match power {
        _ if is_large => 0.0,
        1.. => 1.0 - (sum - x),
        _ => x - (sum - 1.0),
    };
    let digits = sum.to_bits() & MANTISSA;
    let (fraction, is_power) = if digits < SQRT_2_DIGITS {
        (with_exponent(sum, 0), digits == 0)
    } else {
        power += 1;
        (with_exponent(sum, -1), (MANTISSA + 1 - digits) >> 2 == 0)
    };
    Parts { f: fraction - 1.0, power: power as f64, correction: lost / sum, is_power }
}

/// Go's `Pow`: successive squares of the fraction, with the exponents of two apart.
pub(super) fn pow(x: f64, y: f64) -> f64 {
    if let Some(special) = special_power(x, y) {
        return special;
    }
    let (mut whole, mut part) = (y.abs().trunc(), y.abs().fract());
    if part != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if whole >= (1_u64 << 63) as f64 {
        return limit_power(x, y);
    }
    let mut result = 1.0;
    let mut power = 0;
    if part != 0.0 {
        if part > 0.5 {
            part -= 1.0;
            whole += 1.0;
        }
        result = exp(part * log(x));
    }
    let (mut square, mut square_power) = frexp(x);
    let mut left = whole as i64;
    while left != 0 {
        if square_power.abs() > 1 << 12 {
            // Whatever follows, the result is zero or infinite.
            power += square_power;
            break;
        }
        if left & 1 == 1 {
            result *= square;
            power += square_power;
        }
        square *= square;
        square_power *= 2;
        if square < 0.5 {
            square += square;
            square_power -= 1;
        }
        left >>= 1;
    }
    if y < 0.0 { ldexp(1.0 / result, -power) } else { ldexp(result, power) }
}

fn special_power(x: f64, y: f64) -> Option<f64> {
    let is_odd = |number: f64| number.abs() < (1_u64 << 53) as f64 && number % 2.0 != 0.0 && number.fract() == 0.0;
    Some(match (x, y) {
        _ if y == 0.0 || x == 1.0 => 1.0,
        _ if y == 1.0 => x,
        _ if x.is_nan() || y.is_nan() => f64::NAN,
        _ if x == 0.0 && y < 0.0 => f64::INFINITY.copysign(if is_odd(y) { x } else { 1.0 }),
        _ if x == 0.0 && is_odd(y) => x,
        _ if x == 0.0 => 0.0,
        _ if y.is_infinite() => limit_power(x, y),
        _ if x == f64::NEG_INFINITY => pow(-0.0, -y),
        _ if x == f64::INFINITY && y < 0.0 => 0.0,
        _ if x == f64::INFINITY => x,
        _ if y == 0.5 => x.sqrt(),
        _ if y == -0.5 => 1.0 / x.sqrt(),
        _ => return None,
    })
}

/// What powers of x come to, for an exponent that is infinite or a large even number.
fn limit_power(x: f64, y: f64) -> f64 {
    if x == -1.0 {
        1.0
    } else if (x.abs() < 1.0) == (y > 0.0) {
        0.0
    } else {
        f64::INFINITY
    }
}

/// Go's `Hypot`
pub(super) fn hypot(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (larger, smaller) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if larger == 0.0 {
        return 0.0;
    }
    let ratio = smaller / larger;
    larger * (1.0 + ratio * ratio).sqrt()
}

/// Go's `Remainder`, after FreeBSD's `e_remainder.c`: exact.
pub(super) fn remainder(x: f64, y: f64) -> f64 {
    const TINY: f64 = 4.450147717014403e-308;
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let is_negative = x < 0.0;
    let (x, y) = (if is_negative { -x } else { x }, y.abs());
    let mut rest = if x == y { 0.0 } else { x };
    if y <= f64::MAX / 2.0 {
        rest %= y + y;
    }
    if y < TINY {
        if rest + rest > y {
            rest -= y;
            if rest + rest >= y {
                rest -= y;
            }
        }
    } else {
        let half = 0.5 * y;
        if rest > half {
            rest -= y;
            if rest >= half {
                rest -= y;
            }
        }
    }
    if is_negative { -rest } else { rest }
}
