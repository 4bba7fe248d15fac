//! Built-in functions that print, measure or compare as ytt does.

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};
use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::dict::DictRef;

use super::Args;
use crate::context::FUNCTIONS;
use crate::failure::{Result, error, fail};
use crate::format;
use crate::host::Host;
use crate::object::{FrozenObject, Kind, Object};

/// Functions of the Starlark crate that do what ytt's do.
const SAME: [&str; 22] = [
    "None",
    "True",
    "False",
    "any",
    "all",
    "bool",
    "chr",
    "dict",
    "enumerate",
    "float",
    "hash",
    "int",
    "list",
    "max",
    "min",
    "ord",
    "range",
    "reversed",
    "set",
    "sorted",
    "tuple",
    "zip",
];

/// Functions of our own.
const OWN: [&str; 9] = ["len", "str", "repr", "type", "print", "fail", "dir", "getattr", "hasattr"];

/// Operators that the generated code replaces by functions.
pub(crate) const OPERATORS: [(&str, &str); 3] = [("%", "__percent"), ("|", "__or"), ("&", "__and")];

/// Everything a program finds defined.
pub(crate) fn globals() -> Globals {
    let standard = Globals::extended_by(&[LibraryExtension::SetType]);
    let mut builder = GlobalsBuilder::new();
    builder.frozen_heap().add_reference(standard.heap());
    for (name, value) in standard.iter() {
        if SAME.contains(&name) {
            builder.set(name, value);
        }
        // A name of its own for `while`: users may have a `range` of theirs.
        if name == "range" {
            builder.set("__range", value);
        }
    }
    builder.set("__bytes", FrozenObject::frozen(Kind::Builtin("__bytes")));
    for name in OWN.iter().chain(&FUNCTIONS).chain(OPERATORS.iter().map(|(_, name)| name)) {
        builder.set(name, FrozenObject::frozen(Kind::Builtin(name)));
    }
    builder.build()
}

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let first = args.first();
    match args.name {
        "len" => {
            args.exactly(1)?;
            // Strings are measured in bytes (ytt-semantics 18).
            match first.unpack_str() {
                Some(text) => Ok(heap.alloc(text.len() as i64)),
                None => match first.length() {
                    Ok(length) => Ok(heap.alloc(length)),
                    Err(_) => fail(format!("len: value of type {} has no len", format::type_name(first))),
                },
            }
        }
        "str" => {
            args.exactly(1)?;
            Ok(heap.alloc_str(&format::str(first)).to_value())
        }
        "repr" => {
            args.exactly(1)?;
            Ok(heap.alloc_str(&format::repr(first)).to_value())
        }
        "type" => {
            args.exactly(1)?;
            Ok(heap.alloc_str(format::type_name(first)).to_value())
        }
        "print" => {
            args.only(&["sep"])?;
            let separator = args.keyword("sep").and_then(|value| value.unpack_str()).unwrap_or(" ");
            let parts: Vec<String> = args.positional.iter().map(|value| format::str(*value)).collect();
            Host::of(eval)?.print(parts.join(separator));
            Ok(Value::new_none())
        }
        "fail" => {
            args.only(&["sep"])?;
            let separator = args.keyword("sep").and_then(|value| value.unpack_str()).unwrap_or(" ");
            let parts: Vec<String> = args.positional.iter().map(|value| format::str(*value)).collect();
            fail(format!("fail: {}", parts.join(separator)))
        }
        "getattr" => {
            if !(2..=3).contains(&args.positional.len()) {
                return fail("getattr: expected two or three arguments");
            }
            match (super::strings::attribute(first, args.text(1)?, heap), args.positional.get(2)) {
                (Ok(found), _) => Ok(found),
                (Err(_), Some(default)) => Ok(*default),
                (Err(missing), None) => fail(format!("getattr: {}", missing.without_diagnostic())),
            }
        }
        "hasattr" => {
            args.exactly(2)?;
            Ok(Value::new_bool(super::strings::attribute(first, args.text(1)?, heap).is_ok()))
        }
        "dir" => {
            args.exactly(1)?;
            Ok(heap.alloc(super::strings::names(first)))
        }
        "__bytes" => match first.unpack_str() {
            // Where every character is one byte nothing differs.
            Some(text) if !text.is_ascii() => Ok(heap.alloc(Object::new(Kind::Bytes, vec![first]))),
            _ => Ok(first),
        },
        "__percent" => match first.unpack_str() {
            Some(text) => Ok(heap.alloc_str(&format::percent(text, args.at(1))?).to_value()),
            None => first.percent(args.at(1), heap),
        },
        "__or" | "__and" => {
            let (operator, hint) = if args.name == "__or" { ("|", "or") } else { ("&", "and") };
            let second = args.at(1);
            let both = |name: &str| format::type_name(first) == name && format::type_name(second) == name;
            if (both("int") || both("set")) && DictRef::from_value(first).is_none() {
                return if operator == "|" { first.bit_or(second, heap) } else { first.bit_and(second, heap) };
            }
            let message = format!(
                "unknown binary op: {} {operator} {} (hint: use '{hint}' instead of '{operator}' for logical-{hint})",
                format::type_name(first),
                format::type_name(second)
            );
            Err(error(message))
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}
