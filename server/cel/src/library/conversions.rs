//! Conversions from one type to another.

use super::{Call, Row};
use crate::cost::{Failure, first_text, one};
use crate::time::{Span, Timestamp};
use crate::value::Value;

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["dyn(T) -> dyn"], price: one, run: same },
    Row { signatures: &["type(T) -> type(T)"], price: one, run: type_of },
    Row { signatures: &["bool(bool) -> bool", "bool(string) -> bool"], price: one, run: to_bool },
    Row {
        signatures: &[
            "int(int) -> int",
            "int(uint) -> int",
            "int(double) -> int",
            "int(string) -> int",
            "int(timestamp) -> int",
            "int(duration) -> int",
        ],
        price: one,
        run: to_int,
    },
    Row {
        signatures: &["uint(uint) -> uint", "uint(int) -> uint", "uint(double) -> uint", "uint(string) -> uint"],
        price: one,
        run: to_uint,
    },
    Row {
        signatures: &[
            "double(double) -> double",
            "double(int) -> double",
            "double(uint) -> double",
            "double(string) -> double",
        ],
        price: one,
        run: to_double,
    },
    Row {
        signatures: &[
            "string(string) -> string",
            "string(bool) -> string",
            "string(int) -> string",
            "string(uint) -> string",
            "string(double) -> string",
            "string(bytes) -> string",
            "string(timestamp) -> string",
            "string(duration) -> string",
            "string(ip) -> string",
            "string(cidr) -> string",
        ],
        price: first_text,
        run: to_string,
    },
    Row { signatures: &["bytes(bytes) -> bytes", "bytes(string) -> bytes"], price: first_text, run: to_bytes },
    Row {
        signatures: &[
            "timestamp(timestamp) -> timestamp",
            "timestamp(int) -> timestamp",
            "timestamp(string) -> timestamp",
        ],
        price: one,
        run: to_timestamp,
    },
    Row {
        signatures: &["duration(duration) -> duration", "duration(int) -> duration", "duration(string) -> duration"],
        price: one,
        run: to_duration,
    },
];

fn same(call: &mut Call<'_>) -> Result<Value, Failure> {
    call.arguments.first().cloned().ok_or_else(|| call.refused())
}

fn type_of(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [value] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Type(value.type_name().into()))
}

fn to_bool(call: &mut Call<'_>) -> Result<Value, Failure> {
    match call.arguments {
        [Value::Bool(value)] => Ok(Value::Bool(*value)),
        [Value::Text(text)] => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
            _ => Err(not_read(text, "a boolean")),
        },
        _ => Err(call.refused()),
    }
}

fn not_read(text: &str, what: &str) -> Failure {
    let shown: String = text.chars().take(100).collect();
    Failure::Because(format!("`{shown}` is not {what}"))
}

const RANGE: &str = "the number is out of range";

fn to_int(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Int(match call.arguments {
        [Value::Int(value)] => *value,
        [Value::Uint(value)] => i64::try_from(*value).map_err(|_| RANGE)?,
        // The nearest numbers to the ends of the range are already outside it.
        #[allow(clippy::cast_possible_truncation, reason = "the range has just been checked")]
        [Value::Double(value)] if *value > -9_223_372_036_854_775_808.0 && *value < 9_223_372_036_854_775_807.0 => {
            *value as i64
        }
        [Value::Double(_)] => return Err(RANGE.into()),
        [Value::Text(text)] => text.parse().map_err(|_| not_read(text, "an integer"))?,
        [Value::Timestamp(time)] => time.instant().0,
        [Value::Duration(span)] => span.nanoseconds,
        _ => return Err(call.refused()),
    }))
}

fn to_uint(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Uint(match call.arguments {
        [Value::Uint(value)] => *value,
        [Value::Int(value)] => u64::try_from(*value).map_err(|_| RANGE)?,
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range has just been checked")]
        [Value::Double(value)] if *value >= 0.0 && *value < 18_446_744_073_709_551_615.0 => *value as u64,
        [Value::Double(_)] => return Err(RANGE.into()),
        [Value::Text(text)] if text.starts_with('+') => return Err(not_read(text, "an unsigned integer")),
        [Value::Text(text)] => text.parse().map_err(|_| not_read(text, "an unsigned integer"))?,
        _ => return Err(call.refused()),
    }))
}

fn to_double(call: &mut Call<'_>) -> Result<Value, Failure> {
    #[allow(clippy::cast_precision_loss, reason = "that is what the conversion does")]
    Ok(Value::Double(match call.arguments {
        [Value::Double(value)] => *value,
        [Value::Int(value)] => *value as f64,
        [Value::Uint(value)] => *value as f64,
        [Value::Text(text)] => text.parse().map_err(|_| not_read(text, "a number"))?,
        _ => return Err(call.refused()),
    }))
}

/// A floating-point number as Go writes it: with the fewest digits, and with an exponent if it is large or small.
pub(super) fn double_to_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf".to_owned() } else { "-Inf".to_owned() };
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value == 0.0 || (-4..6).contains(&exponent) {
        return format!("{value}");
    }
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn to_string(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::text(match call.arguments {
        [Value::Text(text)] => return Ok(Value::Text(text.clone())),
        [Value::Bool(value)] => value.to_string(),
        [Value::Int(value)] => value.to_string(),
        [Value::Uint(value)] => value.to_string(),
        [Value::Double(value)] => double_to_text(*value),
        [Value::Bytes(bytes)] => std::str::from_utf8(bytes).map_err(|_| "these bytes are not UTF-8 text")?.to_owned(),
        [Value::Timestamp(time)] => time.to_string(),
        [Value::Duration(span)] => span.to_seconds(),
        [Value::Ip(address)] => address.to_string(),
        [Value::Cidr(cidr)] => cidr.to_string(),
        _ => return Err(call.refused()),
    }))
}

fn to_bytes(call: &mut Call<'_>) -> Result<Value, Failure> {
    match call.arguments {
        [Value::Bytes(bytes)] => Ok(Value::Bytes(bytes.clone())),
        [Value::Text(text)] => Ok(Value::Bytes(text.as_bytes().into())),
        _ => Err(call.refused()),
    }
}

fn to_timestamp(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Timestamp(match call.arguments {
        [Value::Timestamp(time)] => *time,
        [Value::Int(seconds)] => Timestamp::new(*seconds, 0).ok_or("the time is out of range")?,
        [Value::Text(text)] => Timestamp::parse(text).ok_or_else(|| not_read(text, "a date and time"))?,
        _ => return Err(call.refused()),
    }))
}

fn to_duration(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Duration(match call.arguments {
        [Value::Duration(span)] => *span,
        [Value::Int(nanoseconds)] => Span { nanoseconds: *nanoseconds },
        [Value::Text(text)] => Span::parse(text).ok_or_else(|| not_read(text, "a duration"))?,
        _ => return Err(call.refused()),
    }))
}

#[cfg(test)]
mod tests {
    use super::double_to_text;

    #[test]
    fn numbers_are_written_as_go_does() {
        for (value, expected) in [
            (-0.0045, "-0.0045"),
            (1e21, "1e+21"),
            (6.02214e23, "6.02214e+23"),
            (1e-5, "1e-05"),
            (123.0, "123"),
            (-0.0, "-0"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Inf"),
        ] {
            assert_eq!(double_to_text(value), expected);
        }
    }
}
