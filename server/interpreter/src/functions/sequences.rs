//! Functions that make, order and combine collections.

use std::cmp::Ordering;

use crate::arguments::{Arguments, Given};
use crate::collections::{Dict, DictKey};
use crate::evaluator::Evaluator;
use crate::failure::{Result, fail, too_much_memory};
use crate::value::{MAX_ITEMS, Value};

pub(super) fn dict(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let mut entries = Vec::new();
    update(given, &mut entries)?;
    Ok(Value::Dict(Dict::from_entries(entries.into_iter().collect())))
}

/// The entries that the arguments of `dict` and `update` give: a mapping or a sequence of pairs, then keywords.
pub(crate) fn update(given: &Given<'_>, entries: &mut Vec<(DictKey, Value)>) -> Result<()> {
    if given.values.len() > 1 {
        return fail(format!("{}: got {} arguments, want at most 1", given.name, given.values.len()));
    }
    if let Some(source) = given.at(0) {
        for (key, value) in match source.entries()? {
            Some(entries) => entries,
            None => pairs(source, given.name)?,
        } {
            entries.push((DictKey::new(key)?, value));
        }
    }
    for (name, value) in given.named {
        entries.push((DictKey::new(Value::String(name.clone()))?, value.clone()));
    }
    Ok(())
}

fn pairs(source: &Value, name: &str) -> Result<Vec<(Value, Value)>> {
    let Ok(items) = source.items() else {
        return fail(format!("{name}: got {}, want iterable", source.type_name()));
    };
    let mut pairs = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let element = || format!("{name}: dictionary update sequence element #{index}");
        let Ok(parts) = item.items() else {
            return fail(format!("{} is not iterable ({})", element(), item.type_name()));
        };
        match parts.as_slice() {
            [key, value] => pairs.push((key.clone(), value.clone())),
            parts => return fail(format!("{} has length {}, want 2", element(), parts.len())),
        }
    }
    Ok(pairs)
}

pub(super) fn enumerate(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 2)?;
    let start = given.number(1)?.unwrap_or(0);
    let numbers = (0i64..).map(|index| Value::Int(start.wrapping_add(index)));
    let pairs = given.items(0)?.into_iter().zip(numbers).map(|(item, index)| Value::tuple(vec![index, item]));
    Ok(Value::list(pairs.collect()))
}

pub(super) fn zip(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    if !given.named.is_empty() {
        return fail("zip: unexpected keyword arguments");
    }
    let mut columns = Vec::new();
    for (index, value) in given.values.iter().enumerate() {
        match value.items() {
            Ok(items) => columns.push(items.into_iter()),
            Err(_) => {
                return fail(format!("zip: argument #{} is not iterable: {}", index + 1, value.type_name()));
            }
        }
    }
    let rows = columns.iter().map(ExactSizeIterator::len).min().unwrap_or(0);
    if rows.saturating_mul(columns.len()) > MAX_ITEMS {
        return too_much_memory();
    }
    let rows = (0..rows).map(|_| Value::tuple(columns.iter_mut().filter_map(Iterator::next).collect()));
    Ok(Value::list(rows.collect()))
}

/// The argument `key=`, for functions that have one.
fn key<'a>(name: &str, place: &str, key: Option<&'a Value>) -> Result<Option<&'a Value>> {
    match key {
        Some(key) if !matches!(key.type_name(), "function" | "builtin_function_or_method") => {
            fail(format!("{name}: for parameter {place}: got {}, want callable", key.type_name()))
        }
        key => Ok(key),
    }
}

/// Items with what they are compared by.
fn keyed(items: Vec<Value>, key: Option<&Value>, evaluator: &mut Evaluator<'_>) -> Result<Vec<(Value, Value)>> {
    let pair = |item: Value| match key {
        None => Ok((item.clone(), item)),
        Some(key) => {
            let arguments = Arguments { positional: vec![item.clone()], named: Vec::new() };
            Ok((evaluator.call(key, arguments)?, item))
        }
    };
    items.into_iter().map(pair).collect()
}

pub(super) fn extremum(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let name = given.name;
    if given.values.is_empty() {
        return fail(format!("{name} requires at least one positional argument"));
    }
    let [by] = Given { name, receiver: given.receiver, values: &[], named: given.named }.by_name(["key"], 0)?;
    let by = key(name, "key", by)?;
    let items = match given.values {
        [only] => match only.items() {
            Ok(items) => items,
            Err(_) => return fail(format!("{name}: {} value is not iterable", only.type_name())),
        },
        several => several.to_vec(),
    };
    let mut keyed = keyed(items, by, evaluator)?.into_iter();
    let Some(mut best) = keyed.next() else { return fail(format!("{name}: argument is an empty sequence")) };
    let (better, operator) = if name == "max" { (Ordering::Greater, ">") } else { (Ordering::Less, "<") };
    for candidate in keyed {
        if candidate.0.compare(&best.0, operator)? == Some(better) {
            best = candidate;
        }
    }
    Ok(best.1)
}

pub(super) fn sorted(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let [sequence, by, reverse] = given.by_name(["iterable", "key", "reverse"], 1)?;
    let sequence = sequence.unwrap_or(&Value::None);
    let place =
        |number: usize, name: &str| if given.values.len() >= number { number.to_string() } else { name.to_owned() };
    let Ok(items) = sequence.items() else {
        let place = place(1, "iterable");
        return fail(format!("sorted: for parameter {place}: got {}, want iterable", sequence.type_name()));
    };
    let by = key("sorted", &place(2, "key"), by)?;
    let reverse = match reverse.map(|value| value.as_bool().ok_or(value)) {
        None => false,
        Some(Ok(reverse)) => reverse,
        Some(Err(value)) => {
            let place = place(3, "reverse");
            return fail(format!("sorted: for parameter {place}: got {}, want bool", value.type_name()));
        }
    };
    let keyed = keyed(items, by, evaluator)?;
    let ordered = merge_sorted(keyed, &mut |left, right| {
        let (less, greater) = if reverse { (left, right) } else { (right, left) };
        Ok(less.0.compare(&greater.0, "<")? == Some(Ordering::Less))
    })?;
    Ok(Value::list(ordered.into_iter().map(|(_, item)| item).collect()))
}

/// Sorts, keeping the order of equal items. That of the standard library may panic where values have no order.
fn merge_sorted<T>(items: Vec<T>, is_after: &mut impl FnMut(&T, &T) -> Result<bool>) -> Result<Vec<T>> {
    let mut runs: Vec<Vec<T>> = items.into_iter().map(|item| vec![item]).collect();
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut left = runs.into_iter();
        while let Some(first) = left.next() {
            merged.push(match left.next() {
                Some(second) => merge(first, second, is_after)?,
                None => first,
            });
        }
        runs = merged;
    }
    Ok(runs.pop().unwrap_or_default())
}

fn merge<T>(left: Vec<T>, right: Vec<T>, is_after: &mut impl FnMut(&T, &T) -> Result<bool>) -> Result<Vec<T>> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
        let next = if is_after(first, second)? { right.next() } else { left.next() };
        merged.extend(next);
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}
