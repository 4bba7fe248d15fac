//! The gamma function as Go's `Gamma` computes it, after Cephes: a rational approximation, and Stirling's formula for
//! large arguments.

use std::f64::consts::PI;

use super::elementary::{exp, polynomial, pow};
use super::trigonometry::sin;

pub(super) fn gamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::NEG_INFINITY || x < 0.0 && x.fract() == 0.0 {
        f64::NAN
    } else if x == f64::INFINITY {
        x
    } else if x == 0.0 {
        f64::INFINITY.copysign(x)
    } else if x.abs() <= 33.0 {
        moderate(x)
    } else if x > 0.0 {
        let (first, second) = stirling(x);
        first * second
    } else {
        reflected(x)
    }
}

/// Two factors, whose product may be too large.
fn stirling(x: f64) -> (f64, f64) {
    const SERIES: [f64; 6] = [
        0.0007873113957930937,
        -0.00022954996161337813,
        -0.0026813261780578124,
        0.0034722222160545866,
        0.08333333333334822,
        1.0,
    ];
    const SQRT_TWO_PI: f64 = 2.5066282746310007;
    const MAX_STIRLING: f64 = 143.01608;
    if x > 200.0 {
        return (f64::INFINITY, 1.0);
    }
    let series = polynomial(1.0 / x, &SERIES);
    if x > MAX_STIRLING {
        let root = pow(x, 0.5 * x - 0.25);
        (root, SQRT_TWO_PI * series * (root / exp(x)))
    } else {
        (pow(x, x - 0.5) / exp(x), SQRT_TWO_PI * series)
    }
}

/// Large negative arguments, by reflection.
fn reflected(x: f64) -> f64 {
    let positive = x.abs();
    let whole = positive.floor();
    let sign = if whole % 2.0 == 0.0 { -1.0 } else { 1.0 };
    let mut part = positive - whole;
    if part > 0.5 {
        part = positive - (whole + 1.0);
    }
    let factor = positive * sin(PI * part);
    if factor == 0.0 {
        return f64::INFINITY * sign;
    }
    let (first, second) = stirling(positive);
    let divisor = factor.abs() * first * second;
    sign * if divisor.is_infinite() { PI / factor.abs() / first / second } else { PI / divisor }
}

/// Arguments whose distance from the interval from 2 to 3 is small.
fn moderate(mut x: f64) -> f64 {
    const P: [f64; 7] = [
        0.00016011952247675185,
        0.0011913514700658638,
        0.010421379756176158,
        0.04763678004571372,
        0.20744822764843598,
        0.4942148268014971,
        1.0,
    ];
    const Q: [f64; 8] = [
        -2.3158187332412014e-5,
        0.0005396055804933034,
        -0.004456419138517973,
        0.011813978522206043,
        0.035823639860549865,
        -0.23459179571824335,
        0.0714304917030273,
        1.0,
    ];
    const EULER: f64 = 0.5772156649015329;
    let mut product = 1.0;
    while x >= 3.0 {
        x -= 1.0;
        product *= x;
    }
    while x < 2.0 {
        if x.abs() < 1e-9 {
            return if x == 0.0 { f64::INFINITY } else { product / ((1.0 + EULER * x) * x) };
        }
        product /= x;
        x += 1.0;
    }
    if x == 2.0 {
        return product;
    }
    x -= 2.0;
    product * polynomial(x, &P) / polynomial(x, &Q)
}
