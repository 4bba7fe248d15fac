//! `@ytt:struct`

use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::{Heap, Value};

use super::Args;
use super::assertion::is_function;
use crate::failure::{Result, fail, limit, within};
use crate::object::{Object, ObjectKind};
use crate::{format, plain};

/// How deep values may nest.
const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let names = || args.named.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    match args.name {
        "struct.make" => {
            args.exactly(0)?;
            let values = args.named.iter().map(|(_, value)| *value).collect();
            Ok(heap.alloc(Object::new(ObjectKind::Struct(names().into()), values)))
        }
        "struct.make_and_bind" => {
            args.exactly(1)?;
            let bound = args.named.iter().map(|(_, value)| {
                if is_function(*value) {
                    heap.alloc(Object::new(ObjectKind::Bound, vec![*value, args.first()]))
                } else {
                    *value
                }
            });
            let values = bound.collect();
            Ok(heap.alloc(Object::new(ObjectKind::Struct(names().into()), values)))
        }
        "struct.bind" => {
            if args.positional.len() < 2 {
                return fail("struct.bind: expected at least two arguments");
            }
            Ok(heap.alloc(Object::new(ObjectKind::Bound, args.positional.clone())))
        }
        "struct.encode" | "struct.decode" => {
            args.exactly(1)?;
            // Fragments and functions have no plain form (docs/ytt.md 16.3).
            if holds_fragment(args.first(), heap, 0) {
                return fail(format!(
                    "{}: unknown type *yamlmeta.Map for conversion to starlark value (a fragment; use \
                     yaml.decode(yaml.encode(...)) first)",
                    args.name
                ));
            }
            let node = plain::node(args.first(), heap).map_err(|failure| within(args.name, failure))?;
            let plain = plain::value(&node, heap);
            if args.name == "struct.encode" { encode(plain, heap, 0) } else { Ok(plain) }
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// Whether the value contains a fragment anywhere.
fn holds_fragment<'v>(value: Value<'v>, heap: Heap<'v>, depth: usize) -> bool {
    if let Some(object) = Object::from_value(value) {
        return match object.kind() {
            ObjectKind::Fragment(..) => true,
            ObjectKind::Struct(_) if depth < MAX_DEPTH => {
                object.values().any(|item| holds_fragment(item, heap, depth + 1))
            }
            _ => false,
        };
    }
    if depth >= MAX_DEPTH || value.unpack_str().is_some() {
        return false;
    }
    match DictRef::from_value(value) {
        Some(dict) => dict.iter().any(|(_, item)| holds_fragment(item, heap, depth + 1)),
        None if !matches!(value.get_type(), "list" | "tuple" | "set") => false,
        None => value.iterate(heap).is_ok_and(|mut items| items.any(|item| holds_fragment(item, heap, depth + 1))),
    }
}

/// Converts dicts into structs, at all levels.
fn encode<'v>(value: Value<'v>, heap: Heap<'v>, depth: usize) -> Result<Value<'v>> {
    if depth > MAX_DEPTH {
        return limit("the value is too deeply nested");
    }
    if let Some(dict) = DictRef::from_value(value) {
        let entries: Vec<_> = dict.iter().collect();
        return make(entries.into_iter(), heap, depth);
    }
    if let Some(list) = ListRef::from_value(value) {
        let items: Result<Vec<_>> = list.iter().map(|item| encode(item, heap, depth + 1)).collect();
        return Ok(heap.alloc(AllocList(items?)));
    }
    Ok(value)
}

fn make<'v>(entries: impl Iterator<Item = (Value<'v>, Value<'v>)>, heap: Heap<'v>, depth: usize) -> Result<Value<'v>> {
    let mut names = Vec::new();
    let mut values = Vec::new();
    for (key, value) in entries {
        let Some(name) = key.unpack_str() else {
            return fail(format!(
                "struct.encode: expected struct keys to be strings, but was {}",
                format::type_name(key)
            ));
        };
        names.push(name.to_owned());
        values.push(encode(value, heap, depth + 1)?);
    }
    Ok(heap.alloc(Object::new(ObjectKind::Struct(names.into()), values)))
}
