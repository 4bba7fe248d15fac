//! Attributes and methods of values. ytt has fewer of them than the Starlark crate.

use starlark::values::{Heap, Value};

use super::strings;
use crate::failure::{Result, fail};
use crate::format;
use crate::object::{Object, ObjectKind};

/// Methods of collections that differ from those of the Starlark crate.
const COLLECTIONS: [(&str, &str, &str); 2] =
    [("list", "pop", "collection.list_pop"), ("dict", "update", "collection.dict_update")];

/// The methods that ytt has (docs/ytt.md 18).
fn methods(type_name: &str) -> Option<Vec<&'static str>> {
    Some(match type_name {
        "string" => strings::METHODS.iter().map(|full| full.trim_start_matches("string.")).collect(),
        "list" => vec!["append", "clear", "extend", "index", "insert", "pop", "remove"],
        "dict" => vec!["clear", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"],
        "set" => vec!["union"],
        _ => return None,
    })
}

/// The names of a value's attributes, sorted: what `dir` gives.
pub(super) fn names(value: Value<'_>) -> Vec<String> {
    let mut names = match methods(format::type_name(value)) {
        Some(methods) => methods.iter().map(|&name| name.to_owned()).collect(),
        None => value.dir_attr(),
    };
    names.sort();
    names
}

/// `value.name`
pub(super) fn attribute<'v>(value: Value<'v>, name: &str, heap: Heap<'v>) -> Result<Value<'v>> {
    let method = |full| Ok(heap.alloc(Object::new(ObjectKind::Method(full), vec![value])));
    let type_name = format::type_name(value);
    if value.unpack_str().is_some() {
        let found = strings::METHODS.iter().find(|full| full.strip_prefix("string.") == Some(name));
        return found.map_or_else(|| missing(value, name), |full| method(full));
    }
    if let Some((.., full)) = COLLECTIONS.iter().find(|(of, method, _)| *of == type_name && *method == name) {
        return method(full);
    }
    let has = methods(type_name).is_none_or(|methods| methods.contains(&name));
    let found = if has { value.get_attr(name, heap)? } else { None };
    found.map_or_else(|| missing(value, name), Ok)
}

fn missing<'v>(value: Value<'v>, name: &str) -> Result<Value<'v>> {
    let known = names(value);
    let near = known.iter().find(|known| is_near(known, name));
    let hint = near.map_or(String::new(), |near| format!(" (did you mean .{near}?)"));
    fail(format!("{} has no .{name} field or method{hint}", format::type_name(value)))
}

/// Whether names differ by at most two changes, and by less than half their length.
fn is_near(a: &str, b: &str) -> bool {
    let limit = 2.min(b.chars().count().div_ceil(2).saturating_sub(usize::from(b.len() < 3)));
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(60).collect(), b.chars().take(60).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = i;
        let mut last = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(0);
            let cost = (before + usize::from(x != y)).min(above + 1).min(last + 1);
            before = above;
            last = cost;
            if let Some(slot) = row.get_mut(j + 1) {
                *slot = cost;
            }
        }
        if let Some(slot) = row.first_mut() {
            *slot = i + 1;
        }
    }
    row.last().is_some_and(|distance| *distance <= limit)
}
