//! `@ytt:validations` of ytt's design proposals: a function for each keyword of `@schema/validate`, which makes a rule for
//! one value.
//!
//! In an annotation such a rule is read as the keyword itself; code may call it as well.

use std::cmp::Ordering;
use std::collections::HashSet;

use lofting_interpreter::{Failure, Value, format};
use lofting_schema::semantics::Formats;
use lofting_schema::{format as formats, re2};

use super::{Args, yaml};
use crate::failure::{Result, fail};
use crate::object::{ObjectKind, object};
use crate::plain;
use crate::run::Run;

/// What all their names begin with.
pub(super) const PREFIX: &str = "validations.";

/// The functions of the module.
pub(super) const FUNCTIONS: &[&str] = &[
    "validations.min",
    "validations.max",
    "validations.min_len",
    "validations.max_len",
    "validations.enum",
    "validations.regexp",
    "validations.format",
    "validations.not_null",
    "validations.unique",
    "validations.prefix",
    "validations.starts_with",
    "validations.ends_with",
];

/// Makes a rule: a function that holds the argument.
pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    args.only(&[])?;
    let (bound, _) = pair(args.name, args.first());
    let is_text = bound.as_text().is_some();
    let wanted = match args.name {
        "validations.min" | "validations.max" => (is_number(bound), "a number"),
        "validations.min_len" | "validations.max_len" => (bound.is_int(), "an int"),
        "validations.enum" => (matches!(bound, Value::List(_) | Value::Tuple(_)), "a list"),
        "validations.not_null" | "validations.unique" => (bound.as_bool().is_some(), "True or False"),
        "validations.format" => {
            let known = bound.as_text().is_none_or(|name| formats::PROPOSED.contains(&name));
            if !known {
                return fail(format!("{}: there is no format {}", args.name, format::shown_quoted(bound)));
            }
            (is_text, "the name of a format")
        }
        "validations.regexp" => {
            if let Some(Err(error)) = bound.as_text().map(re2::check) {
                return fail(format!("{}: {error}", args.name));
            }
            (is_text, "a regular expression")
        }
        _ => (is_text, "a string"),
    };
    match wanted {
        (true, _) => Ok(object(ObjectKind::Closure(args.name), args.positional)),
        (false, wanted) => fail(format!("{}: expected {wanted}, but was {}", args.name, bound.type_name())),
    }
}

/// Checks a value; without one, tells what is valid.
pub(super) fn call(name: &str, own: &[Value], call: &[Value], run: &Run<'_, '_, '_>) -> Result<Value> {
    let keyword = name.strip_prefix(PREFIX).unwrap_or(name);
    let (bound, message) = pair(name, own.first().unwrap_or(&Value::None));
    let shown = format::shown(bound);
    let value = match call {
        [] => return Ok(Value::text(message.map_or_else(|| format!("{keyword} {shown}"), str::to_owned))),
        [value] => value,
        several => return fail(format!("{name}: got {} arguments, want 1", several.len())),
    };
    let (holds, otherwise) = match keyword {
        "not_null" => (!value.is_none() || bound.as_bool() == Some(false), "is null".to_owned()),
        _ if value.is_none() => (true, String::new()),
        "min" => (ordered(value, bound, Ordering::is_ge)?, format!("smaller than {shown}")),
        "max" => (ordered(value, bound, Ordering::is_le)?, format!("greater than {shown}")),
        "min_len" => (long(value, bound, Ordering::is_ge)?, format!("shorter than {shown}")),
        "max_len" => (long(value, bound, Ordering::is_le)?, format!("longer than {shown}")),
        "enum" => (bound.contains(&plain::read(value))?, format!("not one of {shown}")),
        "unique" => (bound.as_bool() == Some(false) || unique(value)?, "two items are equal".to_owned()),
        "format" => (formatted(value, bound), format!("not {}", described(bound))),
        _ => {
            let (Some(text), Some(part)) = (value.as_text(), bound.as_text()) else { return Ok(Value::Bool(true)) };
            match keyword {
                "regexp" => {
                    let refused = |error| Failure::runtime(format!("{name}: {error}"));
                    let expression = run.host.expressions.get(part).map_err(refused)?;
                    (expression.is_match(text).map_err(refused)?, format!("does not match {part}"))
                }
                "ends_with" => (text.ends_with(part), format!("does not end with {part}")),
                _ => (text.starts_with(part), format!("does not start with {part}")),
            }
        }
    };
    if holds { Ok(Value::Bool(true)) } else { fail(message.unwrap_or(&otherwise)) }
}

/// An argument and its message, if it is written as a pair.
fn pair<'v>(name: &str, argument: &'v Value) -> (&'v Value, Option<&'v str>) {
    if let Value::Tuple(parts) = argument
        && let [first, second] = &parts[..]
        && let Some(message) = second.as_text()
        && (name != "validations.enum" || matches!(first, Value::List(_) | Value::Tuple(_)))
    {
        return (first, Some(message));
    }
    (argument, None)
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_))
}

/// The number of a map's or array's items; strings are measured by other keywords.
fn count(value: &Value) -> Option<Value> {
    let length = value.length().filter(|_| value.as_text().is_none())?;
    Some(Value::Int(length as i64))
}

fn ordered(value: &Value, bound: &Value, allows: fn(Ordering) -> bool) -> Result<bool> {
    let count = count(value);
    match count.as_ref().or(is_number(value).then_some(value)) {
        Some(number) => Ok(number.compare(bound, "<=")?.is_some_and(allows)),
        None => Ok(true),
    }
}

fn long(value: &Value, bound: &Value, allows: fn(Ordering) -> bool) -> Result<bool> {
    match value.length() {
        Some(length) => Ok(Value::Int(length as i64).compare(bound, "<=")?.is_some_and(allows)),
        None => Ok(true),
    }
}

/// Whether no two items are equal. They are compared by their texts, which takes no longer than writing them.
fn unique(value: &Value) -> Result<bool> {
    if value.as_text().is_some() || matches!(value, Value::Dict(_)) {
        return Ok(true);
    }
    let Ok(items) = value.items() else { return Ok(true) };
    let mut seen = HashSet::new();
    for item in items {
        if !seen.insert(yaml::encode(&item)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn formatted(value: &Value, name: &Value) -> bool {
    let Some(name) = name.as_text() else { return true };
    match (value.as_text(), value.as_int()) {
        (Some(text), _) => formats::fits(Formats::Proposed, name, text),
        (None, Some(number)) => formats::fits_integer(Formats::Proposed, name, number.into()),
        _ => None,
    }
    .unwrap_or(true)
}

fn described(name: &Value) -> &str {
    let name = name.as_text().unwrap_or_default();
    formats::words(Formats::Proposed, name).unwrap_or(name)
}
