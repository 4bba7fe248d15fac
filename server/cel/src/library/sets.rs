//! Arrays as sets.

use super::{Call, Row, operators::members};
use crate::cost::{Failure, product};
use crate::value::{List, Value};

pub(super) const ROWS: &[Row] = &[
    Row {
        signatures: &["sets.contains(list(T), list(T)) -> bool"],
        price: product,
        run: |call| two(call, contains_all),
    },
    Row {
        signatures: &["sets.equivalent(list(T), list(T)) -> bool"],
        price: product,
        run: |call| two(call, |left, right| contains_all(left, right) && contains_all(right, left)),
    },
    Row {
        signatures: &["sets.intersects(list(T), list(T)) -> bool"],
        price: product,
        run: |call| {
            two(call, |left, right| {
                let left = members(&left.items);
                right.items.iter().any(|item| left.find(item).is_some())
            })
        },
    },
];

fn two(call: &Call<'_>, holds: fn(&List, &List) -> bool) -> Result<Value, Failure> {
    let [Value::List(left), Value::List(right)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(holds(left, right)))
}

fn contains_all(left: &List, right: &List) -> bool {
    let left = members(&left.items);
    right.items.iter().all(|item| left.find(item).is_some())
}
