//! `@ytt:assert`

use std::cmp::Ordering;

use lofting_eval::FragmentKind;
use lofting_interpreter::{Value, format, integers};

use super::{Args, yaml};
use crate::failure::{Result, fail};
use crate::object::{ObjectKind, Ours, object};
use crate::run::Run;
use crate::{messages, plain};

pub(super) fn invoke(args: Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    let first = args.first();
    match args.name {
        "assert.fail" => {
            wants(&args, 1)?;
            fail(format!("assert.fail: fail: {}", args.text(0)?))
        }
        "assert.equals" => {
            wants(&args, 2)?;
            if let Some(function) = [first, args.at(1)].into_iter().find(|value| is_function(value)) {
                let was = go_type(function);
                return fail(format!("assert.equals: expected argument not to be a function, but was {was}"));
            }
            let (expected, actual) = (yaml::encode(first)?, yaml::encode(args.at(1))?);
            if expected == actual {
                return Ok(Value::None);
            }
            fail(format!(
                "assert.equals: Not equal:\n (expected type: {})\n{expected}\n\n(was type: {})\n{actual}",
                first.type_name(),
                args.at(1).type_name(),
            ))
        }
        "assert.try_to" => {
            wants(&args, 1)?;
            if !is_function(first) {
                let was = go_type(first);
                return fail(format!("assert.try_to: expected argument to be a function, but was {was}"));
            }
            let mark = run.host.mark();
            let (result, message) = match run.call(first, Vec::new()) {
                Ok(value) => (value, Value::None),
                Err(failure) if !messages::may_be_caught(&failure, &run.host.sources) => return Err(failure),
                Err(failure) => {
                    run.host.back_to(mark);
                    (Value::None, Value::text(failure.message()))
                }
            };
            Ok(Value::tuple(vec![result, message]))
        }
        "assert.min" | "assert.max" => {
            wants(&args, 1)?;
            assertion(args.name, vec![first.clone()])
        }
        "assert.min_len" | "assert.max_len" => {
            wants(&args, 1)?;
            match integers::to_f64(first) {
                Some(number) => {
                    let length = Value::Int(number.trunc() as i64);
                    assertion(args.name, vec![length])
                }
                None => fail(format!("{}: expected value to be an number, but was {}", args.name, first.type_name())),
            }
        }
        "assert.one_of" => {
            let values = match args.positional.as_slice() {
                [] => return fail("assert.one_of: got 0 arguments, want at least 1"),
                [only] => match only.items() {
                    Ok(items) => items,
                    _ => {
                        let was = only.type_name();
                        return fail(format!("assert.one_of: expected a sequence, but was a '{was}'"));
                    }
                },
                several => several.to_vec(),
            };
            assertion(args.name, values)
        }
        "assert.not_null" => match args.positional.len() {
            0 => assertion(args.name, Vec::new()),
            1 if first.is_none() => fail("assert.not_null: fail: value is null"),
            1 => Ok(Value::Bool(true)),
            given => fail(format!("assert.not_null: got {given} arguments, want at most 1")),
        },
        "assert.one_not_null" => {
            let values = match args.positional.as_slice() {
                [] => Vec::new(),
                [only] => match only.as_bool() {
                    Some(true) => Vec::new(),
                    Some(false) => return fail("assert.one_not_null: one_not_null() cannot be False"),
                    None if only.items().is_err() => {
                        let was = only.type_name();
                        return fail(format!("assert.one_not_null: expected a sequence of keys, but was a '{was}'"));
                    }
                    None => vec![only.clone()],
                },
                several => return fail(format!("assert.one_not_null: got {} arguments, want 1", several.len())),
            };
            assertion(args.name, values)
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// Requires so many arguments, with the words of this module.
fn wants(args: &Args, count: usize) -> Result<()> {
    match args.positional.len() {
        given if given == count => Ok(()),
        given => fail(format!("{}: got {given} arguments, want {count}", args.name)),
    }
}

/// The name of a value's Go type inside ytt, which some messages show.
fn go_type(value: &Value) -> &'static str {
    match value.type_name() {
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

fn assertion(name: &'static str, values: Vec<Value>) -> Result<Value> {
    Ok(object(ObjectKind::Assertion(name), values))
}

/// Whether `assert.try_to` and rules accept the value as a function.
pub(crate) fn is_function(value: &Value) -> bool {
    matches!(value.type_name(), "function" | "builtin_function_or_method")
}

/// The value after a round trip through YAML, which leaves plain values without null (docs/ytt.md 13.5).
fn through_yaml(value: &Value) -> Result<Value> {
    let is_empty = |ours: Ours<'_>| matches!(ours.kind, ObjectKind::Fragment(_, items) if items.is_empty());
    if Ours::of(value).is_some_and(is_empty) {
        return Ok(Value::None);
    }
    let scalar = matches!(value, Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::String(_));
    if scalar { Ok(value.clone()) } else { Ok(plain::value(&plain::node(value)?)) }
}

/// `object.check(value)`
pub(super) fn check(args: Args) -> Result<Value> {
    let Some(ours) = Ours::of(args.first()) else { return fail("check: no assertion") };
    let ObjectKind::Assertion(rule) = ours.kind else { return fail("check: no assertion") };
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
            let least = through_yaml(ours.value(0))?;
            let holds = compare(&through_yaml(value)?, &least, ">=", |order| order != Ordering::Less)?;
            (!holds).then(|| format!("fail: value < {}", format::shown(&least)))
        }
        "assert.max" => {
            let most = through_yaml(ours.value(0))?;
            let holds = compare(&through_yaml(value)?, &most, "<=", |order| order != Ordering::Greater)?;
            (!holds).then(|| format!("fail: value > {}", format::shown(&most)))
        }
        "assert.min_len" | "assert.max_len" => {
            let length = length(value)?;
            let bound = ours.value(0).as_int().unwrap_or(0);
            let holds = if *rule == "assert.min_len" { length >= bound } else { length <= bound };
            (!holds).then(|| format!("fail: length = {length}"))
        }
        "assert.not_null" => value.is_none().then(|| "fail: value is null".to_owned()),
        "assert.one_of" => {
            let found = ours.values.iter().map(|allowed| same(allowed, value)).collect::<Result<Vec<_>>>()?;
            (!found.contains(&true)).then(|| "fail: not one of allowed values".to_owned())
        }
        "assert.one_not_null" => one_not_null(value, ours)?,
        _ => return fail("check: no assertion"),
    };
    match failed {
        None => Ok(Value::Bool(true)),
        Some(message) => fail(message),
    }
}

/// Equality of values as YAML text: a fragment equals its content.
fn same(a: &Value, b: &Value) -> Result<bool> {
    if is_fragment(a) || is_fragment(b) {
        return Ok(yaml::encode(a)? == yaml::encode(b)?);
    }
    a.equals(b)
}

fn is_fragment(value: &Value) -> bool {
    Ours::of(value).is_some_and(|ours| matches!(ours.kind, ObjectKind::Fragment(..)))
}

fn compare(value: &Value, bound: &Value, operator: &str, holds: impl Fn(Ordering) -> bool) -> Result<bool> {
    let numbers = |value: &Value| matches!(value.type_name(), "int" | "float");
    let (left, right) = (value.type_name(), bound.type_name());
    if left != right && !(numbers(value) && numbers(bound)) {
        return fail(format!("check: {left} {operator} {right} not implemented"));
    }
    match value.compare(bound, operator) {
        Ok(order) => Ok(holds(order)),
        Err(_) => fail(format!("check: {left} {operator} {right} not implemented")),
    }
}

fn length(value: &Value) -> Result<i64> {
    match value.length() {
        Some(length) => Ok(length as i64),
        None => fail(format!("check: len: value of type {} has no len", value.type_name())),
    }
}

fn one_not_null(value: &Value, rule: Ours<'_>) -> Result<Option<String>> {
    let entries = match Ours::of(value).map(|ours| ours.kind) {
        Some(ObjectKind::Fragment(FragmentKind::Empty, _)) => {
            return fail("check: value must be a map or dict, but was 'NoneType'");
        }
        _ => value.entries(),
    };
    let Some(entries) = entries else {
        return fail(format!("check: value must be a map or dict, but was '{}'", value.type_name()));
    };
    if entries.is_empty() {
        // An empty map becomes None in the round trip through YAML (docs/ytt.md 13.5).
        return fail(if is_fragment(value) {
            "check: value must be a map or dict, but was 'NoneType'"
        } else {
            "check: value is empty"
        });
    }
    let keys: Vec<Value> = match rule.value(0) {
        Value::None => entries.iter().map(|(key, _)| key.clone()).collect(),
        keys => keys.items()?,
    };
    let mut set = Vec::new();
    for key in keys {
        for (known, value) in &entries {
            if known.equals(&key)? && !value.is_none() {
                set.push(format::shown_quoted(&key));
            }
        }
    }
    match set.len() {
        1 => Ok(None),
        0 => Ok(Some("check: all values are null".to_owned())),
        _ => Ok(Some(format!("check: [{}] are not null", set.join(", ")))),
    }
}
