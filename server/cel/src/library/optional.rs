//! Values that may be absent.

use super::{Call, Row};
use crate::cost::{Failure, one, traversal};
use crate::value::Value;

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["optional.none() -> optional(T)"], price: one, run: |_| Ok(Value::Optional(None)) },
    Row { signatures: &["optional.of(T) -> optional(T)"], price: one, run: of },
    Row { signatures: &["optional.ofNonZeroValue(T) -> optional(T)"], price: one, run: of_non_zero },
    Row { signatures: &["(optional(T)).hasValue() -> bool"], price: one, run: has_value },
    Row { signatures: &["(optional(T)).value() -> T"], price: one, run: value },
    Row { signatures: &["(optional(T)).or(optional(T)) -> optional(T)"], price: one, run: or },
    Row { signatures: &["(optional(T)).orValue(T) -> T"], price: one, run: or_value },
    Row {
        signatures: &["optional.unwrap(list(optional(T))) -> list(T)", "(list(optional(T))).unwrapOpt() -> list(T)"],
        price: traversal,
        run: unwrap,
    },
];

fn of(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [value] = call.arguments else { return Err(call.refused()) };
    Ok(Value::present(value.clone()))
}

fn of_non_zero(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [value] = call.arguments else { return Err(call.refused()) };
    Ok(if value.is_zero() { Value::Optional(None) } else { Value::present(value.clone()) })
}

fn has_value(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Optional(value)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(value.is_some()))
}

fn value(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Optional(value)] = call.arguments else { return Err(call.refused()) };
    value.as_ref().map(|value| (**value).clone()).ok_or_else(|| "the value is absent".into())
}

fn or(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Optional(value), other @ Value::Optional(_)] = call.arguments else { return Err(call.refused()) };
    Ok(if value.is_some() { Value::Optional(value.clone()) } else { other.clone() })
}

fn or_value(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Optional(value), other] = call.arguments else { return Err(call.refused()) };
    Ok(value.as_ref().map_or_else(|| other.clone(), |value| (**value).clone()))
}

fn unwrap(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    let mut present = Vec::new();
    for item in &list.items {
        let Value::Optional(item) = item else { return Err(call.refused()) };
        present.extend(item.as_ref().map(|item| (**item).clone()));
    }
    Ok(Value::list(present))
}
