//! `@ytt:struct`

use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::tuple::{AllocTuple, TupleRef};
use starlark::values::{Heap, Value};

use super::Args;
use super::assertion::is_function;
use crate::failure::{Result, fail, limit};
use crate::object::{Kind, Object};
use crate::{format, plain};

/// How deep values may nest.
const MAX_DEPTH: usize = 400;

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let names = || args.named.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    match args.name {
        "struct.make" => {
            args.exactly(0)?;
            let values = args.named.iter().map(|(_, value)| *value).collect();
            Ok(heap.alloc(Object::new(Kind::Struct(names().into()), values)))
        }
        "struct.make_and_bind" => {
            args.exactly(1)?;
            let bound = args.named.iter().map(|(_, value)| {
                if is_function(*value) {
                    heap.alloc(Object::new(Kind::Bound, vec![*value, args.first()]))
                } else {
                    *value
                }
            });
            let values = bound.collect();
            Ok(heap.alloc(Object::new(Kind::Struct(names().into()), values)))
        }
        "struct.bind" => {
            if args.positional.len() < 2 {
                return fail("struct.bind: expected at least two arguments");
            }
            if !is_function(args.first()) {
                return fail(format!("struct.bind: expected function, but was {}", format::type_name(args.first())));
            }
            Ok(heap.alloc(Object::new(Kind::Bound, args.positional.clone())))
        }
        "struct.encode" => {
            args.exactly(1)?;
            encode(args.first(), heap, 0)
        }
        "struct.decode" => {
            args.exactly(1)?;
            let is_struct =
                Object::from_value(args.first()).is_some_and(|object| matches!(object.kind(), Kind::Struct(_)));
            if !is_struct {
                return fail(format!("struct.decode: expected struct, but was {}", format::type_name(args.first())));
            }
            Ok(plain::value(&plain::node(args.first(), heap)?, heap))
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// Dicts become structs, all the way down.
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
    if let Some(tuple) = TupleRef::from_value(value) {
        let items: Result<Vec<_>> = tuple.iter().map(|item| encode(item, heap, depth + 1)).collect();
        return Ok(heap.alloc(AllocTuple(items?)));
    }
    match Object::from_value(value) {
        Some(object) if matches!(object.kind(), Kind::Fragment(..)) => {
            let plain = plain::value(&plain::node(value, heap)?, heap);
            encode(plain, heap, depth + 1)
        }
        _ if is_function(value) => {
            fail(format!("struct.encode: unknown type {} for conversion to go value", format::type_name(value)))
        }
        _ => Ok(value),
    }
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
    Ok(heap.alloc(Object::new(Kind::Struct(names.into()), values)))
}
