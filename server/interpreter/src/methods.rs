//! The methods of lists, dicts and sets.

use crate::arguments::Given;
use crate::collections::{Dict, DictKey, List, Set};
use crate::evaluator::Evaluator;
use crate::failure::{Result, fail};
use crate::functions::{Builtin, update};
use crate::value::Value;

/// The methods of lists, sorted.
pub(crate) static OF_LISTS: [Builtin; 7] = [
    Builtin { name: "list.append", run: append },
    Builtin { name: "list.clear", run: list_clear },
    Builtin { name: "list.extend", run: extend },
    Builtin { name: "list.index", run: index },
    Builtin { name: "list.insert", run: insert },
    Builtin { name: "list.pop", run: list_pop },
    Builtin { name: "list.remove", run: remove },
];

/// The methods of dicts, sorted.
pub(crate) static OF_DICTS: [Builtin; 9] = [
    Builtin { name: "dict.clear", run: dict_clear },
    Builtin { name: "dict.get", run: get },
    Builtin { name: "dict.items", run: parts },
    Builtin { name: "dict.keys", run: parts },
    Builtin { name: "dict.pop", run: dict_pop },
    Builtin { name: "dict.popitem", run: popitem },
    Builtin { name: "dict.setdefault", run: setdefault },
    Builtin { name: "dict.update", run: dict_update },
    Builtin { name: "dict.values", run: parts },
];

/// The methods of sets.
pub(crate) static OF_SETS: [Builtin; 1] = [Builtin { name: "set.union", run: union }];

fn list<'a>(given: &Given<'a>) -> Result<&'a List> {
    match given.receiver {
        Value::List(list) => Ok(list),
        other => fail(format!("{}: got {}, want list", given.name, other.type_name())),
    }
}

fn dict<'a>(given: &Given<'a>) -> Result<&'a Dict> {
    match given.receiver {
        Value::Dict(dict) => Ok(dict),
        other => fail(format!("{}: got {}, want dict", given.name, other.type_name())),
    }
}

fn append(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    let list = list(given)?;
    evaluator.adds_to_list(list, std::slice::from_ref(given.first()))?;
    list.change(|items| items.push(given.first().clone()))?;
    Ok(Value::None)
}

fn list_clear(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 0)?;
    let removed = list(given)?.change(std::mem::take)?;
    drop(removed);
    Ok(Value::None)
}

fn extend(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    evaluator.extend(list(given)?, given.items(0)?)?;
    Ok(Value::None)
}

fn index(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 3)?;
    let list = list(given)?;
    let (start, end) = given.bounds(1, list.len())?;
    match list.find(given.first(), start)?.filter(|place| *place < end) {
        Some(place) => Ok(Value::Int(place as i64)),
        None => fail("index: value not in list"),
    }
}

fn insert(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(2, 2)?;
    let (list, place) = (list(given)?, given.number(0)?.unwrap_or(0));
    let value = given.at(1).cloned().unwrap_or_default();
    evaluator.adds_to_list(list, std::slice::from_ref(&value))?;
    list.change(|items| {
        let length = items.len() as i64;
        let at = if place < 0 { place.saturating_add(length) } else { place };
        items.insert(at.clamp(0, length) as usize, value);
    })?;
    Ok(Value::None)
}

fn list_pop(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 1)?;
    let index = given.number(0)?.unwrap_or(-1);
    list(given)?.change(|items| {
        let length = items.len() as i64;
        let place = if index < 0 { index.saturating_add(length) } else { index };
        if !(0..length).contains(&place) {
            return fail(match length {
                0 => format!("pop: index {index} out of range: empty list"),
                _ => format!("pop: list index {index} out of range [{}:{}]", -length, length - 1),
            });
        }
        Ok(items.remove(place as usize))
    })?
}

fn remove(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    let list = list(given)?;
    let Some(place) = list.find(given.first(), 0)? else { return fail("remove: element not found") };
    let removed = list.change(|items| items.remove(place))?;
    // Dropped when the list is free again.
    drop(removed);
    Ok(Value::None)
}

fn dict_clear(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 0)?;
    let removed = dict(given)?.change(std::mem::take)?;
    drop(removed);
    Ok(Value::None)
}

fn get(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 2)?;
    let found = dict(given)?.get(&DictKey::new(given.first().clone())?);
    Ok(found.or_else(|| given.at(1).cloned()).unwrap_or_default())
}

fn parts(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 0)?;
    let dict = dict(given)?;
    Ok(Value::list(match given.name {
        "keys" => dict.keys(),
        "values" => dict.values(),
        _ => dict.entries().into_iter().map(|(key, value)| Value::tuple(vec![key, value])).collect(),
    }))
}

fn dict_pop(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 2)?;
    let key = DictKey::new(given.first().clone())?;
    let found = dict(given)?.change(|entries| entries.shift_remove(&key))?;
    match found.or_else(|| given.at(1).cloned()) {
        Some(value) => Ok(value),
        None => fail("pop: missing key"),
    }
}

fn popitem(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 0)?;
    match dict(given)?.change(|entries| entries.shift_remove_index(0))? {
        Some((key, value)) => Ok(Value::tuple(vec![key.into_value(), value])),
        None => fail("popitem: empty dict"),
    }
}

fn setdefault(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 2)?;
    let (dict, key) = (dict(given)?, DictKey::new(given.first().clone())?);
    if let Some(found) = dict.get(&key) {
        return Ok(found);
    }
    let value = given.at(1).cloned().unwrap_or_default();
    evaluator.insert(dict, key, value.clone())?;
    Ok(value)
}

fn dict_update(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    // Read before the dict changes, because the entries may be its own.
    let mut entries = Vec::new();
    update(given, &mut entries)?;
    let dict = dict(given)?;
    // Fails also if there is nothing to insert.
    dict.change(|_| ())?;
    for (key, value) in entries {
        evaluator.insert(dict, key, value)?;
    }
    Ok(Value::None)
}

fn union(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 1)?;
    let Value::Set(set) = given.receiver else { return fail("union: want set") };
    let others = if given.values.is_empty() { Vec::new() } else { given.items(0)? };
    Ok(Value::Set(set.combined("|", &Set::of(others)?)))
}
