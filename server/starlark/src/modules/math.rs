//! `@ytt:math`

use lofting_interpreter::{Value, format, integers};

use super::Args;
use crate::failure::{Result, fail};

pub(super) fn invoke(args: Args) -> Result<Value> {
    let number = |index: usize| match integers::to_f64(args.at(index)) {
        Some(number) => Ok(number),
        None => fail(format!("{}: got {}, want float or int", args.name, args.at(index).type_name())),
    };
    let two = ["math.copysign", "math.mod", "math.pow", "math.remainder", "math.atan2", "math.hypot"];
    if args.name == "math.log" {
        if args.positional.is_empty() || args.positional.len() > 2 {
            return fail("math.log: expected one or two arguments");
        }
    } else {
        args.exactly(if two.contains(&args.name) { 2 } else { 1 })?;
    }
    let x = number(0)?;
    let result = match args.name {
        "math.ceil" | "math.floor" => {
            let whole = if args.name == "math.ceil" { x.ceil() } else { x.floor() };
            if !whole.is_finite() {
                return fail(format!("{}: cannot convert float {} to integer", args.name, format::float_text(x)));
            }
            return integers::from_f64(whole);
        }
        "math.copysign" => x.copysign(number(1)?),
        "math.fabs" => x.abs(),
        "math.mod" => x % number(1)?,
        "math.pow" => x.powf(number(1)?),
        "math.remainder" => {
            let y = number(1)?;
            let near = (x / y).round_ties_even();
            x - near * y
        }
        "math.round" => x.round(),
        "math.exp" => x.exp(),
        "math.sqrt" => x.sqrt(),
        "math.acos" => x.acos(),
        "math.asin" => x.asin(),
        "math.atan" => x.atan(),
        "math.atan2" => x.atan2(number(1)?),
        "math.cos" => x.cos(),
        "math.hypot" => x.hypot(number(1)?),
        "math.sin" => x.sin(),
        "math.tan" => x.tan(),
        "math.degrees" => x.to_degrees(),
        "math.radians" => x.to_radians(),
        "math.acosh" => x.acosh(),
        "math.asinh" => x.asinh(),
        "math.atanh" => x.atanh(),
        "math.cosh" => x.cosh(),
        "math.sinh" => x.sinh(),
        "math.tanh" => x.tanh(),
        "math.log" if args.positional.len() == 2 => x.ln() / number(1)?.ln(),
        "math.log" => x.ln(),
        "math.gamma" => gamma(x),
        _ => return fail(format!("unknown function {}", args.name)),
    };
    Ok(Value::Float(result))
}

/// The gamma function by Lanczos' approximation, exact for small integers.
fn gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x.fract() == 0.0 && (1.0..=20.0).contains(&x) {
        return (1..x as u64).product::<u64>() as f64;
    }
    if x < 0.5 {
        return std::f64::consts::PI / ((std::f64::consts::PI * x).sin() * gamma(1.0 - x));
    }
    let x = x - 1.0;
    let mut sum = 0.999_999_999_999_809_9;
    for (index, coefficient) in COEFFICIENTS.iter().enumerate() {
        sum += coefficient / (x + index as f64 + 1.0);
    }
    let t = x + COEFFICIENTS.len() as f64 - 0.5;
    (2.0 * std::f64::consts::PI).sqrt() * t.powf(x + 0.5) * (-t).exp() * sum
}
