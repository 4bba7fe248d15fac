//! What loops run over.

use std::sync::Arc;

use crate::collections::{Dict, List, Set, Tuple};
use crate::failure::{Result, fail};
use crate::value::{Span, Value};

/// The items of a value, one after the other. A list or dict cannot be changed meanwhile.
pub(super) struct Iteration {
    over: Over,
    next: usize,
}

enum Over {
    List(List),
    Tuple(Tuple),
    Dict(Dict),
    Set(Set),
    Range(Arc<Span>),
    Items(Vec<Value>),
}

impl Iteration {
    pub(super) fn new(value: &Value) -> Result<Self> {
        let over = match value {
            Value::List(list) => {
                list.loops(true);
                Over::List(list.clone())
            }
            Value::Dict(dict) => {
                dict.loops(true);
                Over::Dict(dict.clone())
            }
            Value::Tuple(items) => Over::Tuple(items.clone()),
            Value::Set(set) => Over::Set(set.clone()),
            Value::Range(range) => Over::Range(Arc::clone(range)),
            Value::Elements(_) | Value::Object(_) => Over::Items(value.items()?),
            _ => return fail(format!("{} value is not iterable", value.type_name())),
        };
        Ok(Self { over, next: 0 })
    }
}

impl Iterator for Iteration {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let at = self.next;
        self.next += 1;
        match &mut self.over {
            Over::List(list) => list.get(at),
            Over::Tuple(items) => items.get(at).cloned(),
            Over::Dict(dict) => dict.key_at(at),
            Over::Set(set) => set.at(at),
            Over::Range(range) => range.at(at).map(Value::Int),
            Over::Items(items) => items.get_mut(at).map(std::mem::take),
        }
    }
}

impl Drop for Iteration {
    fn drop(&mut self) {
        match &self.over {
            Over::List(list) => list.loops(false),
            Over::Dict(dict) => dict.loops(false),
            Over::Tuple(_) | Over::Set(_) | Over::Range(_) | Over::Items(_) => {}
        }
    }
}
