//! Operators that accept more in the Starlark crate than in ytt, or mean something else there.

use starlark::values::dict::DictRef;
use starlark::values::{Heap, Value};

use super::{Args, strings};
use crate::bytes;
use crate::failure::{Result, fail};
use crate::format::{self, type_name};
use crate::integers;

/// Operators that generated code replaces by functions.
pub(crate) const OPERATORS: [(&str, &str); 8] = [
    ("%", "__percent"),
    ("|", "__or"),
    ("&", "__and"),
    ("-", "__minus"),
    ("<<", "__left"),
    (">>", "__right"),
    ("in", "__in"),
    ("not in", "__not_in"),
];

pub(super) fn invoke<'v>(args: &Args<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    let (left, right) = (args.first(), args.at(1));
    match args.name {
        "__percent" => match left.unpack_str() {
            Some(text) => Ok(heap.alloc_str(&format::percent(text, right, heap)?).to_value()),
            None => left.percent(right, heap),
        },
        "__or" | "__and" if same_integers_or_sets(left, right) => match args.name {
            "__or" => left.bit_or(right, heap),
            _ => left.bit_and(right, heap),
        },
        "__or" => unknown(left, "|", right, " (hint: use 'or' instead of '|' for logical-or)"),
        "__and" => unknown(left, "&", right, " (hint: use 'and' instead of '&' for logical-and)"),
        "__minus" if format::number(left).is_none() => unknown(left, "-", right, ""),
        "__minus" => left.sub(right, heap),
        "__left" | "__right" => shift(args.name, left, right, heap),
        "__in" => contains(left, right).map(Value::new_bool),
        "__not_in" => contains(left, right).map(|found| Value::new_bool(!found)),
        name => fail(format!("unknown function {name}")),
    }
}

fn unknown<'v>(left: Value<'v>, operator: &str, right: Value<'v>, hint: &str) -> Result<Value<'v>> {
    fail(format!("unknown binary op: {} {operator} {}{hint}", type_name(left), type_name(right)))
}

fn same_integers_or_sets(left: Value<'_>, right: Value<'_>) -> bool {
    let both = |name: &str| type_name(left) == name && type_name(right) == name;
    both("int") || both("set")
}

fn shift<'v>(name: &str, left: Value<'v>, right: Value<'v>, heap: Heap<'v>) -> Result<Value<'v>> {
    let operator = if name == "__left" { "<<" } else { ">>" };
    if left.get_type() != "int" {
        return unknown(left, operator, right, "");
    }
    match format::integer(right) {
        None => fail(format!("got {}, want int", type_name(right))),
        Some(count) if count < 0 => fail(format!("negative shift count: {count}")),
        Some(count) if name == "__left" && count >= 512 => fail(format!("shift count too large: {count}")),
        Some(count) if name == "__left" => {
            // The crate loses bits of small integers.
            integers::times_power_of_two(left, count as u32, heap)
        }
        Some(_) => left.right_shift(right, heap),
    }
}

/// `left in right`
fn contains<'v>(left: Value<'v>, right: Value<'v>) -> Result<bool> {
    if let Some(dict) = DictRef::from_value(right) {
        // A value that cannot be a key is not among the keys.
        return Ok(dict.get(left).ok().flatten().is_some());
    }
    match type_name(right) {
        "string" if left.unpack_str().is_none() => {
            fail(format!("'in <string>' requires string as left operand, not {}", type_name(left)))
        }
        "range" if format::number(left).is_none() => {
            fail(format!("'in <range>' requires integer as left operand, not {}", type_name(left)))
        }
        _ => right.is_in(left),
    }
}

/// `value[index]`
pub(super) fn index<'v>(value: Value<'v>, index: Value<'v>, heap: Heap<'v>) -> Result<Value<'v>> {
    let kind = type_name(value);
    if !matches!(kind, "string" | "list" | "tuple" | "range") {
        return match kind {
            "set" | "NoneType" | "bool" | "int" | "float" => {
                fail(format!("unhandled index operation {kind}[{}]", type_name(index)))
            }
            _ => value.at(index, heap),
        };
    }
    let Some(number) = format::integer(index) else {
        return fail(format!("{kind} index: got {}, want int", type_name(index)));
    };
    let length = match value.unpack_str() {
        Some(text) => bytes::length(text) as i128,
        None => i128::from(value.length()?),
    };
    if !(-length..length).contains(&number) {
        return fail(match length {
            0 => format!("index {number} out of range: empty {kind}"),
            _ => format!("{kind} index {number} out of range [{}:{}]", -length, length - 1),
        });
    }
    match value.unpack_str() {
        Some(text) => strings::byte(text, number as i32, heap),
        None => value.at(index, heap),
    }
}
