//! Determines the type of an expression, as the API server's checker does: what it refuses is refused here.

mod literals;
mod unify;

use crate::library::Overload;
use crate::plan::{Environment, Loop, Macro, MadeField, Op, OpId, Program};
use crate::tree::Fault;
use crate::types::{Signature, Type};
use crate::value::{Key, Value};
use std::ops::Range;
use std::sync::Arc;
use unify::Types;

/// The types of an expression.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The type of its value.
    pub result: Type,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    /// What is known about its operations.
    pub(crate) typed: Typed,
}

/// The types of the operations of a program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Typed {
    /// The type of each operation.
    pub of: Vec<Type>,
    /// The calls, in their order, and the numbers of the ways to call the function that fit.
    pub fitting: Vec<(OpId, Vec<usize>)>,
}

impl Checked {
    /// The program with calls that are what the types say: the sum of an empty array of durations is a duration.
    pub fn applied(&self, mut program: Program) -> Program {
        for (id, numbers) in &self.typed.fitting {
            if let [number] = numbers[..] {
                program.choose(*id, number);
            }
        }
        program
    }
}

/// Determines the types of a program.
pub fn check(program: &Program, environment: &Environment) -> Checked {
    let mut checker = Checker {
        program,
        environment,
        types: Types::default(),
        of: vec![Type::Dyn; program.operations.len()],
        slots: vec![Type::Dyn; program.slots],
        faults: Vec::new(),
        fitting: Vec::new(),
    };
    let result = checker.check(program.root);
    let result = checker.types.settled(&result);
    let of = checker.of.iter().map(|found| checker.types.settled(found)).collect();
    let mut fitting = checker.fitting;
    fitting.sort_by_key(|(id, _)| *id);
    Checked { result, faults: checker.faults, typed: Typed { of, fitting } }
}

/// Determines the types of a program, and looks at its literals as Kubernetes does: arrays and maps in an expression
/// hold one type, and durations, times and regular expressions are valid.
pub fn check_with_literals(program: &Program, environment: &Environment) -> Checked {
    let mut checked = check(program, environment);
    if checked.faults.is_empty() {
        checked.faults = literals::faults(program, &checked.typed.of);
    }
    checked
}

struct Checker<'p> {
    program: &'p Program,
    environment: &'p Environment,
    types: Types,
    /// The type of each operation.
    of: Vec<Type>,
    /// The types of the variables of macros.
    slots: Vec<Type>,
    faults: Vec<Fault>,
    /// Calls and the ways to call the function that fit.
    fitting: Vec<(OpId, Vec<usize>)>,
}

/// The type of a constant.
fn constant(value: &Value) -> Type {
    match value {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Int,
        Value::Uint(_) => Type::Uint,
        Value::Double(_) => Type::Double,
        Value::Text(_) => Type::Text,
        Value::Bytes(_) => Type::Bytes,
        _ => Type::Dyn,
    }
}

impl Checker<'_> {
    fn fault(&mut self, range: &Range<usize>, message: impl Into<String>) {
        self.faults.push(Fault { range: range.clone(), message: message.into() });
    }

    fn words(&self, found: &Type) -> String {
        self.types.settled(found).words()
    }

    fn check(&mut self, id: OpId) -> Type {
        let found = self.found(id);
        if let Some(place) = self.of.get_mut(id) {
            *place = found.clone();
        }
        found
    }

    fn found(&mut self, id: OpId) -> Type {
        let program = self.program;
        let Some(operation) = program.get(id) else { return Type::Dyn };
        let range = &operation.range;
        match &operation.kind {
            Op::Constant(value) => constant(value),
            Op::Type(of) => Type::Type(Arc::new(of.clone())),
            Op::Local(slot) => self.slots.get(*slot).cloned().unwrap_or(Type::Dyn),
            Op::Variable(name) => self.environment.variables.get(&**name).cloned().unwrap_or(Type::Dyn),
            Op::Unknown(name) => {
                self.fault(range, format!("there is no variable `{name}` here"));
                Type::Dyn
            }
            Op::Select { of, field, name, may_be_absent } => {
                let of = self.check(*of);
                self.select(&of, field, *may_be_absent, range, name)
            }
            Op::Has { of, field, name } => {
                let of = self.check(*of);
                self.select(&of, field, false, range, name);
                Type::Bool
            }
            Op::Index { of, key, may_be_absent } => {
                let arguments = [self.check(*of), self.check(*key)];
                let name = if *may_be_absent { "@index_optional" } else { "@index" };
                let overloads = crate::library::overloads(name, false).unwrap_or_default();
                let mut fitting = Vec::new();
                let signatures = overloads.iter().map(|overload| &overload.signature);
                let found = self.resolve(signatures, &arguments, &mut fitting).unwrap_or_else(|| {
                    let [of, key] = &arguments;
                    let message = format!("{} has no items that {} leads to", self.words(of), self.words(key));
                    self.fault(range, message);
                    Type::Dyn
                });
                self.fitting.push((id, fitting));
                found
            }
            Op::Call { name, is_method, overloads, arguments } => {
                let mut fitting = Vec::new();
                let found = self.call(name, (*is_method, overloads), arguments, range, &mut fitting);
                self.fitting.push((id, fitting));
                found
            }
            Op::Any(operands) | Op::All(operands) => {
                for operand in operands {
                    self.expect(*operand, &Type::Bool, "a boolean");
                }
                Type::Bool
            }
            Op::Choice(condition, then, other) => {
                self.expect(*condition, &Type::Bool, "a boolean");
                let (then, other) = (self.check(*then), self.check(*other));
                let common = self.types.open();
                if !self.types.assign_all(&[then.clone(), other.clone()], &[common.clone(), common.clone()]) {
                    let message = format!(
                        "both values must have one type, but they are {} and {}",
                        self.words(&then),
                        self.words(&other)
                    );
                    self.fault(range, message);
                    return Type::Dyn;
                }
                self.types.resolved(&common)
            }
            Op::List(items) => {
                let mut common = None;
                for (item, may_be_empty) in items {
                    let own = self.check(*item);
                    let own = if *may_be_empty { self.inside(*item, own) } else { own };
                    common = Some(self.join(common, own));
                }
                Type::list(common.unwrap_or_else(|| self.types.open()))
            }
            Op::Map(entries) => {
                let (mut keys, mut values) = (None, None);
                for (key, value, may_be_empty) in entries {
                    let (key, own) = (self.check(*key), self.check(*value));
                    let own = if *may_be_empty { self.inside(*value, own) } else { own };
                    keys = Some(self.join(keys, key));
                    values = Some(self.join(values, own));
                }
                let key = keys.unwrap_or_else(|| self.types.open());
                let value = values.unwrap_or_else(|| self.types.open());
                Type::map(simple_key(key), value)
            }
            Op::Object(of, fields) => {
                fields.iter().for_each(|field| self.field(of, field));
                of.clone()
            }
            Op::Loop(all) => self.through(all, range),
        }
    }

    /// Looks at a field of an object that the expression makes.
    fn field(&mut self, of: &Type, field: &MadeField) {
        let own = self.check(field.value);
        let own = if field.may_be_empty { self.inside(field.value, own) } else { own };
        let Type::Object(object) = of else { return };
        let expected = match object.field(&field.name) {
            Some(expected) => expected.clone(),
            None if object.is_open => return,
            None => return self.fault(&field.range, format!("`{}` has no field `{}`", object.name, field.name)),
        };
        if !self.types.assign(&own, &expected) {
            let (expected, found) = (expected.words(), self.words(&own));
            self.fault(&self.range_of(field.value), format!("`{}` should be {expected}, but is {found}", field.name));
        }
    }

    fn range_of(&self, id: OpId) -> Range<usize> {
        self.program.get(id).map_or(0..0, |operation| operation.range.clone())
    }

    /// Reports a value of a different type.
    fn expect(&mut self, id: OpId, expected: &Type, words: &str) {
        let found = self.check(id);
        if !self.types.assign(&found, expected) {
            let message = format!("{words} is required here, not {}", self.words(&found));
            self.fault(&self.range_of(id), message);
        }
    }

    /// The type that is inside an optional value.
    fn inside(&mut self, id: OpId, found: Type) -> Type {
        let found = self.types.resolved(&found);
        match found.as_optional() {
            Some(inner) => inner.clone(),
            None if found == Type::Dyn => Type::Dyn,
            None => {
                let message = format!("an optional value is required after `?`, not {}", self.words(&found));
                self.fault(&self.range_of(id), message);
                Type::Dyn
            }
        }
    }

    /// The type that two values have in common.
    fn join(&mut self, first: Option<Type>, second: Type) -> Type {
        let Some(first) = first else { return second };
        if self.types.assign(&first, &second) { unify::more_general(first, second) } else { Type::Dyn }
    }

    fn select(
        &mut self,
        of: &Type,
        field: &Key,
        may_be_absent: bool,
        range: &Range<usize>,
        name_range: &Range<usize>,
    ) -> Type {
        let Key::Text(name) = field else { return Type::Dyn };
        let of = self.types.resolved(of);
        let is_optional = of.as_optional().is_some();
        let inner = of.as_optional().map_or_else(|| of.clone(), |inner| self.types.resolved(inner));
        let found = match &inner {
            Type::Map(parts) => parts.1.clone(),
            Type::Object(object) => match object.field(name) {
                Some(found) => found.clone(),
                None if object.is_open => Type::Dyn,
                None => {
                    self.fault(name_range, format!("there is no field `{name}`"));
                    return Type::Dyn;
                }
            },
            Type::Open(_) => {
                self.types.assign(&Type::Dyn, &inner);
                Type::Dyn
            }
            Type::Dyn => Type::Dyn,
            other => {
                self.fault(range, format!("{} has no fields", other.words()));
                Type::Dyn
            }
        };
        if is_optional || may_be_absent { Type::optional(found) } else { found }
    }

    fn call(
        &mut self,
        name: &str,
        (is_method, overloads): (bool, &[Overload]),
        arguments: &[OpId],
        range: &Range<usize>,
        fitting: &mut Vec<usize>,
    ) -> Type {
        let found: Vec<Type> = arguments.iter().map(|argument| self.check(*argument)).collect();
        let environment = self.environment;
        let is_meant = |own: &&Signature| own.name == name && own.is_method == is_method;
        let declared = environment.functions.iter().filter(is_meant);
        if overloads.is_empty() && declared.clone().next().is_none() {
            let kind = if is_method { "method" } else { "function" };
            self.fault(range, format!("there is no {kind} `{name}`"));
            return Type::Dyn;
        }
        let signatures = overloads.iter().map(|overload| &overload.signature).chain(declared);
        self.resolve(signatures, &found, fitting).unwrap_or_else(|| {
            let given: Vec<String> = found.iter().map(|found| self.words(found)).collect();
            let given = if given.is_empty() { "no arguments".to_owned() } else { given.join(", ") };
            let message = match operator(name) {
                Some(sign) => format!("`{sign}` cannot be used with {given}"),
                None => format!("`{name}` cannot be called with {given}"),
            };
            self.fault(range, message);
            Type::Dyn
        })
    }

    /// The type of the result of a call; dynamic if several ways to call the function fit and differ. Their
    /// numbers are added to `fitting`.
    fn resolve<'s>(
        &mut self,
        signatures: impl Iterator<Item = &'s Signature>,
        arguments: &[Type],
        fitting: &mut Vec<usize>,
    ) -> Option<Type> {
        let mut result: Option<Type> = None;
        for (number, signature) in signatures.enumerate() {
            if !signature.takes(arguments.len()) {
                continue;
            }
            let (mut parameters, own) = self.types.instance(signature);
            let last = parameters.last().cloned().unwrap_or(Type::Dyn);
            parameters.resize(arguments.len(), last);
            if !self.types.assign_all(arguments, &parameters) {
                continue;
            }
            let own = self.types.resolved(&own);
            fitting.push(number);
            result = Some(match result {
                Some(known) if known != Type::Dyn && known != own => Type::Dyn,
                Some(known) => known,
                None => own,
            });
        }
        result
    }

    /// The types of the variables of a macro; None if there is nothing to go through.
    fn variables(&mut self, all: &Loop, range: &Range<usize>) -> Option<(Type, Type)> {
        let of = self.check(all.of);
        let of = self.types.resolved(&of);
        if matches!(all.kind, Macro::OptMap | Macro::OptFlatMap) {
            let found = match (&of, of.as_optional()) {
                (_, Some(inner)) => inner.clone(),
                (Type::Dyn | Type::Open(_), None) => Type::Dyn,
                (other, None) => {
                    self.fault(range, format!("an optional value is required before it, not {}", other.words()));
                    return None;
                }
            };
            return Some((found, Type::Dyn));
        }
        if all.kind == Macro::Bind {
            return Some((of, Type::Dyn));
        }
        let is_pair = all.second.is_some();
        match &of {
            Type::List(item) if is_pair => Some((Type::Int, (**item).clone())),
            Type::List(item) => Some(((**item).clone(), Type::Dyn)),
            Type::Map(_) if all.kind == Macro::SortBy => {
                self.fault(range, "only arrays can be sorted");
                None
            }
            Type::Map(parts) => Some((parts.0.clone(), parts.1.clone())),
            Type::Dyn => Some((Type::Dyn, Type::Dyn)),
            Type::Open(_) => {
                self.types.assign(&Type::Dyn, &of);
                Some((Type::Dyn, Type::Dyn))
            }
            other => {
                self.fault(&self.range_of(all.of), format!("{} has no items", other.words()));
                None
            }
        }
    }

    fn through(&mut self, all: &Loop, range: &Range<usize>) -> Type {
        let (first, second) = self.variables(all, range).unwrap_or((Type::Dyn, Type::Dyn));
        let mut set =
            |slot: usize, own: Type| self.slots.get_mut(slot).into_iter().for_each(|place| *place = own.clone());
        set(all.first, first.clone());
        if let Some(slot) = all.second {
            set(slot, second);
        }
        if let Some(condition) = all.condition {
            self.expect(condition, &Type::Bool, "a boolean");
        }
        match all.kind {
            Macro::All | Macro::Exists | Macro::ExistsOne => {
                self.expect(all.body, &Type::Bool, "a boolean");
                Type::Bool
            }
            Macro::Filter => {
                self.expect(all.body, &Type::Bool, "a boolean");
                Type::list(first)
            }
            Macro::Bind => self.check(all.body),
            Macro::Map => Type::list(self.check(all.body)),
            Macro::TransformMap => Type::map(simple_key(first), self.check(all.body)),
            Macro::TransformMapEntry => {
                let (key, value) = (self.types.open(), self.types.open());
                let entries = Type::map(key, value);
                self.expect(all.body, &entries, "a map");
                self.types.resolved(&entries)
            }
            Macro::SortBy => {
                let key = self.check(all.body);
                let key = self.types.resolved(&key);
                let has_order = matches!(
                    key,
                    Type::Dyn
                        | Type::Open(_)
                        | Type::Int
                        | Type::Uint
                        | Type::Double
                        | Type::Bool
                        | Type::Duration
                        | Type::Timestamp
                        | Type::Text
                        | Type::Bytes
                );
                if !has_order {
                    self.fault(&self.range_of(all.body), format!("{} has no order", key.words()));
                }
                Type::list(first)
            }
            Macro::OptMap => Type::optional(self.check(all.body)),
            Macro::OptFlatMap => {
                let inner = Type::optional(self.types.open());
                self.expect(all.body, &inner, "an optional value");
                self.types.resolved(&inner)
            }
        }
    }
}

/// Keys of other types are errors when the map is made. Their types are not kept, since they might double at each level.
fn simple_key(key: Type) -> Type {
    match key {
        Type::Bool | Type::Int | Type::Uint | Type::Text | Type::Open(_) => key,
        _ => Type::Dyn,
    }
}

/// The sign of an operator.
fn operator(name: &str) -> Option<&'static str> {
    Some(match name {
        "@equal" => "==",
        "@not_equal" => "!=",
        "@less" => "<",
        "@less_equal" => "<=",
        "@greater" => ">",
        "@greater_equal" => ">=",
        "@in" => "in",
        "@add" => "+",
        "@subtract" | "@negate" => "-",
        "@multiply" => "*",
        "@divide" => "/",
        "@remainder" => "%",
        "@not" => "!",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
