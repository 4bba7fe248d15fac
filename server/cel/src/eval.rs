//! The value of an expression. The recursion is as deep as the expression, whose depth is limited.

mod loops;

use crate::cost::{Failure, Meter};
use crate::library::{self, Overload, no_overload};
use crate::plan::{Op, OpId, Program};
use crate::value::{Key, List, ListKind, Map, Value};
use std::ops::Range;
use std::sync::Arc;

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The part that has none.
    pub range: Range<usize>,
    /// The reason.
    pub failure: Failure,
}

/// The result of an evaluation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The value.
    pub value: Result<Value, Error>,
    /// What it cost.
    pub cost: u64,
}

impl Program {
    /// Evaluates the expression at no more than this cost.
    pub fn evaluate(&self, variables: &dyn Fn(&str) -> Option<Value>, limit: u64) -> Outcome {
        let slots = vec![Value::Null; self.slots];
        let mut evaluator = Evaluator { program: self, variables, slots, meter: Meter::new(limit) };
        let value = evaluator.value(self.root);
        Outcome { value, cost: evaluator.meter.spent() }
    }
}

struct Evaluator<'p> {
    program: &'p Program,
    variables: &'p dyn Fn(&str) -> Option<Value>,
    /// The variables of macros.
    slots: Vec<Value>,
    meter: Meter,
}

/// What making an array or a map costs.
const LIST: u64 = 10;
const MAP: u64 = 30;

impl Evaluator<'_> {
    fn error(&self, id: OpId, failure: impl Into<Failure>) -> Error {
        let range = self.program.get(id).map_or(0..0, |operation| operation.range.clone());
        Error { range, failure: failure.into() }
    }

    fn spend(&mut self, id: OpId, cost: u64) -> Result<(), Error> {
        self.meter.spend(cost).map_err(|failure| self.error(id, failure))
    }

    fn value(&mut self, id: OpId) -> Result<Value, Error> {
        let program = self.program;
        let Some(operation) = program.get(id) else { return Err(self.error(id, "nothing is here")) };
        match &operation.kind {
            Op::Constant(value) => Ok(value.clone()),
            Op::Type(of) => Ok(Value::Type(of.value_name().into())),
            Op::Local(slot) => {
                self.spend(id, 1)?;
                Ok(self.slots.get(*slot).cloned().unwrap_or(Value::Null))
            }
            Op::Variable(name) => self.variable(id, name),
            Op::Unknown(name) => Err(self.error(id, format!("there is no variable `{name}` here"))),
            Op::Select { of, field, may_be_absent, .. } => {
                let of = self.value(*of)?;
                self.select(id, &of, field, *may_be_absent)
            }
            Op::Has { of, field, .. } => {
                let of = self.value(*of)?;
                self.has(id, &of, field)
            }
            Op::Index { of, key, may_be_absent } => {
                let (of, key) = (self.value(*of)?, self.value(*key)?);
                self.index(id, &of, &key, *may_be_absent)
            }
            Op::Call { name, is_method, overloads, arguments } => self.call(id, name, *is_method, overloads, arguments),
            Op::Any(operands) => self.logic(operands, true),
            Op::All(operands) => self.logic(operands, false),
            Op::Choice(condition, then, other) => match self.value(*condition)? {
                Value::Bool(true) => self.value(*then),
                Value::Bool(false) => self.value(*other),
                value => Err(self.error(*condition, no_overload(&[value]))),
            },
            Op::List(items) => self.list(id, items),
            Op::Map(entries) => self.map(id, entries),
            Op::Object(..) => Err(self.error(id, "only the API server makes objects")),
            Op::Loop(all) => self.through(id, all),
        }
    }

    #[inline(never)]
    fn variable(&mut self, id: OpId, name: &str) -> Result<Value, Error> {
        self.spend(id, 1)?;
        (self.variables)(name).ok_or_else(|| self.error(id, format!("the variable `{name}` has no value")))
    }

    /// Whether one of these is `decisive`, or none is. An error counts only if no other decides.
    #[inline(never)]
    fn logic(&mut self, operands: &[OpId], decisive: bool) -> Result<Value, Error> {
        let mut first_error = None;
        for operand in operands {
            let error = match self.value(*operand) {
                Ok(Value::Bool(value)) if value == decisive => return Ok(Value::Bool(decisive)),
                Ok(Value::Bool(_)) => continue,
                Ok(value) => self.error(*operand, no_overload(&[value])),
                Err(error) if error.failure.is_final() => return Err(error),
                Err(error) => error,
            };
            first_error.get_or_insert(error);
        }
        first_error.map_or(Ok(Value::Bool(!decisive)), Err)
    }

    #[inline(never)]
    fn select(&mut self, id: OpId, of: &Value, field: &Key, may_be_absent: bool) -> Result<Value, Error> {
        self.spend(id, 1)?;
        let find = |of: &Value| match of {
            Value::Map(map) => map.selected(field).cloned(),
            _ => None,
        };
        match of {
            Value::Optional(of) => Ok(of.as_deref().and_then(find).map_or(Value::Optional(None), Value::present)),
            Value::Map(_) if may_be_absent => Ok(find(of).map_or(Value::Optional(None), Value::present)),
            Value::Map(_) => find(of).ok_or_else(|| self.error(id, format!("there is no key {}", shown(field)))),
            other => Err(self.error(id, format!("{} has no fields", other.type_words()))),
        }
    }

    #[inline(never)]
    fn has(&mut self, id: OpId, of: &Value, field: &Key) -> Result<Value, Error> {
        match of {
            Value::Map(map) => Ok(Value::Bool(map.selected(field).is_some())),
            Value::Optional(of) => {
                let has = matches!(of.as_deref(), Some(Value::Map(map)) if map.selected(field).is_some());
                Ok(Value::Bool(has))
            }
            other => Err(self.error(id, format!("{} has no fields", other.type_words()))),
        }
    }

    #[inline(never)]
    fn index(&mut self, id: OpId, of: &Value, key: &Value, may_be_absent: bool) -> Result<Value, Error> {
        self.spend(id, 1)?;
        let own_key = Key::of(key);
        let found = |of: &Value| match (of, &own_key) {
            (Value::List(list), Some(Key::Int(index))) => {
                usize::try_from(*index).ok().and_then(|index| list.items.get(index)).cloned()
            }
            (Value::Map(map), Some(key)) => map.entries.get(key).map(|(_, value)| value.clone()),
            _ => None,
        };
        let is_index = match of {
            Value::List(_) => matches!(own_key, Some(Key::Int(_) | Key::Large(_))),
            Value::Map(_) => own_key.is_some() || matches!(key, Value::Double(_)),
            Value::Optional(_) => true,
            _ => false,
        };
        if !is_index {
            return Err(self.error(id, format!("{} has no items that {} leads to", of.type_words(), key.type_words())));
        }
        match of {
            Value::Optional(of) => Ok(of.as_deref().and_then(found).map_or(Value::Optional(None), Value::present)),
            _ if may_be_absent => Ok(found(of).map_or(Value::Optional(None), Value::present)),
            Value::List(list) => found(of).ok_or_else(|| {
                let shown = own_key.as_ref().map(shown).unwrap_or_default();
                self.error(id, format!("there is no item {shown} in an array of {}", list.items.len()))
            }),
            _ => found(of).ok_or_else(|| {
                let shown = own_key.as_ref().map(shown).unwrap_or_default();
                self.error(id, format!("there is no key {shown}"))
            }),
        }
    }

    #[inline(never)]
    fn call(
        &mut self,
        id: OpId,
        name: &str,
        is_method: bool,
        overloads: &'static [Overload],
        arguments: &[OpId],
    ) -> Result<Value, Error> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = self.value(*argument)?;
            // What stands for an absent value is not looked at otherwise.
            if let (Value::Optional(Some(inner)), true, true) = (&value, is_method, values.is_empty()) {
                match name {
                    "or" if arguments.len() == 2 => return Ok(value),
                    "orValue" if arguments.len() == 2 => return Ok((**inner).clone()),
                    _ => {}
                }
            }
            values.push(value);
        }
        if overloads.is_empty() {
            return Err(self.error(id, format!("there is no function `{name}`")));
        }
        library::call(overloads, &values, &mut self.meter, &self.program.expressions)
            .map_err(|failure| self.error(id, failure))
    }

    #[inline(never)]
    fn list(&mut self, id: OpId, items: &[(OpId, bool)]) -> Result<Value, Error> {
        self.spend(id, LIST + u64::try_from(items.len() / 16).unwrap_or(0))?;
        let mut values = Vec::with_capacity(items.len());
        for (item, may_be_empty) in items {
            match (self.value(*item)?, may_be_empty) {
                (value, false) => values.push(value),
                (Value::Optional(value), true) => values.extend(value.as_deref().cloned()),
                (other, true) => return Err(self.error(*item, not_optional(&other))),
            }
        }
        Ok(Value::List(Arc::new(List { items: values, kind: ListKind::Atomic })))
    }

    #[inline(never)]
    fn map(&mut self, id: OpId, entries: &[(OpId, OpId, bool)]) -> Result<Value, Error> {
        self.spend(id, MAP + u64::try_from(entries.len() / 16).unwrap_or(0))?;
        let mut map = Map::default();
        for (key, value, may_be_empty) in entries {
            let (own_key, own) = (self.value(*key)?, self.value(*value)?);
            let own = match (own, may_be_empty) {
                (own, false) => own,
                (Value::Optional(None), true) => continue,
                (Value::Optional(Some(own)), true) => (*own).clone(),
                (other, true) => return Err(self.error(*value, not_optional(&other))),
            };
            let words = own_key.type_words();
            if !map.insert(own_key, own) {
                return Err(self.error(*key, format!("{words} cannot be a key")));
            }
        }
        Ok(Value::Map(Arc::new(map)))
    }
}

fn not_optional(value: &Value) -> String {
    format!("an optional value is required after `?`, not {}", value.type_words())
}

fn shown(key: &Key) -> String {
    match key {
        Key::Bool(value) => format!("`{value}`"),
        Key::Int(value) => format!("`{value}`"),
        Key::Large(value) => format!("`{value}`"),
        Key::Text(text) => format!("`{}`", text.chars().take(100).collect::<String>()),
    }
}

#[cfg(test)]
mod tests;
