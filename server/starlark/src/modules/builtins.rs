//! Built-in functions whose arguments or results differ between ytt and the Starlark crate.

use std::cmp::Ordering;

use starlark::collections::SmallMap;
use starlark::eval::Evaluator;
use starlark::values::dict::{Dict, DictMut, DictRef};
use starlark::values::float::StarlarkFloat;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::tuple::AllocTuple;
use starlark::values::{Heap, Value, ValueLike};

use super::assertion::is_function;
use super::given::{BuiltinArguments, collect};
use super::{Args, strings};
use crate::failure::{Result, fail};
use crate::format::{self, type_name};
use crate::integers;
use crate::object::{Object, ObjectKind};

/// The functions.
pub(super) const NAMES: [&str; 8] = ["dict", "enumerate", "float", "int", "max", "min", "ord", "sorted"];

pub(super) fn invoke<'v>(args: &Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let given = BuiltinArguments { name: args.name, values: &args.positional, named: &args.named };
    match args.name {
        "dict" => {
            let mut dict = Dict::new(SmallMap::new());
            update(&mut dict, &given, heap)?;
            Ok(heap.alloc(dict))
        }
        "enumerate" => {
            given.between(1, 2)?;
            let start = given.number(1)?.unwrap_or(0);
            let items = given.items(0, heap)?.into_iter().zip(start..);
            let pairs = items.map(|(item, index)| heap.alloc(AllocTuple([heap.alloc(index), item])));
            Ok(heap.alloc(AllocList(pairs.collect::<Vec<_>>())))
        }
        "float" => float(&given, heap),
        "int" => int(&given, heap),
        "max" | "min" => extremum(&given, eval),
        "ord" => strings::ord(&given, heap),
        "sorted" => sorted(&given, eval),
        name => fail(format!("unknown function {name}")),
    }
}

/// Methods of collections.
pub(super) fn method<'v>(args: &Args<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let heap = eval.heap();
    let receiver = args.first();
    let values = args.positional.get(1..).unwrap_or(&[]);
    let given = |name| BuiltinArguments { name, values, named: &args.named };
    if args.name == "collection.dict_update" {
        // Read before the dict changes, because the entries may be its own.
        let mut entries = Dict::new(SmallMap::new());
        update(&mut entries, &given("update"), heap)?;
        let mut dict = DictMut::from_value(receiver).map_err(starlark::Error::new_other)?;
        for (key, value) in entries.iter_hashed() {
            dict.aref.insert_hashed(key, value);
        }
        return Ok(Value::new_none());
    }
    let given = given("pop");
    given.between(0, 1)?;
    let length = ListRef::from_value(receiver).map_or(0, |list| list.len() as i64);
    let index = given.number(0)?.unwrap_or(-1);
    let place = if index < 0 { index + length } else { index };
    if !(0..length).contains(&place) {
        return fail(match length {
            0 => format!("pop: index {index} out of range: empty list"),
            _ => format!("pop: list index {index} out of range [{}:{}]", -length, length - 1),
        });
    }
    let Some(pop) = receiver.get_attr("pop", heap)? else { return fail("list has no .pop field or method") };
    eval.eval_function(pop, &[heap.alloc(place)], &[])
}

/// The entries of a mapping: a dict, a struct, or a fragment that is a map.
pub(crate) fn entries<'v>(value: Value<'v>, heap: Heap<'v>) -> Option<Vec<(Value<'v>, Value<'v>)>> {
    if let Some(dict) = DictRef::from_value(value) {
        return Some(dict.iter().collect());
    }
    let object = Object::from_value(value)?;
    match object.kind() {
        ObjectKind::Struct(names) => {
            let names = names.iter().map(|name| heap.alloc_str(name).to_value());
            Some(names.zip(object.values()).collect())
        }
        ObjectKind::Fragment(lofting_eval::FragmentKind::Map | lofting_eval::FragmentKind::Empty, _) => {
            Some(object.items().map(|(_, key, value)| (key, value)).collect())
        }
        _ => None,
    }
}

/// Handles the arguments of `dict` and `update`: a mapping or a sequence of pairs, then keywords.
fn update<'v>(dict: &mut Dict<'v>, given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<()> {
    if given.values.len() > 1 {
        return fail(format!("{}: got {} arguments, want at most 1", given.name, given.values.len()));
    }
    if let Some(source) = given.at(0) {
        for (key, value) in match entries(source, heap) {
            Some(entries) => entries,
            None => pairs(source, given.name, heap)?,
        } {
            dict.insert_hashed(key.get_hashed()?, value);
        }
    }
    for (name, value) in given.named {
        dict.insert_hashed(heap.alloc_str(name).to_value().get_hashed()?, *value);
    }
    Ok(())
}

fn pairs<'v>(source: Value<'v>, name: &str, heap: Heap<'v>) -> Result<Vec<(Value<'v>, Value<'v>)>> {
    let Ok(items) = source.iterate(heap) else {
        return fail(format!("{name}: got {}, want iterable", type_name(source)));
    };
    let mut pairs = Vec::new();
    for (index, item) in items.enumerate() {
        let element = || format!("{name}: dictionary update sequence element #{index}");
        let Ok(parts) = item.iterate(heap) else {
            return fail(format!("{} is not iterable ({})", element(), type_name(item)));
        };
        match parts.collect::<Vec<_>>().as_slice() {
            [key, value] => pairs.push((*key, *value)),
            parts => return fail(format!("{} has length {}, want 2", element(), parts.len())),
        }
    }
    Ok(pairs)
}

fn float<'v>(given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    if !given.named.is_empty() {
        return fail("float does not accept keyword arguments");
    }
    let value = match given.values {
        [] => return Ok(heap.alloc(0.0)),
        [value] => *value,
        several => return fail(format!("float got {} arguments, wants 1", several.len())),
    };
    if let Some(truth) = value.unpack_bool() {
        return Ok(heap.alloc(f64::from(u8::from(truth))));
    }
    if let Some(number) = format::number(value) {
        return Ok(heap.alloc(number));
    }
    let Some(text) = value.unpack_str() else {
        return fail(format!("float got {}, want number or string", type_name(value)));
    };
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() || text.contains(['n', 'N']) => Ok(heap.alloc(number)),
        Ok(_) => fail(format!("float: strconv.ParseFloat: parsing {text:?}: value out of range")),
        Err(_) => fail(format!("float: strconv.ParseFloat: parsing {text:?}: invalid syntax")),
    }
}

fn int<'v>(given: &BuiltinArguments<'v, '_>, heap: Heap<'v>) -> Result<Value<'v>> {
    let [value, base] = given.by_name(["x", "base"], 1)?;
    let value = value.unwrap_or_else(Value::new_none);
    if let Some(text) = value.unpack_str() {
        let base = match base.map(format::integer) {
            None => 10,
            Some(Some(base @ (0 | 2..=36))) => base as u32,
            Some(_) => return fail("int: base must be an integer >= 2 && <= 36"),
        };
        return digits(text, base, heap);
    }
    if base.is_some() {
        return fail("int: can't convert non-string with explicit base");
    }
    match (value.unpack_bool(), value.downcast_ref::<StarlarkFloat>()) {
        (Some(truth), _) => Ok(heap.alloc(i32::from(truth))),
        (_, Some(float)) if !float.0.is_finite() => {
            fail(format!("int: cannot convert float {} to integer", format::float_text(float.0)))
        }
        (_, Some(float)) => integers::from_float(float.0.trunc(), heap),
        _ if value.get_type() == "int" => Ok(value),
        _ => fail(format!("int: cannot convert {} to int", type_name(value))),
    }
}

/// An integer as text: a sign, an optional prefix that fits the base, and digits only.
fn digits<'v>(text: &str, base: u32, heap: Heap<'v>) -> Result<Value<'v>> {
    let invalid = || fail(format!("int: invalid literal with base {base}: {text}"));
    let (negative, rest) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let prefixes = [("0o", 8), ("0O", 8), ("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2)];
    let prefix = prefixes.iter().find(|(prefix, _)| rest.len() > 2 && rest.starts_with(prefix));
    let (digits, radix) = match prefix {
        Some((_, own)) if base != 0 && base != *own => return invalid(),
        Some((prefix, own)) => (rest.trim_start_matches(prefix), *own),
        // In base 0, a leading zero may be followed only by zeros.
        None if base == 0 && rest.starts_with('0') && rest.len() > 1 => {
            if rest.bytes().all(|byte| byte == b'0') {
                ("0", 10)
            } else {
                return invalid();
            }
        }
        None => (rest, if base == 0 { 10 } else { base }),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return invalid();
    }
    integers::from_digits(negative, digits, radix, heap)
}

/// The argument `key=`, for functions that have one.
fn key<'v>(name: &str, place: &str, key: Option<Value<'v>>) -> Result<Option<Value<'v>>> {
    match key {
        Some(key) if !is_function(key) => {
            fail(format!("{name}: for parameter {place}: got {}, want callable", type_name(key)))
        }
        key => Ok(key),
    }
}

fn keys<'v>(
    items: &[Value<'v>],
    key: Option<Value<'v>>,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Vec<(Value<'v>, Value<'v>)>> {
    let pair = |item: &Value<'v>| match key {
        Some(key) => Ok((eval.eval_function(key, &[*item], &[])?, *item)),
        None => Ok((*item, *item)),
    };
    items.iter().map(pair).collect()
}

fn extremum<'v>(given: &BuiltinArguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let name = given.name;
    if given.values.is_empty() {
        return fail(format!("{name} requires at least one positional argument"));
    }
    let [by] = BuiltinArguments { name, values: &[], named: given.named }.by_name(["key"], 0)?;
    let by = key(name, "key", by)?;
    let items = match given.values {
        [only] => match only.iterate(eval.heap()) {
            Ok(items) => collect(items)?,
            Err(_) => return fail(format!("{name}: {} value is not iterable", type_name(*only))),
        },
        several => several.to_vec(),
    };
    let mut keyed = keys(&items, by, eval)?.into_iter();
    let Some(mut best) = keyed.next() else { return fail(format!("{name}: argument is an empty sequence")) };
    let better = if name == "max" { Ordering::Greater } else { Ordering::Less };
    for candidate in keyed {
        if candidate.0.compare(best.0)? == better {
            best = candidate;
        }
    }
    Ok(best.1)
}

fn sorted<'v>(given: &BuiltinArguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> Result<Value<'v>> {
    let [sequence, by, reverse] = given.by_name(["iterable", "key", "reverse"], 1)?;
    let sequence = sequence.unwrap_or_else(Value::new_none);
    let place =
        |number: usize, name: &str| if given.values.len() >= number { number.to_string() } else { name.to_owned() };
    let Ok(items) = sequence.iterate(eval.heap()) else {
        let place = place(1, "iterable");
        return fail(format!("sorted: for parameter {place}: got {}, want iterable", type_name(sequence)));
    };
    let items = collect(items)?;
    let by = key("sorted", &place(2, "key"), by)?;
    let reverse = match reverse.map(|value| value.unpack_bool().ok_or(value)) {
        None => false,
        Some(Ok(reverse)) => reverse,
        Some(Err(value)) => {
            let place = place(3, "reverse");
            return fail(format!("sorted: for parameter {place}: got {}, want bool", type_name(value)));
        }
    };
    let mut keyed = keys(&items, by, eval)?;
    let mut failure = None;
    keyed.sort_by(|left, right| {
        let (left, right) = if reverse { (right, left) } else { (left, right) };
        left.0.compare(right.0).unwrap_or_else(|error| {
            failure.get_or_insert(error);
            Ordering::Equal
        })
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(eval.heap().alloc(AllocList(keyed.into_iter().map(|(_, item)| item).collect::<Vec<_>>()))),
    }
}
