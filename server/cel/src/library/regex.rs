//! Regular expressions of RE2.

use super::{Call, Row};
use crate::cost::{Failure, search};
use crate::value::Value;
use lofting_schema::re2::{Expression, PatternError};

pub(super) const ROWS: &[Row] = &[Row {
    signatures: &["matches(string, string) -> bool", "(string).matches(string) -> bool"],
    price: search,
    run: matches,
}];

pub(super) const OF_KUBERNETES: &[Row] = &[
    Row { signatures: &["(string).find(string) -> string"], price: search, run: find },
    Row {
        signatures: &["(string).findAll(string) -> list(string)", "(string).findAll(string, int) -> list(string)"],
        price: search,
        run: find_all,
    },
];

fn matches(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text), Value::Text(expression)] = call.arguments else { return Err(call.refused()) };
    with(call, expression, |expression| expression.is_match(text).map(Value::Bool))
}

fn find(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text), Value::Text(expression)] = call.arguments else { return Err(call.refused()) };
    with(call, expression, |expression| {
        let found = expression.on(text)?.find(text.as_bytes()).and_then(|found| text.get(found.range()));
        Ok(Value::text(found.unwrap_or_default()))
    })
}

fn find_all(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (text, expression, limit) = match call.arguments {
        [Value::Text(text), Value::Text(expression)] => (text, expression, -1),
        [Value::Text(text), Value::Text(expression), Value::Int(limit)] => (text, expression, *limit),
        _ => return Err(call.refused()),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    with(call, expression, |expression| {
        let regex = expression.on(text)?;
        let found = regex.find_iter(text.as_bytes()).take(limit).filter_map(|found| text.get(found.range()));
        Ok(Value::list(found.map(Value::text).collect()))
    })
}

/// What an expression finds in a text.
fn with(
    call: &Call<'_>,
    expression: &str,
    find: impl FnOnce(&Expression) -> Result<Value, PatternError>,
) -> Result<Value, Failure> {
    let expression = call.expressions.get(expression).map_err(|error| Failure::Because(error.to_string()))?;
    find(&expression).map_err(|error| Failure::Unknown(error.to_string()))
}
