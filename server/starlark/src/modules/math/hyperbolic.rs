//! Hyperbolic functions by the algorithms of Go's `math`: `Sinh` and `Cosh` after Hart and Cheney, `Tanh` after Cephes;
//! `Asinh`, `Acosh` and `Atanh` after FreeBSD.

use std::f64::consts::LN_2;

use super::elementary::{exp, log, log1p, polynomial};

/// Where a function does not differ from a simpler one any more.
const LARGE: f64 = (1_u64 << 28) as f64;
const NEAR_ZERO: f64 = 1.0 / LARGE;

fn signed(is_negative: bool, x: f64) -> f64 {
    if is_negative { -x } else { x }
}

pub(super) fn sinh(x: f64) -> f64 {
    const P: [f64; 4] = [-26.30563213397497, -2894.211355989564, -89912.72022039509, -630767.3640497717];
    const Q: [f64; 4] = [1.0, -173.6789535582337, 15215.17378790019, -630767.3640497717];
    let positive = signed(x < 0.0, x);
    let result = if positive > 21.0 {
        exp(positive) * 0.5
    } else if positive > 0.5 {
        let power = exp(positive);
        (power - 1.0 / power) * 0.5
    } else {
        let square = positive * positive;
        polynomial(square, &P) * positive / polynomial(square, &Q)
    };
    signed(x < 0.0, result)
}

pub(super) fn cosh(x: f64) -> f64 {
    let power = exp(x.abs());
    if x.abs() > 21.0 { power * 0.5 } else { (power + 1.0 / power) * 0.5 }
}

pub(super) fn tanh(x: f64) -> f64 {
    const P: [f64; 3] = [-0.9643991794250523, -99.28772310019185, -1614.6876844170845];
    const Q: [f64; 4] = [1.0, 112.81167849163293, 2235.4883906010045, 4844.063053251255];
    /// The logarithm of 2¹²⁷.
    const MAX_LOG: f64 = 88.02969193111305;
    let positive = x.abs();
    if positive > 0.5 * MAX_LOG {
        signed(x < 0.0, 1.0)
    } else if positive >= 0.625 {
        signed(x < 0.0, 1.0 - 2.0 / (exp(2.0 * positive) + 1.0))
    } else if x == 0.0 {
        x
    } else {
        let square = x * x;
        x + x * square * polynomial(square, &P) / polynomial(square, &Q)
    }
}

pub(super) fn asinh(x: f64) -> f64 {
    if !x.is_finite() {
        return x;
    }
    let positive = signed(x < 0.0, x);
    let square = positive * positive;
    let result = if positive > LARGE {
        log(positive) + LN_2
    } else if positive > 2.0 {
        log(2.0 * positive + 1.0 / ((square + 1.0).sqrt() + positive))
    } else if positive < NEAR_ZERO {
        positive
    } else {
        log1p(positive + square / (1.0 + (1.0 + square).sqrt()))
    };
    signed(x < 0.0, result)
}

pub(super) fn acosh(x: f64) -> f64 {
    if x < 1.0 || x.is_nan() {
        f64::NAN
    } else if x == 1.0 {
        0.0
    } else if x >= LARGE {
        log(x) + LN_2
    } else if x > 2.0 {
        log(2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt()))
    } else {
        let less_one = x - 1.0;
        log1p(less_one + (2.0 * less_one + less_one * less_one).sqrt())
    }
}

pub(super) fn atanh(x: f64) -> f64 {
    let positive = signed(x < 0.0, x);
    if positive > 1.0 || x.is_nan() {
        return f64::NAN;
    }
    if positive == 1.0 {
        return f64::INFINITY.copysign(x);
    }
    let double = positive + positive;
    let result = if positive < NEAR_ZERO {
        positive
    } else if positive < 0.5 {
        0.5 * log1p(double + double * positive / (1.0 - positive))
    } else {
        0.5 * log1p(double / (1.0 - positive))
    };
    signed(x < 0.0, result)
}
