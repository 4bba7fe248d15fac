//! What Kubernetes refuses in literals, whose types are right.

use crate::cost::{Failure, LIMIT, Meter};
use crate::library::check_format;
use crate::plan::{Op, OpId, Program};
use crate::tree::Fault;
use crate::types::Type;
use crate::value::Value;
use lofting_schema::re2;
use std::ops::Range;

/// Reports arrays and maps of several types, and texts that are not durations, times, formats and regular expressions.
pub(super) fn faults(program: &Program, of: &[Type]) -> Vec<Fault> {
    let mut looked = Literals { program, of, faults: Vec::new(), exempt: vec![false; program.operations.len()] };
    // What an operation uses comes before it, so that the outer one is seen first from the end.
    for id in (0..program.operations.len()).rev() {
        looked.look(id);
    }
    looked.faults.reverse();
    looked.faults
}

struct Literals<'p> {
    program: &'p Program,
    of: &'p [Type],
    faults: Vec<Fault>,
    /// Operations inside a call of `format`, whose values may have several types.
    exempt: Vec<bool>,
}

impl Literals<'_> {
    fn fault(&mut self, range: Range<usize>, message: impl Into<String>) {
        self.faults.push(Fault { range, message: message.into() });
    }

    fn exempt(&mut self, id: OpId) {
        if let Some(place) = self.exempt.get_mut(id) {
            *place = true;
        }
    }

    fn constant(&self, id: OpId) -> Option<&Value> {
        match self.program.get(id).map(|operation| &operation.kind) {
            Some(Op::Constant(value)) => Some(value),
            _ => None,
        }
    }

    fn look(&mut self, id: OpId) {
        let program = self.program;
        let Some(operation) = program.get(id) else { return };
        let is_exempt = self.exempt.get(id).copied().unwrap_or(false);
        let is_format = matches!(&operation.kind, Op::Call { name, is_method: true, .. } if **name == *"format");
        if is_exempt || is_format {
            inner(&operation.kind, |id| self.exempt(id));
        }
        match &operation.kind {
            Op::List(items) if !is_exempt => {
                self.one_type(items.iter().map(|(item, may_be_empty)| (*item, *may_be_empty)));
            }
            Op::Map(entries) if !is_exempt => {
                self.one_type(entries.iter().map(|(key, ..)| (*key, false)));
                self.one_type(entries.iter().map(|(_, value, may_be_empty)| (*value, *may_be_empty)));
            }
            Op::Index { key, .. } => self.key(*key),
            Op::Call { name, is_method, arguments, .. } => match (&**name, &arguments[..]) {
                ("timestamp" | "duration", [text]) if !is_method => self.conversion(id, *text),
                ("matches", [_, expression]) => {
                    if let Some(Value::Text(text)) = self.constant(*expression)
                        && let Err(error) = re2::check(text)
                    {
                        let range = program.get(*expression).map_or(0..0, |operation| operation.range.clone());
                        self.fault(range, error.to_string());
                    }
                }
                ("format", [text, values]) if *is_method => self.format(*text, *values, &operation.range),
                _ => {}
            },
            _ => {}
        }
    }

    fn one_type(&mut self, items: impl Iterator<Item = (OpId, bool)>) {
        let mut first: Option<Type> = None;
        for (item, may_be_empty) in items {
            let Some(own) = self.of.get(item) else { continue };
            let own = if may_be_empty { own.as_optional().unwrap_or(own) } else { own };
            match &first {
                None => first = Some(own.clone()),
                Some(first) if *first == *own => {}
                Some(first) => {
                    let message = if first.words() == own.words() {
                        format!("all items must have one type: this is {own}, the first is {first}")
                    } else {
                        format!("all items must have one type: this is {}, the first is {}", own.words(), first.words())
                    };
                    let range = self.program.get(item).map_or(0..0, |operation| operation.range.clone());
                    self.fault(range, message);
                }
            }
        }
    }

    /// An index that is known and cannot be one.
    fn key(&mut self, mut id: OpId) {
        while let Some(Op::Call { name, arguments, is_method: false, .. }) = self.program.get(id).map(|own| &own.kind) {
            match &arguments[..] {
                [of] if **name == *"dyn" => id = *of,
                _ => return,
            }
        }
        let is_refused = self.constant(id).is_some_and(|value| matches!(value, Value::Bytes(_) | Value::Null));
        if is_refused {
            let range = self.program.get(id).map_or(0..0, |operation| operation.range.clone());
            self.fault(range, "this cannot be an index or a key");
        }
    }

    /// A duration or time that is known.
    fn conversion(&mut self, id: OpId, argument: OpId) {
        let Some(value @ (Value::Text(_) | Value::Int(_))) = self.constant(argument) else { return };
        let Some(Op::Call { overloads, .. }) = self.program.get(id).map(|own| &own.kind) else { return };
        let (mut meter, expressions) = (Meter::new(LIMIT), re2::Expressions::default());
        let value = std::slice::from_ref(value);
        if let Err(Failure::Because(reason)) = crate::library::call(overloads, value, &mut meter, &expressions) {
            let range = self.program.get(argument).map_or(0..0, |operation| operation.range.clone());
            self.fault(range, reason);
        }
    }

    fn format(&mut self, text: OpId, values: OpId, range: &Range<usize>) {
        let Some(Value::Text(text)) = self.constant(text) else { return };
        let Some(Op::List(items)) = self.program.get(values).map(|own| &own.kind) else { return };
        let types: Vec<Type> = items.iter().map(|(item, _)| self.of.get(*item).cloned().unwrap_or(Type::Dyn)).collect();
        if let Err(Failure::Because(reason)) = check_format(text, &types) {
            self.fault(range.clone(), reason);
        }
    }
}

/// Calls a function for each operation that another one uses.
fn inner(kind: &Op, mut each: impl FnMut(OpId)) {
    match kind {
        Op::Select { of, .. } | Op::Has { of, .. } => each(*of),
        Op::Index { of, key, .. } => [*of, *key].into_iter().for_each(each),
        Op::Call { arguments: all, .. } | Op::Any(all) | Op::All(all) => all.iter().copied().for_each(each),
        Op::Choice(condition, then, other) => [*condition, *then, *other].into_iter().for_each(each),
        Op::List(items) => items.iter().for_each(|(item, _)| each(*item)),
        Op::Map(entries) => entries.iter().for_each(|(key, value, _)| {
            each(*key);
            each(*value);
        }),
        Op::Object(_, fields) => fields.iter().for_each(|field| each(field.value)),
        Op::Loop(all) => [Some(all.of), all.condition, Some(all.body)].into_iter().flatten().for_each(each),
        Op::Constant(_) | Op::Type(_) | Op::Local(_) | Op::Variable(_) | Op::Unknown(_) => {}
    }
}
