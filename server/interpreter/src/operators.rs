//! Operators.

use std::cmp::Ordering;

use smol_str::SmolStr;

use crate::bytes;
use crate::code::Operator;
use crate::collections::DictKey;
use crate::failure::{Failure, Result, fail, too_much_memory};
use crate::format::{self, shown_quoted};
use crate::integers;
use crate::value::{Span, Value};

/// How many bytes one operation may make.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// `left operator right`
pub(crate) fn binary(operator: Operator, left: &Value, right: &Value) -> Result<Value> {
    match operator {
        Operator::Equal => left.equals(right).map(Value::Bool),
        Operator::NotEqual => left.equals(right).map(|equal| Value::Bool(!equal)),
        Operator::Less => ordered(operator, left, right, Ordering::is_lt),
        Operator::Greater => ordered(operator, left, right, Ordering::is_gt),
        Operator::LessOrEqual => ordered(operator, left, right, Ordering::is_le),
        Operator::GreaterOrEqual => ordered(operator, left, right, Ordering::is_ge),
        Operator::In => contains(left, right).map(Value::Bool),
        Operator::NotIn => contains(left, right).map(|found| Value::Bool(!found)),
        Operator::Modulo if matches!(left, Value::String(_)) => {
            Ok(format::percent(left.as_text().unwrap_or(""), right)?.into())
        }
        Operator::BitAnd | Operator::BitOr | Operator::BitXor => bits(operator, left, right),
        Operator::ShiftLeft | Operator::ShiftRight => {
            integers::shift(operator.text(), left, right).unwrap_or_else(|| Err(unknown(operator, left, right)))
        }
        _ => arithmetic(operator, left, right),
    }
}

fn ordered(operator: Operator, left: &Value, right: &Value, holds: fn(Ordering) -> bool) -> Result<Value> {
    Ok(Value::Bool(left.compare(right, operator.text())?.is_some_and(holds)))
}

fn unknown(operator: Operator, left: &Value, right: &Value) -> Failure {
    let (left, right) = (left.type_name(), right.type_name());
    Failure::runtime(format!("unknown binary op: {left} {} {right}", operator.text()))
}

fn bits(operator: Operator, left: &Value, right: &Value) -> Result<Value> {
    if let (Value::Set(left), Value::Set(right)) = (left, right) {
        return Ok(Value::Set(left.combined(operator.text(), right)));
    }
    integers::bitwise(operator.text(), left, right).unwrap_or_else(|| {
        let failure = unknown(operator, left, right);
        let word = match operator {
            Operator::BitOr => "or",
            Operator::BitAnd => "and",
            _ => return Err(failure),
        };
        let sign = operator.text();
        fail(format!("{} (hint: use '{word}' instead of '{sign}' for logical-{word})", failure.message()))
    })
}

fn arithmetic(operator: Operator, left: &Value, right: &Value) -> Result<Value> {
    if let Some(found) = match operator {
        Operator::Add => integers::add(left, right),
        Operator::Subtract => integers::subtract(left, right),
        Operator::Multiply => integers::multiply(left, right),
        Operator::FloorDivide => integers::floor_divide(left, right),
        Operator::Modulo => integers::modulo(left, right),
        _ => None,
    } {
        return found;
    }
    if let (Some(left), Some(right)) = (integers::to_f64(left), integers::to_f64(right)) {
        return floats(operator, left, right).map(Value::Float);
    }
    match (operator, left, right) {
        (Operator::Add, Value::String(left), Value::String(right)) => joined(left, right),
        (Operator::Add, Value::List(left), Value::List(right)) => {
            let mut items = left.to_vec();
            items.extend(right.to_vec());
            Ok(Value::list(items))
        }
        (Operator::Add, Value::Tuple(left), Value::Tuple(right)) => {
            Ok(Value::tuple(left.iter().chain(right.iter()).cloned().collect()))
        }
        (Operator::Multiply, sequence, count) if count.is_int() => repeated(sequence, count, left, right),
        (Operator::Multiply, count, sequence) if count.is_int() => repeated(sequence, count, left, right),
        _ => Err(unknown(operator, left, right)),
    }
}

fn floats(operator: Operator, left: f64, right: f64) -> Result<f64> {
    Ok(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide if right == 0.0 => return fail("real division by zero"),
        Operator::Divide => left / right,
        Operator::FloorDivide if right == 0.0 => return fail("floored division by zero"),
        Operator::FloorDivide => (left / right).floor(),
        _ if right == 0.0 => return fail("float modulo by zero"),
        _ => {
            let rest = left % right;
            if rest != 0.0 && (rest < 0.0) != (right < 0.0) { rest + right } else { rest }
        }
    })
}

/// Two strings, one after the other.
pub(crate) fn joined(left: &str, right: &str) -> Result<Value> {
    if left.len() + right.len() > MAX_BYTES {
        return too_much_memory();
    }
    let is_part = |character: Option<char>| character.is_some_and(|c| bytes::has_parts(c.encode_utf8(&mut [0; 4])));
    let meet = is_part(left.chars().next_back()) && is_part(right.chars().next());
    let mut text = String::with_capacity(left.len() + right.len());
    text.push_str(left);
    text.push_str(right);
    // Parts of a character that are adjacent now become the character.
    Ok(Value::String(SmolStr::from(if meet { bytes::joined(text) } else { text })))
}

fn repeated(sequence: &Value, count: &Value, left: &Value, right: &Value) -> Result<Value> {
    let each = match sequence {
        Value::String(text) => text.len(),
        Value::List(_) | Value::Tuple(_) => sequence.length().unwrap_or(0) * std::mem::size_of::<Value>(),
        _ => return Err(unknown(Operator::Multiply, left, right)),
    };
    let count = match integers::to_i128(count) {
        Some(count) => usize::try_from(count.max(0)).unwrap_or(usize::MAX),
        None => return too_much_memory(),
    };
    if each.saturating_mul(count) > MAX_BYTES {
        return too_much_memory();
    }
    let count = if each == 0 { 0 } else { count };
    let items = |items: &[Value]| items.iter().cycle().take(items.len() * count).cloned().collect::<Vec<_>>();
    Ok(match sequence {
        Value::String(text) => bytes::joined(text.repeat(count)).into(),
        Value::List(list) => Value::list(items(&list.to_vec())),
        Value::Tuple(tuple) => Value::tuple(items(tuple)),
        _ => return Err(unknown(Operator::Multiply, left, right)),
    })
}

/// `operator operand`
pub(crate) fn unary(operator: Operator, operand: &Value) -> Result<Value> {
    let found = match (operator, operand) {
        (Operator::Subtract, Value::Float(number)) => Some(Ok(Value::Float(-number))),
        (Operator::Add, Value::Int(_) | Value::Big(_) | Value::Float(_)) => Some(Ok(operand.clone())),
        (Operator::Subtract, _) => integers::negate(operand),
        (Operator::Invert, _) => integers::invert(operand),
        _ => None,
    };
    found.unwrap_or_else(|| fail(format!("unknown unary op: {}{}", operator.text(), operand.type_name())))
}

/// `left in right`
pub(crate) fn contains(left: &Value, right: &Value) -> Result<bool> {
    match right {
        // A value that cannot be a key is not among the keys.
        Value::Dict(dict) => Ok(DictKey::new(left.clone()).is_ok_and(|key| dict.get(&key).is_some())),
        Value::Set(set) => Ok(DictKey::new(left.clone()).is_ok_and(|key| set.contains(&key))),
        Value::List(list) => Ok(list.find(left, 0)?.is_some()),
        Value::Tuple(items) => any_equal(items, left),
        Value::String(text) => match left.as_text() {
            Some(part) => Ok(text.contains(part)),
            None => fail(format!("'in <string>' requires string as left operand, not {}", left.type_name())),
        },
        Value::Range(range) => match left {
            Value::Int(number) => Ok(range.find(*number).is_some()),
            Value::Big(_) => Ok(false),
            Value::Float(number) => Ok(number.fract() == 0.0 && range.find(*number as i64).is_some()),
            _ => fail(format!("'in <range>' requires integer as left operand, not {}", left.type_name())),
        },
        Value::Object(object) => object.contains(left),
        _ => Err(unknown(Operator::In, left, right)),
    }
}

fn any_equal(items: &[Value], wanted: &Value) -> Result<bool> {
    for item in items {
        if item.equals(wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `value[index]`
pub(crate) fn index(value: &Value, index: &Value) -> Result<Value> {
    match value {
        Value::Dict(dict) => match dict.get(&DictKey::new(index.clone())?) {
            Some(found) => Ok(found),
            None => fail(format!("key {} not in dict", shown_quoted(index))),
        },
        Value::Object(object) => object.at(index),
        Value::List(list) => {
            let at = place(value, index)?;
            list.get(at).map_or_else(|| fail(format!("index {at} out of range")), Ok)
        }
        Value::Tuple(items) => Ok(items.get(place(value, index)?).cloned().unwrap_or_default()),
        Value::Range(range) => Ok(range.at(place(value, index)?).map_or(Value::None, Value::Int)),
        Value::String(text) => {
            let at = place(value, index)?;
            Ok(bytes::text(bytes::of(text).get(at..=at).unwrap_or(&[])).into())
        }
        _ => fail(format!("unhandled index operation {}[{}]", value.type_name(), index.type_name())),
    }
}

/// The place in a sequence that an index stands for; negative ones count from the end.
pub(crate) fn place(value: &Value, index: &Value) -> Result<usize> {
    let kind = value.type_name();
    let Some(number) = integers::to_i128(index) else {
        let was = if index.is_int() { "a large int" } else { index.type_name() };
        return fail(format!("{kind} index: got {was}, want int"));
    };
    let length = value.length().unwrap_or(0) as i128;
    if !(-length..length).contains(&number) {
        return fail(match length {
            0 => format!("index {number} out of range: empty {kind}"),
            _ => format!("{kind} index {number} out of range [{}:{}]", -length, length - 1),
        });
    }
    Ok(usize::try_from(if number < 0 { number + length } else { number }).unwrap_or(0))
}

/// `value[start:stop:step]`
pub(crate) fn slice(value: &Value, bounds: [Option<Value>; 3]) -> Result<Value> {
    let length = match value {
        Value::String(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_) => value.length().unwrap_or(0) as i128,
        Value::Object(object) => return Err(object.slice()),
        _ => return fail(format!("invalid slice operand {}", value.type_name())),
    };
    let number = |value: &Option<Value>| match value {
        None | Some(Value::None) => Ok(None),
        Some(value) => match integers::to_i128(value) {
            Some(number) => Ok(Some(number)),
            None => fail(format!("invalid slice index: got {}, want int", value.type_name())),
        },
    };
    let (start, stop, step) = (number(&bounds[0])?, number(&bounds[1])?, number(&bounds[2])?.unwrap_or(1));
    if step == 0 {
        return fail("zero is not a valid slice step");
    }
    let step = step.clamp(-length - 1, length + 1);
    let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |given: Option<i128>, default: i128| {
        given.map_or(default, |at| (if at < 0 { at.saturating_add(length) } else { at }).clamp(least, most))
    };
    let (first, last) = if step > 0 { (least, most) } else { (most, least) };
    let (start, stop) = (bound(start, first), bound(stop, last));
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = if distance <= 0 { 0 } else { (distance - 1) / step.abs() + 1 };
    let places = (0..count).filter_map(|index| usize::try_from(start + index * step).ok());
    let items = |items: &[Value]| places.clone().filter_map(|at| items.get(at).cloned()).collect::<Vec<_>>();
    Ok(match value {
        Value::List(list) => Value::list(items(&list.to_vec())),
        Value::Tuple(tuple) => Value::tuple(items(tuple)),
        Value::Range(range) => {
            let start = range.start.wrapping_add(range.step.wrapping_mul(start as i64));
            let step = range.step.saturating_mul(step as i64);
            let stop = start.saturating_add(step.saturating_mul(count as i64));
            Value::Range(std::sync::Arc::new(Span { start, stop, step, count: count as usize }))
        }
        Value::String(text) => {
            let bytes = bytes::of(text);
            let part: Vec<u8> = places.filter_map(|at| bytes.get(at).copied()).collect();
            bytes::text(&part).into()
        }
        _ => Value::None,
    })
}
