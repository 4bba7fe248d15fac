//! Arrays.

use super::{Call, Row, operators::members};
use crate::cost::{Failure, one, square, traversal};
use crate::time::Span;
use crate::types::Type;
use crate::value::{Value, equal, order};
use std::cmp::Ordering;

macro_rules! comparable {
    ($name:literal, $result:literal) => {
        &[
            concat!("(list(int)).", $name, "() -> ", $result, "int)"),
            concat!("(list(uint)).", $name, "() -> ", $result, "uint)"),
            concat!("(list(double)).", $name, "() -> ", $result, "double)"),
            concat!("(list(bool)).", $name, "() -> ", $result, "bool)"),
            concat!("(list(duration)).", $name, "() -> ", $result, "duration)"),
            concat!("(list(timestamp)).", $name, "() -> ", $result, "timestamp)"),
            concat!("(list(string)).", $name, "() -> ", $result, "string)"),
            concat!("(list(bytes)).", $name, "() -> ", $result, "bytes)"),
        ]
    };
    ($name:literal) => {
        &[
            concat!("(list(int)).", $name, "() -> int"),
            concat!("(list(uint)).", $name, "() -> uint"),
            concat!("(list(double)).", $name, "() -> double"),
            concat!("(list(bool)).", $name, "() -> bool"),
            concat!("(list(duration)).", $name, "() -> duration"),
            concat!("(list(timestamp)).", $name, "() -> timestamp"),
            concat!("(list(string)).", $name, "() -> string"),
            concat!("(list(bytes)).", $name, "() -> bytes"),
        ]
    };
}

pub(super) const ROWS: &[Row] = &[
    Row { signatures: comparable!("sort", "list("), price: square_root, run: sort },
    Row { signatures: &["(list(T)).reverse() -> list(T)"], price: traversal, run: reverse },
    Row { signatures: &["(list(T)).distinct() -> list(T)"], price: distinct_price, run: distinct },
    Row { signatures: &["(list(T)).slice(int, int) -> list(T)"], price: traversal, run: slice },
    Row {
        signatures: &["(list(list(T))).flatten() -> list(T)", "(list(dyn)).flatten(int) -> list(dyn)"],
        price: traversal,
        run: flatten,
    },
    Row { signatures: &["lists.range(int) -> list(int)"], price: one, run: range },
    Row { signatures: &["(list(T)).first() -> optional(T)"], price: one, run: first },
    Row { signatures: &["(list(T)).last() -> optional(T)"], price: one, run: last },
];

pub(super) const OF_KUBERNETES: &[Row] = &[
    Row {
        signatures: &[
            "(list(int)).isSorted() -> bool",
            "(list(uint)).isSorted() -> bool",
            "(list(double)).isSorted() -> bool",
            "(list(bool)).isSorted() -> bool",
            "(list(duration)).isSorted() -> bool",
            "(list(timestamp)).isSorted() -> bool",
            "(list(string)).isSorted() -> bool",
            "(list(bytes)).isSorted() -> bool",
        ],
        price: traversal,
        run: is_sorted,
    },
    Row {
        signatures: &[
            "(list(int)).sum() -> int",
            "(list(uint)).sum() -> uint",
            "(list(double)).sum() -> double",
            "(list(duration)).sum() -> duration",
        ],
        price: traversal,
        run: sum,
    },
    Row { signatures: comparable!("min"), price: traversal, run: |call| extreme(call, Ordering::Less) },
    Row { signatures: comparable!("max"), price: traversal, run: |call| extreme(call, Ordering::Greater) },
    Row { signatures: &["(list(T)).indexOf(T) -> int"], price: traversal, run: index_of },
    Row { signatures: &["(list(T)).lastIndexOf(T) -> int"], price: traversal, run: last_index_of },
];

/// Sorting costs a little more than going through all.
fn square_root(arguments: &[Value]) -> u64 {
    let size = arguments.first().map_or(0, Value::size);
    traversal(arguments).saturating_mul(u64::from(usize::BITS - size.leading_zeros()).max(1))
}

/// What has no key is compared with each other item.
fn distinct_price(arguments: &[Value]) -> u64 {
    let Some(Value::List(list)) = arguments.first() else { return 1 };
    let has_keys = list.items.iter().all(|item| crate::value::Key::of(item).is_some());
    if has_keys { traversal(arguments) } else { square(arguments) }
}

fn is_sorted(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    for (left, right) in list.items.iter().zip(list.items.iter().skip(1)) {
        if order(left, right).map_err(|()| call.refused())? == Some(Ordering::Greater) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn sum(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    let mut items = list.items.iter().cloned();
    let mut total = items.next().unwrap_or(match call.result {
        Type::Uint => Value::Uint(0),
        Type::Double => Value::Double(0.0),
        Type::Duration => Value::Duration(Span { nanoseconds: 0 }),
        _ => Value::Int(0),
    });
    for item in items {
        const OVERFLOW: &str = "the sum is out of range";
        total = match (total, item) {
            (Value::Int(left), Value::Int(right)) => Value::Int(left.checked_add(right).ok_or(OVERFLOW)?),
            (Value::Uint(left), Value::Uint(right)) => Value::Uint(left.checked_add(right).ok_or(OVERFLOW)?),
            (Value::Double(left), Value::Double(right)) => Value::Double(left + right),
            (Value::Duration(left), Value::Duration(right)) => Value::Duration(left.plus(right).ok_or(OVERFLOW)?),
            _ => return Err(call.refused()),
        };
    }
    match total {
        Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Duration(_) => Ok(total),
        _ => Err(call.refused()),
    }
}

fn extreme(call: &Call<'_>, wanted: Ordering) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    let mut items = list.items.iter();
    let mut found = items.next().ok_or("an empty array has no smallest and no largest item")?;
    for item in items {
        if order(item, found).map_err(|()| call.refused())? == Some(wanted) {
            found = item;
        }
    }
    Ok(found.clone())
}

fn place(found: Option<usize>) -> Value {
    Value::Int(found.and_then(|found| i64::try_from(found).ok()).unwrap_or(-1))
}

fn index_of(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list), value] = call.arguments else { return Err(call.refused()) };
    Ok(place(list.items.iter().position(|item| equal(item, value))))
}

fn last_index_of(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list), value] = call.arguments else { return Err(call.refused()) };
    Ok(place(list.items.iter().rposition(|item| equal(item, value))))
}

/// Sorts values by keys; None if they are of different types or have no order.
pub fn sorted(mut pairs: Vec<(Value, Value)>) -> Option<Vec<Value>> {
    let are_ordered = match pairs.split_first() {
        None => true,
        Some(((first, _), rest)) => {
            order(first, first).is_ok() && rest.iter().all(|(key, _)| key.type_name() == first.type_name())
        }
    };
    if !are_ordered {
        return None;
    }
    pairs.sort_by(|(left, _), (right, _)| order(left, right).ok().flatten().unwrap_or(Ordering::Equal));
    Some(pairs.into_iter().map(|(_, value)| value).collect())
}

fn sort(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    let pairs = list.items.iter().map(|item| (item.clone(), item.clone())).collect();
    sorted(pairs).map(Value::list).ok_or_else(|| "only values of one type can be sorted".into())
}

fn reverse(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::list(list.items.iter().rev().cloned().collect()))
}

fn distinct(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    let mut known = members(&[]);
    let new = list.items.iter().enumerate().filter(|(at, item)| known.add(*at, item));
    Ok(Value::list(new.map(|(_, item)| item.clone()).collect()))
}

fn slice(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list), Value::Int(from), Value::Int(to)] = call.arguments else { return Err(call.refused()) };
    let places = (usize::try_from(*from), usize::try_from(*to));
    let part = match places {
        (Ok(from), Ok(to)) => list.items.get(from..to),
        _ => None,
    };
    let part = part.ok_or_else(|| format!("an array of {} has no part from {from} to {to}", list.items.len()))?;
    Ok(Value::list(part.to_vec()))
}

fn flatten(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (list, depth) = match call.arguments {
        [Value::List(list)] => (list, 1),
        [Value::List(_), Value::Int(depth)] if *depth < 0 => return Err("the depth cannot be negative".into()),
        [Value::List(list), Value::Int(depth)] => (list, *depth),
        _ => return Err(call.refused()),
    };
    let mut items = list.items.clone();
    for _ in 0..depth {
        if !items.iter().any(|item| matches!(item, Value::List(_))) {
            break;
        }
        let mut flat = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::List(inner) => flat.extend(inner.items.iter().cloned()),
                other => flat.push(other),
            }
        }
        call.meter.spend(u64::try_from(flat.len()).unwrap_or(u64::MAX))?;
        items = flat;
    }
    Ok(Value::list(items))
}

fn range(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Int(end)] = call.arguments else { return Err(call.refused()) };
    call.meter.spend(u64::try_from(*end).unwrap_or(0))?;
    Ok(Value::list((0..*end).map(Value::Int).collect()))
}

fn first(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    Ok(list.items.first().cloned().map_or(Value::Optional(None), Value::present))
}

fn last(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::List(list)] = call.arguments else { return Err(call.refused()) };
    Ok(list.items.last().cloned().map_or(Value::Optional(None), Value::present))
}
