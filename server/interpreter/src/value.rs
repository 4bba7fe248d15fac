//! Values of the language. They are small, cheap to clone, and can be sent to other threads.

use std::sync::Arc;

use num_bigint::BigInt;
use smol_str::SmolStr;

use crate::code::FunctionCode;
use crate::collections::{Dict, List, Set, Tuple};
use crate::comparison::Comparison;
use crate::drop::Items;
use crate::failure::{Failure, Result, fail};
use crate::functions::Builtin;
use crate::module::{Cell, Globals};
use crate::object::Object;
use crate::strings::Elements;

/// How deeply values may nest where that is walked by recursion: when they are compared, hashed or printed.
pub const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;

/// A value.
///
/// Strings, lists and the like are shared, not copied, when a value is cloned. Text is kept as Rust's strings; a byte
/// that is not a complete character is represented as [`crate::bytes`] says.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// `None`
    #[default]
    None,
    /// `True` and `False`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// An integer that does not fit; see [`crate::integers`].
    Big(Arc<BigInt>),
    /// A floating-point number.
    Float(f64),
    /// A string.
    String(SmolStr),
    /// A list.
    List(List),
    /// A tuple.
    Tuple(Tuple),
    /// A dict.
    Dict(Dict),
    /// A set.
    Set(Set),
    /// `range(...)`
    Range(Arc<Span>),
    /// `"...".elems()` and the like.
    Elements(Arc<(SmolStr, Elements)>),
    /// A function that is written in Starlark.
    Function(Function),
    /// A function of the language.
    Builtin(&'static Builtin),
    /// A method of the language, with its receiver.
    Method(Arc<Method>),
    /// A value of the host.
    Object(Object),
}

/// The numbers of a `range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first number.
    pub start: i64,
    /// The number that ends it, which is not one of them.
    pub stop: i64,
    /// What is added to a number to get the next one; never 0.
    pub step: i64,
    /// How many numbers there are.
    pub count: usize,
}

impl Span {
    /// The number at this place.
    pub fn at(&self, index: usize) -> Option<i64> {
        // Cannot overflow: all numbers lie between those that `range` was given.
        (index < self.count).then(|| self.start.wrapping_add(self.step.wrapping_mul(index as i64)))
    }

    /// The place of a number.
    pub fn find(&self, number: i64) -> Option<usize> {
        let distance = i128::from(number) - i128::from(self.start);
        let index = usize::try_from(distance / i128::from(self.step)).ok()?;
        (distance % i128::from(self.step) == 0 && index < self.count).then_some(index)
    }
}

/// A function that is written in Starlark.
#[derive(Clone, Debug)]
pub struct Function(pub(crate) Arc<FunctionData>);

#[derive(Debug)]
pub(crate) struct FunctionData {
    pub(crate) code: Arc<FunctionCode>,
    pub(crate) globals: Arc<Globals>,
    /// The values of the last parameters that have one.
    pub(crate) defaults: Items,
    /// Variables of the functions around it.
    pub(crate) captured: Vec<Arc<Cell>>,
}

impl Function {
    /// Its name; `lambda` for those without.
    pub fn name(&self) -> &str {
        &self.0.code.name
    }

    /// How many parameters it has, including those that collect the rest.
    pub fn parameters(&self) -> usize {
        self.0.code.parameters.len()
    }

    /// Its parameters as they are written, with `...` for defaults.
    pub fn signature(&self) -> String {
        self.0.code.signature()
    }
}

/// A method of a value.
#[derive(Debug)]
pub struct Method {
    /// The value before the dot.
    pub receiver: Value,
    /// What is called with it as the first argument.
    pub function: &'static Builtin,
}

impl Value {
    /// A string.
    pub fn text(text: impl AsRef<str>) -> Value {
        Value::String(SmolStr::new(text))
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(List::new(items))
    }

    /// A tuple.
    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(Tuple::new(items))
    }

    /// A dict; of equal keys the last one counts.
    ///
    /// # Errors
    ///
    /// A key cannot be one.
    pub fn dict(entries: impl IntoIterator<Item = (Value, Value)>) -> Result<Value> {
        Ok(Value::Dict(Dict::of(entries)?))
    }

    /// Whether it is `None`.
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        if let Value::String(text) = self { Some(text) } else { None }
    }

    /// The truth of a bool.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(truth) = self { Some(*truth) } else { None }
    }

    /// An integer of at most 64 bits.
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(number) = self { Some(*number) } else { None }
    }

    /// A floating-point number.
    pub fn as_float(&self) -> Option<f64> {
        if let Value::Float(number) = self { Some(*number) } else { None }
    }

    /// Whether it is an integer of any size.
    pub fn is_int(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Big(_))
    }

    /// The value of the host.
    pub fn as_object(&self) -> Option<&Object> {
        if let Value::Object(object) = self { Some(object) } else { None }
    }

    /// Whether it counts as true in conditions.
    pub fn truth(&self) -> bool {
        match self {
            Value::None => false,
            Value::Bool(truth) => *truth,
            Value::Int(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            Value::String(text) => !text.is_empty(),
            Value::List(list) => !list.is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::Dict(dict) => !dict.is_empty(),
            Value::Set(set) => !set.is_empty(),
            Value::Range(range) => range.count > 0,
            Value::Object(object) => object.truth(),
            Value::Big(_) | Value::Elements(_) | Value::Function(_) | Value::Builtin(_) | Value::Method(_) => true,
        }
    }

    /// What `type` says of it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::Big(_) => "int",
            Value::Float(_) => "float",
            Value::String(_) => "string",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Set(_) => "set",
            Value::Range(_) => "range",
            Value::Elements(elements) => elements.1.type_name(),
            Value::Function(_) => "function",
            Value::Builtin(_) | Value::Method(_) => "builtin_function_or_method",
            Value::Object(object) => object.type_name(),
        }
    }

    /// How many items it has; None for what has no length.
    pub fn length(&self) -> Option<usize> {
        Some(match self {
            Value::String(text) => crate::bytes::length(text),
            Value::List(list) => list.len(),
            Value::Tuple(items) => items.len(),
            Value::Dict(dict) => dict.len(),
            Value::Set(set) => set.len(),
            Value::Range(range) => range.count,
            Value::Object(object) => return object.length(),
            _ => return None,
        })
    }

    /// Its items in order, or the keys of a mapping.
    ///
    /// # Errors
    ///
    /// It cannot be iterated.
    pub fn items(&self) -> Result<Vec<Value>> {
        let items = match self {
            Value::List(list) => Some(list.to_vec()),
            Value::Tuple(items) => Some(items.to_vec()),
            Value::Dict(dict) => Some(dict.keys()),
            Value::Set(set) => Some(set.to_vec()),
            Value::Range(range) if range.count > MAX_ITEMS => return crate::failure::too_much_memory(),
            Value::Range(range) => Some((0..range.count).filter_map(|index| range.at(index)).map(Value::Int).collect()),
            Value::Elements(elements) => Some(elements.1.of(&elements.0)),
            Value::Object(object) => object.items(),
            _ => None,
        };
        items.ok_or_else(|| Failure::runtime(format!("{} value is not iterable", self.type_name())))
    }

    /// The entries of a mapping: those of a dict, and of what the host calls a mapping.
    ///
    /// # Errors
    ///
    /// The host refuses to list them.
    pub fn entries(&self) -> Result<Option<Vec<(Value, Value)>>> {
        match self {
            Value::Dict(dict) => Ok(Some(dict.entries())),
            Value::Object(object) => object.entries(),
            _ => Ok(None),
        }
    }

    /// Whether both are the same list, dict, tuple and so on, not only equal.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::List(a), Value::List(b)) => a.is_same(b),
            (Value::Dict(a), Value::Dict(b)) => a.is_same(b),
            (Value::Tuple(a), Value::Tuple(b)) => a.is_same(b),
            (Value::Set(a), Value::Set(b)) => a.is_same(b),
            (Value::Function(a), Value::Function(b)) => Arc::ptr_eq(&a.0, &b.0),
            (Value::Object(a), Value::Object(b)) => a.is_same(b),
            _ => false,
        }
    }

    /// Whether they are equal.
    ///
    /// # Errors
    ///
    /// Values of the host can refuse to be compared, and values that nest too deeply cannot be.
    pub fn equals(&self, other: &Value) -> Result<bool> {
        crate::comparison::equal(self, other, &mut Comparison::default())
    }

    /// Whether it contains an item, as `in` finds out.
    ///
    /// # Errors
    ///
    /// It contains nothing, or its items cannot be compared with that one.
    pub fn contains(&self, item: &Value) -> Result<bool> {
        crate::operators::contains(item, self)
    }

    /// How they are ordered; None if no comparison holds, because one of them is NaN.
    ///
    /// # Errors
    ///
    /// They have no order. `operator` is the one that asks.
    pub fn compare(&self, other: &Value, operator: &str) -> Result<Option<std::cmp::Ordering>> {
        crate::comparison::order(self, other, operator, &mut Comparison::default())
    }

    /// Makes it, and everything that it refers to, unchangeable.
    pub fn freeze(&self) {
        if self.holds_values() {
            crate::freeze::freeze(vec![self.clone()]);
        }
    }

    /// Roughly how many bytes the value itself takes, without what it refers to.
    pub(crate) fn size(&self) -> usize {
        const EACH: usize = std::mem::size_of::<Value>();
        match self {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Builtin(_) => 0,
            Value::Big(number) => 32 + number.bits() as usize / 8,
            Value::String(text) if text.is_heap_allocated() => 16 + text.len(),
            Value::String(_) => 0,
            Value::List(list) => 64 + list.len() * EACH,
            Value::Tuple(items) => 32 + items.len() * EACH,
            Value::Dict(dict) => 96 + dict.len() * (2 * EACH + 16),
            Value::Set(set) => 96 + set.len() * (EACH + 16),
            Value::Range(_) | Value::Elements(_) | Value::Method(_) => 64,
            Value::Function(function) => 96 + (function.0.defaults.0.len() + function.0.captured.len()) * EACH,
            Value::Object(object) => 96 + object.values().len() * EACH,
        }
    }
}

/// How many items are collected at once.
pub(crate) const MAX_ITEMS: usize = 2_000_000;

/// The error of a value that is nested too deeply to be compared.
pub(crate) fn too_deep<T>() -> Result<T> {
    crate::failure::limit("evaluation was stopped: the values are nested too deeply to be compared")
}

/// Fails because a value cannot be a key.
pub(crate) fn unhashable<T>(value: &Value) -> Result<T> {
    fail(format!("unhashable type: {}", value.type_name()))
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text.into())
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Value::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Int(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Float(number)
    }
}
