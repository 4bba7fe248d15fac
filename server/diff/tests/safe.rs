//! What is called safe breaks nothing: random schemas, each with a version in which something was changed, and random values.
//! If the `jsonschema` crate accepts a value by the old version and refuses it by the new one, a change has to say that
//! values break.
//!
//! `LOFTING_INVENTIONS` is the number of pairs (3,000 by default), `LOFTING_INVENTIONS_SEED` what they are made from.
#![allow(clippy::print_stdout, reason = "how many were compared is shown")]

#[path = "../../check/tests/inventions/generator.rs"]
mod generator;

use generator::{Dice, Draft, schema, value, without_points};
use lofting_diff::{Change, Kind, Language, PathStep, compare};
use serde_json::{Map, Value};

/// Values for each pair.
const VALUES: usize = 40;

/// How many pairs are printed.
const SHOWN: usize = 10;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The maps in a schema that may be schemas themselves.
fn maps<'v>(value: &'v mut Value, into: &mut Vec<&'v mut Map<String, Value>>, wanted: &mut usize) {
    match value {
        Value::Object(map) => {
            if *wanted == 0 {
                return into.push(map);
            }
            *wanted -= 1;
            for item in map.values_mut().filter(|item| item.is_object() || item.is_array()) {
                maps(item, into, wanted);
                if !into.is_empty() {
                    return;
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                maps(item, into, wanted);
                if !into.is_empty() {
                    return;
                }
            }
        }
        _ => {}
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Object(map) => 1 + map.values().map(count).sum::<usize>(),
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    }
}

/// Formats are not compared.
fn without_formats(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.shift_remove("format");
            map.values_mut().for_each(without_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(without_formats),
        _ => {}
    }
}

/// The schema with a keyword less, with one of another schema, or with two such changes.
fn changed(dice: &mut Dice, old: &Value, draft: Draft) -> Value {
    let mut new = old.clone();
    for _ in 0..=dice.below(2) {
        let mut wanted = dice.below(count(&new));
        let mut found = Vec::new();
        let other = schema(dice, draft);
        maps(&mut new, &mut found, &mut wanted);
        let Some(map) = found.pop() else { continue };
        let is_free = |name: &&String| !name.starts_with('$') && *name != "id" && *name != "definitions";
        let from: Vec<&String> = match dice.below(3) {
            0 => map.keys().filter(is_free).collect(),
            _ => other.as_object().into_iter().flat_map(|other| other.keys()).filter(is_free).collect(),
        };
        if from.is_empty() {
            continue;
        }
        let name = from[dice.below(from.len())].clone();
        match (map.contains_key(&name), other.get(&name)) {
            (true, None) => drop(map.shift_remove(&name)),
            (_, Some(said)) => drop(map.insert(name, said.clone())),
            (false, None) => {}
        }
    }
    new
}

/// Which values are valid; None if the reference does not take the schema.
fn valid(schema: &Value, values: &[Value]) -> Option<Vec<bool>> {
    let validator = jsonschema::options().build(schema).ok()?;
    Some(values.iter().map(|value| validator.is_valid(value)).collect())
}

/// The first value that only the old version accepts.
fn broken<'v>(old: &Value, new: &Value, values: &'v [Value]) -> Option<&'v Value> {
    let (before, after) = (valid(old, values)?, valid(new, values)?);
    values.iter().zip(before.iter().zip(&after)).find(|(_, verdicts)| *verdicts == (&true, &false)).map(|(it, _)| it)
}

fn is_new_key(change: &Change) -> bool {
    change.kind == Kind::AddedOptional && matches!(change.path.0.last(), Some(PathStep::Key(_)))
}

/// Whether the comparison says that no values break. Where an open map gets a new key, values that had the key before
/// do not count: the kind `added-optional` never breaks values.
fn is_called_safe(old: &Value, new: &Value) -> bool {
    match compare(Language::JsonSchema, &old.to_string(), &new.to_string()) {
        Ok(compared) => {
            compared.unknown == 0
                && !compared.is_cut
                && !compared.changes.iter().any(|change| change.breaks.values || is_new_key(change))
        }
        Err(_) => false,
    }
}

/// The pair with everything left out that does not matter, as far as leaving out single parts finds it.
fn shrunk(old: &Value, new: &Value, value: &Value) -> (Value, Value) {
    let is_wrong =
        |old: &Value, new: &Value| broken(old, new, std::slice::from_ref(value)).is_some() && is_called_safe(old, new);
    let (mut old, mut new) = (old.clone(), new.clone());
    'smaller: loop {
        for path in paths(&old).into_iter().chain(paths(&new)) {
            let (both, one) = ((without(&old, &path), without(&new, &path)), (old.clone(), without(&new, &path)));
            for (fewer, fewer_new) in [both, one, (without(&old, &path), new.clone())] {
                if (&fewer, &fewer_new) != (&old, &new) && is_wrong(&fewer, &fewer_new) {
                    (old, new) = (fewer, fewer_new);
                    continue 'smaller;
                }
            }
        }
        return (old, new);
    }
}

/// The paths of all parts, as JSON pointers.
fn paths(value: &Value) -> Vec<String> {
    let below = |name: &str, item: &Value| {
        let name = name.replace('~', "~0").replace('/', "~1");
        std::iter::once(format!("/{name}")).chain(paths(item).into_iter().map(move |path| format!("/{name}{path}")))
    };
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(name, _)| *name != "$schema")
            .flat_map(|(name, item)| below(name, item).collect::<Vec<_>>())
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, item)| below(&index.to_string(), item).collect::<Vec<_>>())
            .collect(),
        _ => Vec::new(),
    }
}

fn without(value: &Value, path: &str) -> Value {
    let mut value = value.clone();
    let Some((above, name)) = path.rsplit_once('/') else { return value };
    let name = name.replace("~1", "/").replace("~0", "~");
    match value.pointer_mut(above) {
        Some(Value::Object(map)) => drop(map.shift_remove(&name)),
        Some(Value::Array(items)) => {
            if let Some(index) = name.parse().ok().filter(|index| *index < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
    value
}

#[test]
fn what_is_called_safe_refuses_nothing_that_was_accepted() {
    let pairs = number("LOFTING_INVENTIONS", 3_000);
    let seed = number("LOFTING_INVENTIONS_SEED", 1);
    let mut dice = Dice(seed as u64);
    let (mut breaking, mut safe, mut wrong, mut shown) = (0, 0, 0, Vec::new());
    for index in 0..pairs {
        let draft = Draft::ALL[index % Draft::ALL.len()];
        let mut old = schema(&mut dice, draft);
        let mut new = changed(&mut dice, &old, draft);
        without_formats(&mut old);
        without_formats(&mut new);
        assert!(is_called_safe(&old, &old), "compared with itself: {old}");
        let mut values: Vec<Value> = (0..VALUES).map(|_| value(&mut dice, 3)).collect();
        if draft == Draft::Draft4 {
            values.iter_mut().for_each(without_points);
        }
        let is_safe = is_called_safe(&old, &new);
        safe += usize::from(is_safe);
        let Some(value) = broken(&old, &new, &values) else { continue };
        breaking += 1;
        if is_safe {
            wrong += 1;
            if shown.len() < SHOWN {
                let (old, new) = shrunk(&old, &new, value);
                shown.push(format!("{value} was accepted and is refused:\n  {old}\n  {new}"));
            }
        }
    }
    println!("seed {seed}: of {pairs} pairs {breaking} break a value, {safe} are called safe");
    assert_eq!(wrong, 0, "{}", shown.join("\n"));
    assert!(breaking * 30 > pairs && safe * 20 > pairs, "{breaking} and {safe} of {pairs}: too few to say anything");
}
