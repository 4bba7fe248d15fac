//! What an evaluation may cost, estimated from the sizes that values may have, as the API server does before it accepts
//! a rule (`checker.Cost` of cel-go, with the prices of Kubernetes' libraries).

mod calls;
mod extent;
mod loops;
mod paths;

use crate::check::Typed;
use crate::compile::Allowance;
use crate::library;
use crate::plan::{Op, OpId, Program};
use crate::structural::{Size, Unlimited};
use crate::types::Type;
use crate::value::{Key, Value};
use extent::Extent;
use paths::{Path, Paths, Step};
use std::collections::BTreeSet;

/// The API server's limit for an expression.
pub const LIMIT: u64 = 10_000_000;

/// The API server's limit for all expressions of a schema.
pub const TOTAL_LIMIT: u64 = 100_000_000;

/// An array, a map, and an object, in the expression.
const LIST: u64 = 10;
const MAP: u64 = 30;
const OBJECT: u64 = 40;

/// More places are not tried one by one.
const PLACES: usize = 8;

/// An estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    /// What an evaluation costs at most.
    pub most: u64,
    /// The places in the schema without limits that make it so much, those with the largest share first; known only if
    /// it is more than is allowed.
    pub unlimited: Vec<Unlimited>,
}

/// Estimates what a program costs.
pub(crate) fn estimate(program: &Program, typed: &Typed, allowance: Allowance<'_>) -> Estimate {
    let size = allowance.size;
    let mut coster = Coster::new(program, typed, size, None);
    let most = coster.cost(program.root);
    let mut unlimited: Vec<(u64, Unlimited)> = Vec::new();
    if most > allowance.most {
        for place in coster.unlimited.iter().take(PLACES) {
            let rest = Coster::new(program, typed, size, Some(place)).cost(program.root);
            if rest < most {
                unlimited.push((rest, place.clone()));
            }
        }
        unlimited.sort();
    }
    Estimate { most, unlimited: unlimited.into_iter().map(|(_, place)| place).collect() }
}

/// The sizes of what is inside an array or a map.
#[derive(Debug, Clone, Copy)]
struct Inside {
    is_list: bool,
    key: Extent,
    value: Extent,
}

impl Inside {
    fn or(one: Option<Inside>, other: Option<Inside>) -> Option<Inside> {
        let (one, other) = (one?, other?);
        Some(Inside { is_list: one.is_list, key: one.key.or(other.key), value: one.value.or(other.value) })
    }
}

/// What is known about a variable of a macro.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    path: Path,
    size: Option<Extent>,
    entry: Option<Inside>,
}

struct Coster<'p> {
    program: &'p Program,
    typed: &'p Typed,
    /// The size of `self` and of the value before a change.
    root: &'p Size,
    /// A place that is taken to have a limit.
    limited: Option<&'p Unlimited>,
    /// The places without limits that were looked at.
    unlimited: BTreeSet<Unlimited>,
    paths: Paths,
    path_of: Vec<Path>,
    size_of: Vec<Option<Extent>>,
    entry_of: Vec<Option<Inside>>,
    slots: Vec<Slot>,
}

/// A value that a function is called with.
#[derive(Debug, Clone)]
struct Argument<'p> {
    id: OpId,
    size: Option<Extent>,
    path: Path,
    of: &'p Type,
}

impl<'p> Coster<'p> {
    fn new(program: &'p Program, typed: &'p Typed, root: &'p Size, limited: Option<&'p Unlimited>) -> Self {
        let count = program.operations.len();
        Coster {
            program,
            typed,
            root,
            limited,
            unlimited: BTreeSet::new(),
            paths: Paths::default(),
            path_of: vec![Path::default(); count],
            size_of: vec![None; count],
            entry_of: vec![None; count],
            slots: vec![Slot::default(); program.slots],
        }
    }

    fn kind(&self, id: OpId) -> Option<&'p Op> {
        self.program.get(id).map(|operation| &operation.kind)
    }

    fn type_of(&self, id: OpId) -> &'p Type {
        self.typed.of.get(id).unwrap_or(&Type::Dyn)
    }

    fn slot(&self, number: usize) -> Slot {
        self.slots.get(number).copied().unwrap_or_default()
    }

    fn set_slot(&mut self, number: usize, slot: Slot) {
        if let Some(place) = self.slots.get_mut(number) {
            *place = slot;
        }
    }

    fn path(&self, id: OpId) -> Path {
        match self.kind(id) {
            Some(Op::Local(slot)) => self.slot(*slot).path,
            _ => self.path_of.get(id).copied().unwrap_or_default(),
        }
    }

    fn set_path(&mut self, id: OpId, path: Path) {
        if let Some(place) = self.path_of.get_mut(id) {
            *place = path;
        }
    }

    fn append(&mut self, id: OpId, to: OpId, step: Step) {
        let path = self.paths.append(self.path(to), step);
        self.set_path(id, path);
    }

    /// What is found out is not forgotten: nothing takes its place.
    fn set_size(&mut self, id: OpId, size: Option<Extent>) {
        if let Some(place) = self.size_of.get_mut(id) {
            *place = size.or(*place);
        }
    }

    fn set_entry(&mut self, id: OpId, entry: Option<Inside>) {
        if let Some(place) = self.entry_of.get_mut(id) {
            *place = entry.or(*place);
        }
    }

    fn entry(&self, id: OpId) -> Option<Inside> {
        let known = self.entry_of.get(id).copied().flatten();
        known.or_else(|| match self.kind(id) {
            Some(Op::Local(slot)) => self.slot(*slot).entry,
            _ => None,
        })
    }

    /// The size of a value, as far as it is known.
    fn size(&mut self, id: OpId) -> Option<Extent> {
        if let Some(known) = self.size_of.get(id).copied().flatten() {
            return Some(known);
        }
        if let Some(written) = self.kind(id).and_then(written) {
            return Some(written);
        }
        if let Some(found) = self.size_at(self.path(id)) {
            self.set_size(id, Some(found));
            return Some(found);
        }
        if is_scalar(self.type_of(id)) {
            return Some(Extent::exactly(1));
        }
        match self.kind(id) {
            Some(Op::Local(slot)) => self.slot(*slot).size,
            _ => None,
        }
    }

    fn size_or_any(&mut self, id: OpId) -> Extent {
        self.size(id).unwrap_or(Extent::ANY)
    }

    /// The size that the schema declares for a path. Its first step is not looked at: it is `self` or `oldSelf`.
    fn size_at(&mut self, path: Path) -> Option<Extent> {
        if path.is_empty() {
            return None;
        }
        let mut own = self.root;
        for step in self.paths.steps(path).iter().skip(1) {
            own = match step {
                Step::Items | Step::Values => own.item.as_deref()?,
                // The size of keys counts as nothing.
                Step::Keys => return own.has_keys.then_some(Extent::exactly(0)),
                Step::Indexes => return None,
                Step::Named(name) => own.fields.get(&**name)?,
            };
        }
        let Some(place) = &own.unlimited else { return Some(Extent { least: 0, most: own.most }) };
        if self.limited == Some(place) {
            return Some(Extent { least: 0, most: 1 });
        }
        self.unlimited.insert(place.clone());
        Some(Extent { least: 0, most: own.most })
    }

    fn argument(&mut self, id: OpId) -> Argument<'p> {
        Argument { id, size: self.size(id), path: self.path(id), of: self.type_of(id) }
    }

    fn cost(&mut self, id: OpId) -> u64 {
        let program = self.program;
        let Some(operation) = program.get(id) else { return 0 };
        match &operation.kind {
            Op::Constant(_) => 0,
            Op::Local(_) => 1,
            Op::Type(of) => self.variable(id, &of.value_name()),
            Op::Variable(name) => self.variable(id, name),
            Op::Unknown(name) => self.variable(id, name),
            Op::Select { of, may_be_absent: true, .. } => self.cost(*of).saturating_add(1),
            Op::Select { of, field, .. } => {
                let cost = self.cost(*of);
                if let Key::Text(name) = field {
                    self.append(id, *of, Step::Named(name.as_ref().into()));
                }
                let has_fields = matches!(self.type_of(*of), Type::Map(_) | Type::Object(_));
                cost.saturating_add(u64::from(has_fields))
            }
            // Looking whether something is there costs nothing.
            Op::Has { of, .. } => self.cost(*of),
            Op::Index { of, key, may_be_absent } => self.index(id, *of, *key, *may_be_absent),
            Op::Call { name, is_method, arguments, .. } => self.call(id, name, *is_method, arguments),
            Op::Any(operands) | Op::All(operands) => self.costs(operands.iter().copied()),
            Op::Choice(condition, then, other) => {
                let cost = self.cost(*condition);
                let inner = self.cost(*then).max(self.cost(*other));
                let size = self.size_or_any(*then).or(self.size_or_any(*other));
                self.set_size(id, Some(size));
                self.set_entry(id, Inside::or(self.entry(*then), self.entry(*other)));
                cost.saturating_add(inner)
            }
            Op::List(items) => {
                let mut value = if items.is_empty() { Extent::exactly(0) } else { Extent::NONE };
                let mut sum = LIST;
                for (item, _) in items {
                    sum = sum.saturating_add(self.cost(*item));
                    value = value.or(self.size_or_any(*item));
                }
                self.set_entry(id, Some(Inside { is_list: true, key: Extent::exactly(1), value }));
                sum
            }
            Op::Map(entries) => {
                let start = if entries.is_empty() { Extent::exactly(0) } else { Extent::NONE };
                let (mut key, mut value, mut sum) = (start, start, MAP);
                for (own_key, own, _) in entries {
                    sum = sum.saturating_add(self.costs([*own_key, *own]));
                    key = key.or(self.size_or_any(*own_key));
                    value = value.or(self.size_or_any(*own));
                }
                self.set_entry(id, Some(Inside { is_list: false, key, value }));
                sum
            }
            Op::Object(_, fields) => {
                let values = fields.iter().map(|field| self.costs([field.value]));
                values.fold(OBJECT, u64::saturating_add)
            }
            Op::Loop(all) => self.through(id, all),
        }
    }

    fn costs(&mut self, of: impl IntoIterator<Item = OpId>) -> u64 {
        of.into_iter().fold(0, |sum, id| sum.saturating_add(self.cost(id)))
    }

    fn variable(&mut self, id: OpId, name: &str) -> u64 {
        let path = self.paths.start(name);
        self.set_path(id, path);
        1
    }

    /// The ways to call a function that fit, by their numbers.
    fn fitting(&self, id: OpId) -> &'p [usize] {
        let found = self.typed.fitting.binary_search_by_key(&id, |(own, _)| *own);
        found.ok().and_then(|at| self.typed.fitting.get(at)).map_or(&[], |(_, numbers)| numbers.as_slice())
    }

    fn index(&mut self, id: OpId, of: OpId, key: OpId, may_be_absent: bool) -> u64 {
        let cost = self.costs([of, key]).saturating_add(1);
        let mut size = None;
        for number in self.fitting(id) {
            let step = match (number, may_be_absent) {
                (0, false) => Some(Step::Items),
                (1, false) => Some(Step::Values),
                _ => None,
            };
            if let Some(step) = step {
                size = self.entry(of).map(|entry| entry.value);
                self.append(id, of, step);
            }
            size = size.or_else(|| self.size(id));
        }
        self.set_size(id, size);
        cost
    }

    fn call(&mut self, id: OpId, name: &str, is_method: bool, all: &[OpId]) -> u64 {
        let (target, arguments) = match all.split_first() {
            Some((target, arguments)) if is_method => (Some(*target), arguments),
            _ => (None, all),
        };
        if let ("dyn", false, [of]) = (name, is_method, arguments) {
            let cost = self.cost(*of);
            let size = self.size(*of);
            self.set_size(id, size);
            self.set_entry(id, self.entry(*of));
            return cost.saturating_add(1);
        }
        let mut inner = 0u64;
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            inner = inner.saturating_add(self.cost(*argument));
            given.push(self.argument(*argument));
        }
        let target = target.map(|target| {
            inner = inner.saturating_add(self.cost(target));
            self.argument(target)
        });
        let overloads = library::overloads(name, is_method).unwrap_or_default();
        let (mut most, mut size) = (0, None);
        for overload in self.fitting(id).iter().filter_map(|number| overloads.get(*number)) {
            let (cost, own) = self.price(id, &overload.signature, target.as_ref(), &given);
            most = most.max(cost);
            size = match (size, own) {
                (Some(size), Some(own)) => Some(Extent::or(size, own)),
                (size, own) => size.or(own),
            };
            size = size.or_else(|| self.size(id));
        }
        self.set_size(id, size);
        inner.saturating_add(most)
    }
}

/// The size of what is written in the expression.
fn written(kind: &Op) -> Option<Extent> {
    let size = match kind {
        Op::Constant(Value::Text(text)) => text.chars().count(),
        Op::Constant(Value::Bytes(bytes)) => bytes.len(),
        Op::Constant(_) => 1,
        Op::List(items) => items.len(),
        Op::Map(entries) => entries.len(),
        _ => return None,
    };
    Some(Extent::exactly(u64::try_from(size).unwrap_or(u64::MAX)))
}

/// Whether all values of a type are of one size.
fn is_scalar(of: &Type) -> bool {
    match of {
        Type::Bool | Type::Int | Type::Uint | Type::Double | Type::Duration | Type::Timestamp => true,
        other => other.as_optional().is_some_and(is_scalar),
    }
}

#[cfg(test)]
mod tests;
