//! Angles by the algorithms of Go's `math`: `Sin`, `Cos` and `Tan` after Cephes, with the reduction of large arguments
//! by Payne and Hanek; `Atan`, `Asin`, `Acos` and `Atan2` after Cephes.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::elementary::polynomial;

const SIN: [f64; 6] = [
    1.5896230157654656e-10,
    -2.5050747762857807e-8,
    2.7557313621385722e-6,
    -0.0001984126982958954,
    0.008333333333322118,
    -0.1666666666666663,
];
const COS: [f64; 6] = [
    -1.1358536521387682e-11,
    2.087570084197473e-9,
    -2.755731417929674e-7,
    2.4801587288851704e-5,
    -0.0013888888888873056,
    0.041666666666666595,
];

/// The octant of an angle that is not negative, even and modulo a whole turn, and the angle within it.
fn reduced(x: f64) -> (u64, f64) {
    // A quarter of pi in three parts.
    const PARTS: [f64; 3] = [0.7853981256484985, 3.774894707930798e-8, 2.6951514290790595e-15];
    if x >= f64::from(1 << 29) {
        return reduced_exactly(x);
    }
    let mut octant = (x * (2.0 * std::f64::consts::FRAC_2_PI)) as u64;
    octant += octant & 1;
    let count = octant as f64;
    (octant & 7, PARTS.iter().fold(x, |rest, part| rest - count * part))
}

/// Go's `trigReduce`: the product with those digits of 4/π that matter.
fn reduced_exactly(x: f64) -> (u64, f64) {
    /// 4/π in base 2⁶⁴.
    const DIGITS: [u64; 20] = [
        0x0000000000000001,
        0x45f306dc9c882a53,
        0xf84eafa3ea69bb81,
        0xb6c52b3278872083,
        0xfca2c757bd778ac3,
        0x6e48dc74849ba5c0,
        0x0c925dd413a32439,
        0xfc3bd63962534e7d,
        0xd1046bea5d768909,
        0xd338e04d68befc82,
        0x7323ac7306a673e9,
        0x3908bf177bf25076,
        0x3ff12fffbc0b301f,
        0xde5e2316b414da3e,
        0xda6cfd9e4f96136e,
        0x9e8c7ecd3cbfd45a,
        0xea4f758fd7cbe2f6,
        0x7a0e73ef14a525d4,
        0xd7f6bf623f1aba10,
        0xac06608df8f6d757,
    ];
    let mantissa = x.to_bits() & ((1 << 52) - 1) | 1 << 52;
    let at = ((x.to_bits() >> 52 & 0x7ff) + 61).saturating_sub(1023 + 52);
    let digit = |index: u64| {
        let index = (at / 64 + index) as usize;
        u128::from(DIGITS.get(index).copied().unwrap_or(0))
    };
    let window = |index: u64| ((digit(index) << 64 | digit(index + 1)) << (at % 64) >> 64) as u64;
    let product = |index: u64| u128::from(window(index)) * u128::from(mantissa);
    let product =
        (u128::from(window(0).wrapping_mul(mantissa)) << 64).wrapping_add(product(1)).wrapping_add(product(2) >> 64);
    let (high, low) = ((product >> 64) as u64, product as u64);
    let octant = high >> 61;
    let fraction = high << 3 | low >> 61;
    let shift = fraction.leading_zeros() + 1;
    let fraction = fraction.checked_shl(shift).unwrap_or(0) | low.checked_shr(64_u32.wrapping_sub(shift)).unwrap_or(0);
    let angle = f64::from_bits(fraction >> 12 | u64::from(1023 - shift) << 52);
    if octant & 1 == 1 { ((octant + 1) & 7, (angle - 1.0) * FRAC_PI_4) } else { (octant, angle * FRAC_PI_4) }
}

/// The sine within an octant.
fn near_sin(z: f64) -> f64 {
    let square = z * z;
    z + z * square * polynomial(square, &SIN)
}

/// The cosine within an octant.
fn near_cos(z: f64) -> f64 {
    let square = z * z;
    1.0 - 0.5 * square + square * square * polynomial(square, &COS)
}

fn signed(is_negative: bool, x: f64) -> f64 {
    if is_negative { -x } else { x }
}

pub(super) fn cos(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (octant, z) = reduced(x.abs());
    let value = if octant & 3 == 2 { near_sin(z) } else { near_cos(z) };
    signed(matches!(octant, 2 | 4), value)
}

pub(super) fn sin(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        return x;
    }
    if x.is_infinite() {
        return f64::NAN;
    }
    let (octant, z) = reduced(x.abs());
    let value = if octant & 3 == 2 { near_cos(z) } else { near_sin(z) };
    signed((x < 0.0) != (octant > 3), value)
}

pub(super) fn tan(x: f64) -> f64 {
    const P: [f64; 3] = [-13093.693918138379, 1153516.6483858742, -17956525.197648488];
    const Q: [f64; 5] = [1.0, 13681.296347069296, -1320892.3444021097, 25008380.18233579, -53869575.592945464];
    if x == 0.0 || x.is_nan() {
        return x;
    }
    if x.is_infinite() {
        return f64::NAN;
    }
    let (octant, z) = reduced(x.abs());
    let square = z * z;
    let near = if square > 1e-14 { z + z * (square * polynomial(square, &P) / polynomial(square, &Q)) } else { z };
    signed(x < 0.0, if octant & 2 == 2 { -1.0 / near } else { near })
}

/// Go's `xatan`, for arguments up to 0.66.
fn near_atan(x: f64) -> f64 {
    const P: [f64; 5] =
        [-0.8750608600031904, -16.157537187333652, -75.00855792314705, -122.88666844901361, -64.85021904942025];
    const Q: [f64; 6] =
        [1.0, 24.858464901423062, 165.02700983169885, 432.88106049129027, 485.3903996359137, 194.5506571482614];
    let square = x * x;
    x * (square * polynomial(square, &P) / polynomial(square, &Q)) + x
}

/// Go's `satan`, for arguments that are not negative.
fn positive_atan(x: f64) -> f64 {
    /// What half of pi has beyond a float.
    const MORE: f64 = 6.123233995736766e-17;
    const TAN_3_PI_8: f64 = 2.414213562373095;
    if x <= 0.66 {
        near_atan(x)
    } else if x > TAN_3_PI_8 {
        FRAC_PI_2 - near_atan(1.0 / x) + MORE
    } else {
        FRAC_PI_4 + near_atan((x - 1.0) / (x + 1.0)) + 0.5 * MORE
    }
}

pub(super) fn atan(x: f64) -> f64 {
    if x == 0.0 { x } else { signed(x < 0.0, positive_atan(x.abs())) }
}

pub(super) fn asin(x: f64) -> f64 {
    if x == 0.0 {
        return x;
    }
    let positive = x.abs();
    if positive > 1.0 {
        return f64::NAN;
    }
    let other = (1.0 - positive * positive).sqrt();
    let angle =
        if positive > 0.7 { FRAC_PI_2 - positive_atan(other / positive) } else { positive_atan(positive / other) };
    signed(x < 0.0, angle)
}

pub(super) fn acos(x: f64) -> f64 {
    FRAC_PI_2 - asin(x)
}

pub(super) fn atan2(y: f64, x: f64) -> f64 {
    if y.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    if y == 0.0 {
        return if x.is_sign_negative() { PI.copysign(y) } else { y };
    }
    if x == 0.0 {
        return FRAC_PI_2.copysign(y);
    }
    match (x.is_infinite(), y.is_infinite()) {
        (true, true) => return if x > 0.0 { FRAC_PI_4 } else { 3.0 * FRAC_PI_4 }.copysign(y),
        (true, false) => return if x > 0.0 { 0.0 } else { PI }.copysign(y),
        (false, true) => return FRAC_PI_2.copysign(y),
        (false, false) => {}
    }
    let angle = atan(y / x);
    if x >= 0.0 {
        angle
    } else if angle <= 0.0 {
        angle + PI
    } else {
        angle - PI
    }
}
