//! Built-in functions that print, measure or compare in ytt's way.

use starlark::collections::SmallMap;
use std::sync::LazyLock;

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::Value;
use starlark::values::dict::{Dict, DictRef};
use starlark::values::none::NoneType;

use super::Args;
use super::builtins::{NAMES, entries};
use super::given::BuiltinArguments;
use super::operators::OPERATORS;
use crate::bytes;
use crate::context::FUNCTIONS;
use crate::failure::{Result, fail};
use crate::format;
use crate::host::Host;
use crate::object::{FrozenObject, Object, ObjectKind};

/// Functions of the Starlark crate that behave as ytt's do.
const FUNCTIONS_OF_CRATE: [&str; 11] =
    ["any", "all", "bool", "chr", "hash", "list", "range", "reversed", "set", "tuple", "zip"];

/// Functions that we implement.
const OWN: [&str; 9] = ["len", "str", "repr", "type", "print", "fail", "dir", "getattr", "hasattr"];

/// The function `range` in generated code: `while` needs it under another name, because users may redefine it.
const RANGE: &str = "__range";

/// The global names for a program in the form that is run.
pub(crate) fn globals(program: &str) -> Globals {
    // Shared by all evaluations, because building them would dominate a short one. Those of the Starlark crate take much
    // longer than all others, and most programs use none of them.
    static ALL: LazyLock<Globals> = LazyLock::new(|| built(true, &[]));
    static OURS: LazyLock<Globals> = LazyLock::new(|| built(false, &[]));
    if names_function_of_crate(program) { ALL.clone() } else { OURS.clone() }
}

/// Makes what the first evaluation would have to wait for: compiling any call needs all functions of the Starlark crate,
/// which parses their documentation.
pub(crate) fn make_ready() {
    let Ok(ast) = AstModule::parse("", "len([])".to_owned(), &Dialect::Standard) else { return };
    Module::with_temp_heap(|module| {
        // Nothing can fail here, and if it did, evaluations would.
        let _ = Evaluator::new(&module).eval_module(ast, &globals(""));
    });
}

/// The global names, with further names defined as well.
pub(crate) fn globals_with(names: &[String]) -> Globals {
    built(true, names)
}

/// Whether a program may use a function of the Starlark crate. A name directly between quotes is a string: attributes
/// such as `overlay.all` have become strings by now.
fn names_function_of_crate(program: &str) -> bool {
    let bytes = program.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let end = at + length;
        let quote = at.checked_sub(1).and_then(|before| bytes.get(before)).filter(|byte| matches!(byte, b'"' | b'\''));
        let is_string = quote.is_some() && bytes.get(end) == quote;
        let word = program.get(at..end).unwrap_or("");
        if !is_string && (FUNCTIONS_OF_CRATE.contains(&word) || word == RANGE) {
            return true;
        }
        at = end;
    }
    false
}

fn built(all: bool, names: &[String]) -> Globals {
    let mut builder = GlobalsBuilder::new();
    builder.set("None", NoneType);
    builder.set("True", true);
    builder.set("False", false);
    if all {
        let standard = Globals::extended_by(&[LibraryExtension::SetType]);
        builder.frozen_heap().add_reference(standard.heap());
        for (name, value) in standard.iter() {
            if FUNCTIONS_OF_CRATE.contains(&name) {
                builder.set(name, value);
            }
            if name == "range" {
                builder.set(RANGE, value);
            }
        }
    }
    for name in ["__bytes", "__mapping", "__index"] {
        builder.set(name, FrozenObject::frozen(ObjectKind::Builtin(name)));
    }
    for name in OWN.iter().chain(&NAMES).chain(&FUNCTIONS).chain(OPERATORS.iter().map(|(_, name)| name)) {
        builder.set(name, FrozenObject::frozen(ObjectKind::Builtin(name)));
    }
    for name in names {
        builder.set(name, NoneType);
    }
    builder.build()
}

pub(super) fn invoke<'v>(args: Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let first = args.first();
    let given = BuiltinArguments { name: args.name, values: &args.positional, named: &args.named };
    match args.name {
        "len" => {
            given.between(1, 1)?;
            // Strings are measured in bytes (docs/ytt.md 18).
            match first.unpack_str() {
                Some(text) => Ok(heap.alloc(bytes::length(text) as i64)),
                None => match first.length() {
                    Ok(length) => Ok(heap.alloc(length)),
                    Err(_) => fail(format!("len: value of type {} has no len", format::type_name(first))),
                },
            }
        }
        "str" => {
            given.between(1, 1)?;
            Ok(heap.alloc_str(&format::str(first)?).to_value())
        }
        "repr" => {
            given.between(1, 1)?;
            Ok(heap.alloc_str(&format::repr(first)?).to_value())
        }
        "type" => {
            given.between(1, 1)?;
            Ok(heap.alloc_str(format::type_name(first)).to_value())
        }
        "print" => {
            let separator = separator(&args)?;
            let parts: Vec<String> = args.positional.iter().map(|value| format::shown(*value)).collect();
            Host::of(eval)?.print(parts.join(separator));
            Ok(Value::new_none())
        }
        "fail" => {
            let separator = separator(&args)?;
            let parts: Vec<String> = args.positional.iter().map(|value| format::shown(*value)).collect();
            fail(format!("fail: {}", parts.join(separator)))
        }
        "getattr" => {
            given.between(2, 3)?;
            match (super::attributes::attribute(first, given.text(1)?, heap), args.positional.get(2)) {
                (Ok(found), _) => Ok(found),
                (Err(_), Some(default)) => Ok(*default),
                (Err(missing), None) => fail(format!("getattr: {}", missing.without_diagnostic())),
            }
        }
        "hasattr" => {
            given.between(2, 2)?;
            Ok(Value::new_bool(super::attributes::attribute(first, given.text(1)?, heap).is_ok()))
        }
        "dir" => {
            given.between(1, 1)?;
            Ok(heap.alloc(super::attributes::names(first)))
        }
        "__index" => super::operators::index(first, args.at(1), heap),
        "__mapping" if DictRef::from_value(first).is_some() => Ok(first),
        "__mapping" => match entries(first, heap) {
            Some(entries) => {
                let mut dict = Dict::new(SmallMap::new());
                for (key, value) in entries {
                    dict.insert_hashed(key.get_hashed()?, value);
                }
                Ok(heap.alloc(dict))
            }
            None => fail(format!("argument after ** must be a mapping, not {}", format::type_name(first))),
        },
        "__bytes" => match first.unpack_str() {
            // If every character is one byte, nothing differs.
            Some(text) if !text.is_ascii() => Ok(heap.alloc(Object::new(ObjectKind::Bytes, vec![first]))),
            _ => Ok(first),
        },
        _ => fail(format!("unknown function {}", args.name)),
    }
}

/// `sep=` of functions that print several values.
fn separator<'v>(args: &Args<'v, '_>) -> Result<&'v str> {
    let [separator] = BuiltinArguments { name: args.name, values: &[], named: &args.named }.by_name(["sep"], 0)?;
    match separator.map(|value| value.unpack_str().ok_or(value)) {
        None => Ok(" "),
        Some(Ok(separator)) => Ok(separator),
        Some(Err(value)) => {
            fail(format!("{}: for parameter sep: got {}, want string", args.name, format::type_name(value)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::names_function_of_crate;

    #[test]
    fn functions_of_the_crate_are_built_only_for_programs_that_name_them() {
        for program in [
            "x = [i for i in range(3)]",
            "f(\"a\" + str(any))",
            "[\"a\",all,\"b\"]",
            "for __w in __range(2147483647):",
            "set",
            "é = list",
            "x = \"é\"; hash(x)",
        ] {
            assert!(names_function_of_crate(program), "{program}");
        }
        for program in ["", "__attr(overlay, \"all\")", "ranges(3)", "é_list = 1", "'zip'", "listé", "tuple_ = 1"] {
            assert!(!names_function_of_crate(program), "{program}");
        }
    }
}
