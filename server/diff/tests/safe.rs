//! What is called safe breaks nothing: random schemas, each with a version in which something was changed, and random values.
//! If the `jsonschema` crate accepts a value by the old version and refuses it by the new one, a change has to say that
//! values break.
//!
//! `LOFTING_INVENTIONS` is the number of pairs (3,000 by default), `LOFTING_INVENTIONS_SEED` what they are made from.
#![allow(clippy::print_stdout, reason = "how many were compared is shown")]

#[path = "../../check/tests/inventions/generator.rs"]
mod generator;
#[path = "../../check/tests/inventions/shrink.rs"]
#[expect(dead_code, reason = "a pair is shrunk in another way")]
mod shrink;

use generator::{Dice, Draft, asked, schema, value, without_points};
use lofting_diff::{Change, Kind, Language, PathStep, compare};
use serde_json::Value;
use shrink::{paths, without};

/// Values for each pair.
const VALUES: usize = 40;

/// How many pairs are printed.
const SHOWN: usize = 10;

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
        let is_map = |path: &String| new.pointer(path).is_some_and(Value::is_object);
        let maps: Vec<String> = std::iter::once(String::new()).chain(paths(&new)).filter(is_map).collect();
        let other = schema(dice, draft);
        let map = new.pointer_mut(&maps[dice.below(maps.len())]).and_then(Value::as_object_mut).expect("a map");
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

#[test]
fn what_is_called_safe_refuses_nothing_that_was_accepted() {
    let (pairs, seed) = asked(3_000);
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
