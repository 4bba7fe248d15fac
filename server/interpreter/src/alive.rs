//! How many bytes of values are alive: those that variables and the host refer to, and all that was made by what is
//! still running in the middle of a statement.
//!
//! Making values only adds to a sum, because values go by themselves. When the sum reaches the limit, the values that can
//! be reached are counted and the sum begins with them. There must be room for a quarter of the limit then, so that
//! counting takes no more time than making values does. A value that a variable lost while an expression still uses it
//! is not counted: for such code there are the limits of the process.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::evaluator::Stop;
use crate::value::Value;

/// After how many values the host is asked whether to go on.
const VALUES_BETWEEN: usize = 4096;

/// Counts values, each once.
#[derive(Default)]
pub(crate) struct Count {
    seen: FxHashSet<usize>,
    left: Vec<Value>,
    bytes: usize,
}

impl Count {
    /// Adds a value and everything that it refers to.
    pub(crate) fn add(&mut self, value: &Value) {
        if value.size() > 0 {
            self.left.push(value.clone());
        }
    }

    /// Adds the values of variables that have one.
    pub(crate) fn add_all(&mut self, values: impl IntoIterator<Item = Value>) {
        self.left.extend(values.into_iter().filter(|value| value.size() > 0));
    }

    /// The bytes of all values that were added; None if the host wants the evaluation to end.
    pub(crate) fn bytes(mut self, stop: Option<Stop<'_>>) -> Option<usize> {
        let mut values = 0usize;
        while let Some(value) = self.left.pop() {
            values += 1;
            if values.is_multiple_of(VALUES_BETWEEN) && stop.is_some_and(|stop| stop()) {
                return None;
            }
            if value.address().is_none_or(|address| self.seen.insert(address)) {
                self.bytes = self.bytes.saturating_add(value.size());
                self.below(&value);
            }
        }
        Some(self.bytes)
    }

    fn below(&mut self, value: &Value) {
        match value {
            Value::List(list) => self.add_all(list.to_vec()),
            Value::Tuple(items) => items.iter().for_each(|item| self.add(item)),
            Value::Set(set) => self.add_all(set.to_vec()),
            Value::Dict(dict) => self.add_all(dict.entries().into_iter().flat_map(|(key, value)| [key, value])),
            Value::Object(object) => object.values().iter().for_each(|value| self.add(value)),
            Value::Method(method) => self.add(&method.receiver),
            Value::Elements(elements) => self.add(&Value::String(elements.0.clone())),
            Value::Function(function) => {
                function.0.defaults.iter().for_each(|value| self.add(value));
                self.add_all(function.0.captured.iter().filter_map(|cell| cell.get()));
                let globals = &function.0.globals;
                if self.seen.insert(Arc::as_ptr(globals) as usize) {
                    self.add_all(globals.all());
                }
            }
            _ => {}
        }
    }
}

impl Value {
    /// Where the value is, if several references can lead to it.
    fn address(&self) -> Option<usize> {
        Some(match self {
            Value::String(text) => text.as_ptr() as usize,
            Value::Big(number) => Arc::as_ptr(number) as usize,
            Value::List(list) => list.address(),
            Value::Tuple(items) => items.address(),
            Value::Dict(dict) => dict.address(),
            Value::Set(set) => set.address(),
            Value::Range(range) => Arc::as_ptr(range) as usize,
            Value::Elements(elements) => Arc::as_ptr(elements) as usize,
            Value::Function(function) => Arc::as_ptr(&function.0) as usize,
            Value::Method(method) => Arc::as_ptr(method) as usize,
            Value::Object(object) => object.address(),
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Builtin(_) => return None,
        })
    }
}
