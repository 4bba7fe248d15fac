//! `"%d of %s".format([1, "a"])`

use super::conversions::double_to_text;
use super::strings::quoted;
use super::{Call, Row};
use crate::cost::{Failure, first_text};
use crate::types::Type;
use crate::value::Value;

pub(super) const ROWS: &[Row] =
    &[Row { signatures: &["(string).format(list(dyn)) -> string"], price: first_text, run: format }];

/// How a value is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clause {
    Text,
    Decimal,
    Fixed(usize),
    Scientific(usize),
    Binary,
    Octal,
    Hexadecimal { upper: bool },
}

/// The maximum number of digits: no number has more.
const MOST_DIGITS: usize = 1000;

/// The clause after a percent sign, and what follows it.
fn clause(text: &str) -> Result<(Clause, &str), Failure> {
    let (precision, rest) = match text.strip_prefix('.') {
        None => (6, text),
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, rest) = rest.split_at(end);
            let digits = digits.parse().ok().filter(|digits| *digits <= MOST_DIGITS);
            (digits.ok_or("a precision needs a number of up to 1000 after the dot")?, rest)
        }
    };
    let c = rest.chars().next().ok_or("a clause is missing after the last `%`")?;
    let clause = match c {
        's' => Clause::Text,
        'd' => Clause::Decimal,
        'f' => Clause::Fixed(precision),
        'e' => Clause::Scientific(precision),
        'b' => Clause::Binary,
        'o' => Clause::Octal,
        'x' => Clause::Hexadecimal { upper: false },
        'X' => Clause::Hexadecimal { upper: true },
        other => return Err(format!("there is no clause `%{other}`").into()),
    };
    Ok((clause, rest.get(c.len_utf8()..).unwrap_or_default()))
}

/// The parts of a format: what comes before each clause, the clause, and what comes last.
fn parts(mut text: &str, mut each: impl FnMut(&str, Option<Clause>) -> Result<(), Failure>) -> Result<(), Failure> {
    while let Some((before, rest)) = text.split_once('%') {
        if let Some(rest) = rest.strip_prefix('%') {
            each(before, None)?;
            each("%", None)?;
            text = rest;
            continue;
        }
        let (clause, rest) = clause(rest)?;
        each(before, Some(clause))?;
        text = rest;
    }
    each(text, None)
}

fn format(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text), Value::List(list)] = call.arguments else { return Err(call.refused()) };
    let mut out = String::new();
    let mut values = list.items.iter();
    let meter = &mut *call.meter;
    parts(text, |before, clause| {
        out.push_str(before);
        if let Some(clause) = clause {
            let value = values.next().ok_or("there are more clauses than values")?;
            let start = out.len();
            show(&mut out, clause, value)?;
            meter.spend_text(out.len() - start)?;
        }
        Ok(())
    })?;
    Ok(Value::text(out))
}

/// What is wrong with the types of the values of a format.
pub fn check(text: &str, values: &[Type]) -> Result<(), Failure> {
    let mut left = values.iter();
    parts(text, |_, clause| {
        let Some(clause) = clause else { return Ok(()) };
        let value = left.next().ok_or("there are more clauses than values")?;
        let fits = match clause {
            Clause::Text => !matches!(value, Type::Opaque(..) | Type::Object(_)),
            Clause::Decimal | Clause::Octal => matches!(value, Type::Int | Type::Uint),
            Clause::Fixed(_) | Clause::Scientific(_) => matches!(value, Type::Double | Type::Text),
            Clause::Binary => matches!(value, Type::Int | Type::Uint | Type::Bool),
            Clause::Hexadecimal { .. } => matches!(value, Type::Int | Type::Uint | Type::Text | Type::Bytes),
        };
        if fits || *value == Type::Dyn { Ok(()) } else { Err(refused(clause, &value.words())) }
    })?;
    if left.next().is_some() { Err("there are more values than clauses".into()) } else { Ok(()) }
}

fn refused(clause: Clause, what: &str) -> Failure {
    let sign = match clause {
        Clause::Text => 's',
        Clause::Decimal => 'd',
        Clause::Fixed(_) => 'f',
        Clause::Scientific(_) => 'e',
        Clause::Binary => 'b',
        Clause::Octal => 'o',
        Clause::Hexadecimal { upper: false } => 'x',
        Clause::Hexadecimal { upper: true } => 'X',
    };
    Failure::Because(format!("`%{sign}` cannot show {what}"))
}

fn show(out: &mut String, clause: Clause, value: &Value) -> Result<(), Failure> {
    match (clause, value) {
        (Clause::Text, _) => text(out, value, false)?,
        (Clause::Decimal, Value::Int(value)) => out.push_str(&value.to_string()),
        (Clause::Decimal, Value::Uint(value)) => out.push_str(&value.to_string()),
        (Clause::Fixed(_) | Clause::Scientific(_), Value::Text(text)) => {
            let value = match &**text {
                "NaN" => f64::NAN,
                "Infinity" => f64::INFINITY,
                "-Infinity" => f64::NEG_INFINITY,
                _ => return Err(refused(clause, value.type_words())),
            };
            show(out, clause, &Value::Double(value))?;
        }
        (Clause::Fixed(precision), Value::Double(value)) => out.push_str(&fixed(*value, precision)),
        (Clause::Scientific(precision), Value::Double(value)) => out.push_str(&scientific(*value, precision)),
        (Clause::Binary, Value::Bool(value)) => out.push(if *value { '1' } else { '0' }),
        (Clause::Binary, Value::Int(value)) => {
            out.push_str(&format!("{}{:b}", sign(*value), value.unsigned_abs()));
        }
        (Clause::Binary, Value::Uint(value)) => out.push_str(&format!("{value:b}")),
        (Clause::Octal, Value::Int(value)) => out.push_str(&format!("{}{:o}", sign(*value), value.unsigned_abs())),
        (Clause::Octal, Value::Uint(value)) => out.push_str(&format!("{value:o}")),
        (Clause::Hexadecimal { upper }, _) => {
            let digits = match value {
                Value::Int(value) => format!("{}{:x}", sign(*value), value.unsigned_abs()),
                Value::Uint(value) => format!("{value:x}"),
                Value::Text(text) => text.bytes().map(|byte| format!("{byte:02x}")).collect(),
                Value::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
                _ => return Err(refused(clause, value.type_words())),
            };
            out.push_str(&if upper { digits.to_ascii_uppercase() } else { digits });
        }
        _ => return Err(refused(clause, value.type_words())),
    }
    Ok(())
}

fn sign(value: i64) -> &'static str {
    if value < 0 { "-" } else { "" }
}

/// `1,234.50`: as the API server's library writes numbers in American English.
fn fixed(value: f64, precision: usize) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-∞".to_owned() } else { "∞".to_owned() };
    }
    let written = format!("{:.precision$}", value.abs());
    let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
    let mut out = String::from(if value.is_sign_negative() { "-" } else { "" });
    for (number, digit) in whole.chars().enumerate() {
        if number > 0 && (whole.len() - number) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// `1.50×10⁰³`
fn scientific(value: f64, precision: usize) -> String {
    if !value.is_finite() {
        return format!("{:>precision$}", fixed(value, 0));
    }
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let written = format!("{value:.precision$e}");
    let (number, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let raised = format!("{:02}", exponent.abs());
    let raised: String =
        raised.chars().filter_map(|c| DIGITS.get(usize::try_from(c.to_digit(10)?).ok()?).copied()).collect();
    format!("{number}×10{}{raised}", if exponent < 0 { "⁻" } else { "" })
}

/// A value as a string; parts of arrays and maps are written as in an expression.
fn text(out: &mut String, value: &Value, is_part: bool) -> Result<(), Failure> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(&value.to_string()),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Uint(value) => out.push_str(&value.to_string()),
        Value::Double(value) if !is_part => out.push_str(&double_to_text(*value)),
        Value::Double(value) if value.is_finite() => out.push_str(&format!("{value:.6}")),
        Value::Double(value) => out.push_str(&quoted(&double_to_text(*value))),
        Value::Text(text) if is_part => out.push_str(&quoted(text)),
        Value::Text(text) => out.push_str(text),
        Value::Bytes(bytes) => {
            let text = std::str::from_utf8(bytes).map_err(|_| "these bytes are not UTF-8 text")?;
            out.push_str(&if is_part { format!("b{}", quoted(text)) } else { text.to_owned() });
        }
        Value::Duration(span) if is_part => out.push_str(&format!("duration({:?})", span.to_seconds())),
        Value::Duration(span) => out.push_str(&span.to_seconds()),
        Value::Timestamp(time) if is_part => out.push_str(&format!("timestamp(\"{time}\")")),
        Value::Timestamp(time) => out.push_str(&time.to_string()),
        Value::Type(name) => out.push_str(name),
        Value::List(list) => {
            out.push('[');
            for (number, item) in list.items.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { ", " });
                text(out, item, true)?;
            }
            out.push(']');
        }
        Value::Map(map) => {
            let mut entries = Vec::new();
            for (key, value) in map.entries.values() {
                let mut shown = String::new();
                text(&mut shown, key, true)?;
                let end = shown.len();
                shown.push(':');
                text(&mut shown, value, true)?;
                entries.push((end, shown));
            }
            entries.sort_by(|(left_end, left), (right_end, right)| left.get(..*left_end).cmp(&right.get(..*right_end)));
            let entries: Vec<String> = entries.into_iter().map(|(_, shown)| shown).collect();
            out.push_str(&format!("{{{}}}", entries.join(", ")));
        }
        _ => return Err(refused(Clause::Text, value.type_words())),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check, fixed, scientific};
    use crate::types::Type;

    #[test]
    fn numbers_are_written_in_american_english() {
        assert_eq!(fixed(-1_234_567.891, 2), "-1,234,567.89");
        assert_eq!(fixed(0.5, 0), "0");
        assert_eq!(scientific(0.001_234, 3), "1.234×10⁻⁰³");
        assert_eq!(scientific(f64::NEG_INFINITY, 6), "    -∞");
    }

    #[test]
    fn formats_are_checked() {
        assert_eq!(check("%d %s %% %.2f", &[Type::Int, Type::Dyn, Type::Double]), Ok(()));
        for (format, values) in
            [("%d", &[Type::Text][..]), ("%s", &[]), ("", &[Type::Int]), ("%q", &[Type::Int]), ("%", &[])]
        {
            assert!(check(format, values).is_err(), "{format}");
        }
    }
}
