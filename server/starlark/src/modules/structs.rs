//! `@ytt:struct`

use lofting_interpreter::{SmolStr, Value};

use super::assertion::is_function;
use super::{Args, names_of};
use crate::failure::{Result, fail, limit};
use crate::object::{ObjectKind, Ours, object};
use crate::plain;

/// How deep values may nest.
const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;

pub(super) fn invoke(args: Args) -> Result<Value> {
    match args.name {
        "struct.make" => {
            args.exactly(0)?;
            let values = args.named.iter().map(|(_, value)| value.clone()).collect();
            Ok(object(ObjectKind::Struct(names_of(&args.named).into()), values))
        }
        "struct.make_and_bind" => {
            args.exactly(1)?;
            let bound = args.named.iter().map(|(_, value)| {
                if is_function(value) {
                    object(ObjectKind::Bound, vec![value.clone(), args.first().clone()])
                } else {
                    value.clone()
                }
            });
            let values = bound.collect();
            Ok(object(ObjectKind::Struct(names_of(&args.named).into()), values))
        }
        "struct.bind" => {
            if args.positional.len() < 2 {
                return fail("struct.bind: expected at least two arguments");
            }
            Ok(object(ObjectKind::Bound, args.positional.clone()))
        }
        "struct.encode" | "struct.decode" => {
            args.exactly(1)?;
            // Fragments and functions have no plain form (docs/ytt.md 16.3).
            if holds_fragment(args.first(), 0) {
                return fail(format!(
                    "{}: unknown type *yamlmeta.Map for conversion to starlark value (a fragment; use \
                     yaml.decode(yaml.encode(...)) first)",
                    args.name
                ));
            }
            let node = plain::node(args.first()).map_err(|failure| failure.within(args.name))?;
            let plain = plain::value(&node);
            if args.name == "struct.encode" { encode(plain, 0) } else { Ok(plain) }
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// Whether the value contains a fragment anywhere.
fn holds_fragment(value: &Value, depth: usize) -> bool {
    let any = |items: &[Value]| depth < MAX_DEPTH && items.iter().any(|item| holds_fragment(item, depth + 1));
    match value {
        Value::List(list) => any(&list.to_vec()),
        Value::Tuple(items) => any(items),
        Value::Dict(dict) => any(&dict.values()),
        _ => match Ours::of(value) {
            Some(Ours { kind: ObjectKind::Fragment(..), .. }) => true,
            Some(Ours { kind: ObjectKind::Struct(_), values }) => any(values),
            _ => false,
        },
    }
}

/// Converts dicts into structs, at all levels.
fn encode(value: Value, depth: usize) -> Result<Value> {
    if depth > MAX_DEPTH {
        return limit("the value is too deeply nested");
    }
    match &value {
        Value::Dict(dict) => make(dict.entries(), depth),
        Value::List(list) => {
            let items: Result<Vec<_>> = list.to_vec().into_iter().map(|item| encode(item, depth + 1)).collect();
            Ok(Value::list(items?))
        }
        _ => Ok(value),
    }
}

fn make(entries: Vec<(Value, Value)>, depth: usize) -> Result<Value> {
    let mut names: Vec<SmolStr> = Vec::new();
    let mut values = Vec::new();
    for (key, value) in entries {
        let Value::String(name) = key else {
            return fail(format!("struct.encode: expected struct keys to be strings, but was {}", key.type_name()));
        };
        names.push(name);
        values.push(encode(value, depth + 1)?);
    }
    Ok(object(ObjectKind::Struct(names.into()), values))
}
