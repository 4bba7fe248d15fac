//! `@ytt:math`

mod elementary;
mod gamma;
mod hyperbolic;
mod trigonometry;

use std::f64::consts::{E, TAU};

use lofting_interpreter::{Value, format, integers};

use self::elementary::{exp, hypot, log, pow, remainder};
use self::gamma::gamma;
use self::hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
use self::trigonometry::{acos, asin, atan, atan2, cos, sin, tan};
use super::Args;
use crate::failure::{Result, fail};

pub(super) fn invoke(args: Args) -> Result<Value> {
    if let Some(function) = unary(args.name) {
        return Ok(Value::Float(function(only(&args)?)));
    }
    if let Some(function) = binary(args.name) {
        count(&args, 2, 2)?;
        return Ok(Value::Float(function(number(&args, 0)?, number(&args, 1)?)));
    }
    match args.name {
        "math.ceil" => whole(&args, f64::ceil),
        "math.floor" => whole(&args, f64::floor),
        "math.log" => logarithm(&args),
        name => fail(format!("unknown function {name}")),
    }
}

fn unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "math.fabs" => f64::abs,
        "math.round" => f64::round,
        "math.exp" => exp,
        "math.sqrt" => f64::sqrt,
        "math.acos" => acos,
        "math.asin" => asin,
        "math.atan" => atan,
        "math.cos" => cos,
        "math.sin" => sin,
        "math.tan" => tan,
        "math.degrees" => |x| 360.0 * x / TAU,
        "math.radians" => |x| TAU * x / 360.0,
        "math.acosh" => acosh,
        "math.asinh" => asinh,
        "math.atanh" => atanh,
        "math.cosh" => cosh,
        "math.sinh" => sinh,
        "math.tanh" => tanh,
        "math.gamma" => gamma,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "math.copysign" => f64::copysign,
        "math.mod" => |x, y| x % y,
        "math.pow" => pow,
        "math.remainder" => remainder,
        "math.atan2" => atan2,
        "math.hypot" => hypot,
        _ => return None,
    })
}

/// Requires as many positional arguments, and no others.
fn count(args: &Args, least: usize, most: usize) -> Result<()> {
    if !args.named.is_empty() {
        return fail(format!("{}: unexpected keyword arguments", args.name));
    }
    let given = args.positional.len();
    let (bound, wanted) = match given {
        _ if given < least => ("at least ", least),
        _ if given > most => ("at most ", most),
        _ => return Ok(()),
    };
    let bound = if least == most { "" } else { bound };
    fail(format!("{}: got {given} arguments, want {bound}{wanted}", args.name))
}

fn number(args: &Args, index: usize) -> Result<f64> {
    let value = args.at(index);
    match integers::to_f64(value) {
        Some(number) => Ok(number),
        None => fail(format!("{}: got {}, want float or int", args.name, value.type_name())),
    }
}

/// The number of a function with one argument.
fn only(args: &Args) -> Result<f64> {
    count(args, 1, 1)?;
    number(args, 0)
}

/// Rounds to an integer; one that is given may have more digits than a float.
fn whole(args: &Args, round: fn(f64) -> f64) -> Result<Value> {
    let rounded = round(only(args)?);
    if args.first().is_int() {
        return Ok(args.first().clone());
    }
    if !rounded.is_finite() {
        let shown = format::float_text(rounded);
        return fail(format!("{}: cannot convert float {shown} to integer", args.name));
    }
    integers::from_f64(rounded)
}

fn logarithm(args: &Args) -> Result<Value> {
    count(args, 1, 2)?;
    let x = number(args, 0)?;
    let base = if args.positional.len() == 2 { number(args, 1)? } else { E };
    if base == 1.0 {
        return fail("math.log: division by zero");
    }
    Ok(Value::Float(log(x) / log(base)))
}
