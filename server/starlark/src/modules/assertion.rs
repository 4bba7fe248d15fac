//! `@ytt:assert`

use std::cmp::Ordering;

use starlark::eval::Evaluator;
use starlark::values::list::ListRef;
use starlark::values::tuple::AllocTuple;
use starlark::values::{Heap, Value};

use super::{Args, yaml};
use crate::context::Context;
use crate::failure::{Result, error, fail};
use crate::host::Host;
use crate::object::{Object, ObjectKind};
use crate::{format, messages, plain};

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let first = args.first();
    match args.name {
        "assert.fail" => {
            wants(&args, 1)?;
            fail(format!("assert.fail: fail: {}", args.text(0)?))
        }
        "assert.equals" => {
            wants(&args, 2)?;
            if let Some(function) = [first, args.at(1)].into_iter().find(|value| is_function(*value)) {
                let was = go_type(function);
                return fail(format!("assert.equals: expected argument not to be a function, but was {was}"));
            }
            let (expected, actual) = (yaml::encode(first, heap)?, yaml::encode(args.at(1), heap)?);
            if expected == actual {
                return Ok(Value::new_none());
            }
            fail(format!(
                "assert.equals: Not equal:\n (expected type: {})\n{expected}\n\n(was type: {})\n{actual}",
                format::type_name(first),
                format::type_name(args.at(1)),
            ))
        }
        "assert.try_to" => {
            wants(&args, 1)?;
            if !is_function(first) {
                let was = go_type(first);
                return fail(format!("assert.try_to: expected argument to be a function, but was {was}"));
            }
            let mark = Context::mark(eval);
            let (result, message) = match eval.eval_function(first, &[], &[]) {
                Ok(value) => (value, Value::new_none()),
                Err(error) => {
                    let sources = Host::of(eval)?.sources.clone();
                    if !messages::may_be_caught(&error, &sources) {
                        return Err(error);
                    }
                    Context::back_to(eval, mark);
                    let message = messages::caught(&error, &sources);
                    (Value::new_none(), heap.alloc_str(&message).to_value())
                }
            };
            Ok(heap.alloc(AllocTuple([result, message])))
        }
        "assert.min" | "assert.max" => {
            wants(&args, 1)?;
            object(args.name, vec![first], eval)
        }
        "assert.min_len" | "assert.max_len" => {
            wants(&args, 1)?;
            match format::number(first) {
                Some(number) => {
                    let length = heap.alloc(number.trunc() as i64);
                    object(args.name, vec![length], eval)
                }
                None => {
                    fail(format!("{}: expected value to be an number, but was {}", args.name, format::type_name(first)))
                }
            }
        }
        "assert.one_of" => {
            let values = match args.positional.as_slice() {
                [] => return fail("assert.one_of: got 0 arguments, want at least 1"),
                [only] => match only.iterate(heap) {
                    Ok(items) if only.unpack_str().is_none() => items.collect(),
                    _ => {
                        let was = format::type_name(*only);
                        return fail(format!("assert.one_of: expected a sequence, but was a '{was}'"));
                    }
                },
                several => several.to_vec(),
            };
            object(args.name, values, eval)
        }
        "assert.not_null" => match args.positional.len() {
            0 => object(args.name, Vec::new(), eval),
            1 if first.is_none() => fail("assert.not_null: fail: value is null"),
            1 => Ok(Value::new_bool(true)),
            given => fail(format!("assert.not_null: got {given} arguments, want at most 1")),
        },
        "assert.one_not_null" => {
            let values = match args.positional.as_slice() {
                [] => Vec::new(),
                [only] => match only.unpack_bool() {
                    Some(true) => Vec::new(),
                    Some(false) => return fail("assert.one_not_null: one_not_null() cannot be False"),
                    None if only.unpack_str().is_some() || only.iterate(heap).is_err() => {
                        let was = format::type_name(*only);
                        return fail(format!("assert.one_not_null: expected a sequence of keys, but was a '{was}'"));
                    }
                    None => vec![*only],
                },
                several => return fail(format!("assert.one_not_null: got {} arguments, want 1", several.len())),
            };
            object(args.name, values, eval)
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// Requires this number of arguments, with the words of this module.
fn wants(args: &Args<'_, '_>, count: usize) -> Result<()> {
    match args.positional.len() {
        given if given == count => Ok(()),
        given => fail(format!("{}: got {given} arguments, want {count}", args.name)),
    }
}

/// The name of a value's Go type inside ytt, which some messages show.
fn go_type(value: Value<'_>) -> &'static str {
    match format::type_name(value) {
        "string" => "starlark.String",
        "int" => "starlark.Int",
        "float" => "starlark.Float",
        "bool" => "starlark.Bool",
        "NoneType" => "starlark.NoneType",
        "tuple" => "starlark.Tuple",
        "list" => "*starlark.List",
        "dict" => "*starlark.Dict",
        "set" => "*starlark.Set",
        "function" => "*starlark.Function",
        "builtin_function_or_method" => "*starlark.Builtin",
        "struct" => "*core.StarlarkStruct",
        "yamlfragment" => "*yamlfragment.YAMLFragment",
        other => other,
    }
}

fn object<'v>(name: &'static str, values: Vec<Value<'v>>, eval: &Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    Ok(eval.heap().alloc(Object::new(ObjectKind::Assertion(name), values)))
}

/// Whether `assert.try_to` and rules accept the value as a function.
pub(crate) fn is_function(value: Value<'_>) -> bool {
    matches!(format::type_name(value), "function" | "builtin_function_or_method")
}

/// The value after a round trip through YAML, which leaves plain values without null (docs/ytt.md 13.5).
fn through_yaml<'v>(value: Value<'v>, eval: &Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let is_empty = |object: &Object<'v>| matches!(object.kind(), ObjectKind::Fragment(_, items) if items.is_empty());
    if Object::from_value(value).is_some_and(is_empty) {
        return Ok(Value::new_none());
    }
    let scalar = value.unpack_i32().is_some() || value.unpack_str().is_some();
    if scalar { Ok(value) } else { Ok(plain::value(&plain::node(value, eval.heap())?, eval.heap())) }
}

/// `object.check(value)`
pub(super) fn check<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let Some(object) = Object::from_value(args.first()) else { return fail("check: no assertion") };
    let ObjectKind::Assertion(rule) = object.kind() else { return fail("check: no assertion") };
    // In ytt all rules but one are lambdas with one parameter.
    let parameter = match *rule {
        "assert.one_not_null" => None,
        "assert.min_len" | "assert.max_len" => Some("sequence"),
        "assert.not_null" => Some("value"),
        _ => Some("val"),
    };
    match (args.positional.len().saturating_sub(1), parameter) {
        (1, _) => {}
        (given, None) => return fail(format!("check: got {given} arguments, want 1")),
        (0, Some(parameter)) => return fail(format!("function lambda missing 1 argument ({parameter})")),
        (given, Some(_)) => return fail(format!("function lambda accepts 1 positional argument ({given} given)")),
    }
    let value = args.at(1);
    let failed: Option<String> = match *rule {
        "assert.min" => {
            let least = through_yaml(object.value(0), eval)?;
            let holds = compare(through_yaml(value, eval)?, least, ">=", |order| order != Ordering::Less)?;
            (!holds).then(|| format!("fail: value < {}", format::shown(least)))
        }
        "assert.max" => {
            let most = through_yaml(object.value(0), eval)?;
            let holds = compare(through_yaml(value, eval)?, most, "<=", |order| order != Ordering::Greater)?;
            (!holds).then(|| format!("fail: value > {}", format::shown(most)))
        }
        "assert.min_len" | "assert.max_len" => {
            let length = length(value)?;
            let bound = object.value(0).unpack_i32().map_or(0, i64::from);
            let holds = if *rule == "assert.min_len" { length >= bound } else { length <= bound };
            (!holds).then(|| format!("fail: length = {length}"))
        }
        "assert.not_null" => value.is_none().then(|| "fail: value is null".to_owned()),
        "assert.one_of" => {
            let found = object.values().map(|allowed| same(allowed, value, eval.heap())).collect::<Result<Vec<_>>>()?;
            (!found.contains(&true)).then(|| "fail: not one of allowed values".to_owned())
        }
        "assert.one_not_null" => one_not_null(value, object, eval)?,
        _ => return fail("check: no assertion"),
    };
    match failed {
        None => Ok(Value::new_bool(true)),
        Some(message) => Err(error(message)),
    }
}

/// Equality of values as YAML text: a fragment equals its content.
fn same<'v>(a: Value<'v>, b: Value<'v>, heap: Heap<'v>) -> Result<bool> {
    let fragment =
        |value| Object::from_value(value).is_some_and(|object| matches!(object.kind(), ObjectKind::Fragment(..)));
    if fragment(a) || fragment(b) {
        return Ok(yaml::encode(a, heap)? == yaml::encode(b, heap)?);
    }
    a.equals(b)
}

fn compare<'v>(value: Value<'v>, bound: Value<'v>, operator: &str, holds: impl Fn(Ordering) -> bool) -> Result<bool> {
    let numbers = |value| matches!(format::type_name(value), "int" | "float");
    let (left, right) = (format::type_name(value), format::type_name(bound));
    if left != right && !(numbers(value) && numbers(bound)) {
        return fail(format!("check: {left} {operator} {right} not implemented"));
    }
    match value.compare(bound) {
        Ok(order) => Ok(holds(order)),
        Err(_) => fail(format!("check: {left} {operator} {right} not implemented")),
    }
}

fn length(value: Value<'_>) -> Result<i64> {
    match value.unpack_str() {
        Some(text) => Ok(text.len() as i64),
        None => match value.length() {
            Ok(length) => Ok(i64::from(length)),
            Err(_) => fail(format!("check: len: value of type {} has no len", format::type_name(value))),
        },
    }
}

fn one_not_null<'v>(value: Value<'v>, object: &Object<'v>, eval: &Evaluator<'v, '_, '_>) -> Result<Option<String>> {
    let entries: Vec<(Value<'v>, Value<'v>)> = if let Some(entries) = plain::mapping(value, eval.heap()) {
        entries
    } else {
        match Object::from_value(value) {
            Some(fragment) if matches!(fragment.kind(), ObjectKind::Fragment(lofting_eval::FragmentKind::Map, _)) => {
                fragment.items().map(|(_, key, value)| (key, value)).collect()
            }
            Some(fragment) if matches!(fragment.kind(), ObjectKind::Fragment(lofting_eval::FragmentKind::Empty, _)) => {
                return fail("check: value must be a map or dict, but was 'NoneType'");
            }
            _ => return fail(format!("check: value must be a map or dict, but was '{}'", format::type_name(value))),
        }
    };
    if entries.is_empty() {
        // An empty map becomes None in the round trip through YAML (docs/ytt.md 13.5).
        let fragment =
            Object::from_value(value).is_some_and(|object| matches!(object.kind(), ObjectKind::Fragment(..)));
        return fail(if fragment {
            "check: value must be a map or dict, but was 'NoneType'"
        } else {
            "check: value is empty"
        });
    }
    let keys: Vec<Value<'v>> = match object.values().next() {
        Some(keys) if ListRef::from_value(keys).is_some() || !keys.is_none() => keys.iterate(eval.heap())?.collect(),
        _ => entries.iter().map(|(key, _)| *key).collect(),
    };
    let mut set = Vec::new();
    for key in keys {
        for (known, value) in &entries {
            if known.equals(key)? && !value.is_none() {
                set.push(format::shown_quoted(key));
            }
        }
    }
    match set.len() {
        1 => Ok(None),
        0 => Ok(Some("check: all values are null".to_owned())),
        _ => Ok(Some(format!("check: [{}] are not null", set.join(", ")))),
    }
}
