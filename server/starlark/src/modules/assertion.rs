//! `@ytt:assert`

mod rule;

use lofting_interpreter::{Value, integers};

pub(crate) use self::rule::Rule;
use super::{Args, yaml};
use crate::failure::{Result, fail};
use crate::messages;
use crate::object::{ObjectKind, object};
use crate::run::Run;

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
            let rule = if args.name == "assert.min" { Rule::Min } else { Rule::Max };
            Ok(assertion(rule, first.clone()))
        }
        "assert.min_len" | "assert.max_len" => {
            wants(&args, 1)?;
            let rule = if args.name == "assert.min_len" { Rule::MinLen } else { Rule::MaxLen };
            match whole(first) {
                Some(length) => Ok(assertion(rule, length)),
                None => fail(format!("{}: expected value to be an number, but was {}", args.name, first.type_name())),
            }
        }
        "assert.one_of" => match args.positional.as_slice() {
            [] => fail("assert.one_of: got 0 arguments, want at least 1"),
            [only] if only.items().is_err() => {
                fail(format!("assert.one_of: expected a sequence, but was a '{}'", only.type_name()))
            }
            [only] => Ok(assertion(Rule::OneOf, only.clone())),
            several => Ok(assertion(Rule::OneOf, Value::tuple(several.to_vec()))),
        },
        "assert.not_null" => match args.positional.len() {
            0 => Ok(assertion(Rule::NotNull, Value::None)),
            1 => Rule::NotNull.call(&[], args.positional, Vec::new()).map_err(|failure| failure.within(args.name)),
            given => fail(format!("assert.not_null: got {given} arguments, want at most 1")),
        },
        "assert.one_not_null" => match args.positional.as_slice() {
            [] | [Value::Bool(true)] => Ok(assertion(Rule::OneNotNull, Value::None)),
            [Value::Bool(false)] => fail("assert.one_not_null: one_not_null() cannot be False"),
            [only] if only.items().is_err() => {
                let was = only.type_name();
                fail(format!("assert.one_not_null: expected a sequence of keys, but was a '{was}'"))
            }
            [keys] => Ok(assertion(Rule::OneNotNull, keys.clone())),
            several => fail(format!("assert.one_not_null: got {} arguments, want 1", several.len())),
        },
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

/// An object whose rule was made with a value.
fn assertion(rule: Rule, made_with: Value) -> Value {
    object(ObjectKind::Assertion, vec![object(ObjectKind::Rule(rule), vec![made_with])])
}

/// A number without its fraction.
fn whole(number: &Value) -> Option<Value> {
    match number {
        Value::Int(_) | Value::Big(_) => Some(number.clone()),
        Value::Float(number) => integers::from_f64(number.trunc()).ok(),
        _ => None,
    }
}

/// Whether `assert.try_to` and rules accept the value as a function.
pub(crate) fn is_function(value: &Value) -> bool {
    matches!(value.type_name(), "function" | "builtin_function_or_method")
}
