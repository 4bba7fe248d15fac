//! What macros cost: the server makes loops of them, each with a variable for its result.

use super::extent::Extent;
use super::paths::Step;
use super::{Coster, Inside, LIST, MAP, Slot, calls};
use crate::plan::{Loop, Macro, OpId};
use crate::types::Type;

/// A variable or a constant call such as `!result`.
const ONE: u64 = 1;

/// Making an array of one item and adding it to the result.
const ADDED: u64 = ONE + LIST + ONE;

impl Coster<'_> {
    pub(super) fn through(&mut self, id: OpId, all: &Loop) -> u64 {
        match all.kind {
            Macro::OptMap | Macro::OptFlatMap => self.optional(id, all),
            Macro::SortBy => self.sorted(id, all),
            Macro::Bind => {
                let named = self.cost(all.of);
                self.set_variables(all);
                named.saturating_add(self.cost(all.body))
            }
            _ => {
                let range = self.cost(all.of);
                range.saturating_add(self.each(id, all))
            }
        }
    }

    /// What going through all costs, without that of the array or map itself.
    fn each(&mut self, id: OpId, all: &Loop) -> u64 {
        self.set_variables(all);
        let condition = all.condition.map(|condition| self.cost(condition));
        let body = self.cost(all.body);
        // A step that is done only on a condition is the larger of it and of the result as it is.
        let on = |step: u64| match condition {
            Some(condition) => condition.saturating_add(step),
            None => step,
        };
        let (before, after) = match all.kind {
            Macro::Map | Macro::Filter | Macro::SortBy => (LIST, ONE),
            Macro::TransformMap | Macro::TransformMapEntry => (MAP, ONE),
            Macro::ExistsOne => (0, 2 * ONE),
            _ => (0, ONE),
        };
        let step = match all.kind {
            // Whether to go on is asked each time.
            Macro::All => body.saturating_add(ONE + 2 * ONE),
            Macro::Exists => body.saturating_add(ONE + 3 * ONE),
            Macro::ExistsOne => body.saturating_add(2 * ONE),
            Macro::Map | Macro::SortBy => on(body.saturating_add(ADDED)),
            Macro::Filter => body.saturating_add(ONE + ADDED),
            Macro::TransformMap => on(body.saturating_add(3 * ONE)),
            Macro::TransformMapEntry => on(body.saturating_add(2 * ONE)),
            Macro::OptMap | Macro::OptFlatMap | Macro::Bind => body,
        };
        let item = match all.kind {
            Macro::Map | Macro::SortBy => Some(self.size_or_any(all.body)),
            Macro::Filter => Some(self.variable_size(all, all.first)),
            _ => None,
        };
        let count = self.size_or_any(all.of);
        match all.kind {
            Macro::All | Macro::Exists | Macro::ExistsOne => self.set_size(id, Some(Extent::exactly(1))),
            _ => self.set_size(id, Some(count)),
        }
        if let Some(item) = item {
            let value = Extent::exactly(0).or(item);
            self.set_entry(id, Some(Inside { is_list: true, key: Extent::exactly(1), value }));
        }
        let steps = count.most.saturating_mul(step);
        steps.saturating_add(before).saturating_add(after)
    }

    /// The variables of a macro are items, keys or indexes of what it goes through.
    fn set_variables(&mut self, all: &Loop) {
        let entry = self.entry(all.of);
        let is_list = entry.map_or_else(|| matches!(self.type_of(all.of), Type::List(_)), |entry| entry.is_list);
        let path = self.path(all.of);
        let (key, value) = if is_list { (Step::Indexes, Step::Items) } else { (Step::Keys, Step::Values) };
        let (key_size, value_size) = (entry.map(|entry| entry.key), entry.map(|entry| entry.value));
        let mut set = |slot: usize, step: Step, size: Option<Extent>| {
            let path = self.paths.append(path, step);
            self.set_slot(slot, Slot { path, size, entry: None });
        };
        match all.second {
            Some(second) => {
                set(all.first, key, key_size);
                set(second, value, value_size);
            }
            None if is_list => set(all.first, value, value_size),
            None => set(all.first, key, key_size),
        }
    }

    /// The size of a variable of a macro, where the macro itself uses it.
    fn variable_size(&mut self, all: &Loop, number: usize) -> Extent {
        let slot = self.slot(number);
        if let Some(found) = self.size_at(slot.path) {
            return found;
        }
        let is_scalar = match self.type_of(all.of) {
            Type::List(item) => super::is_scalar(item),
            Type::Map(parts) => super::is_scalar(&parts.0),
            _ => false,
        };
        if is_scalar { Extent::exactly(1) } else { slot.size.unwrap_or(Extent::ANY) }
    }

    /// A value that may be absent is looked at twice: whether it is there, and what it is.
    fn optional(&mut self, id: OpId, all: &Loop) -> u64 {
        let value = self.cost(all.of).saturating_add(ONE);
        let inner = self.type_of(all.of).as_optional();
        let size = inner.is_some_and(super::is_scalar).then_some(Extent::exactly(1));
        self.set_slot(all.first, Slot { size, ..Slot::default() });
        let body = self.cost(all.body);
        let named = value.saturating_add(LIST).saturating_add(body);
        let is_flat = all.kind == Macro::OptFlatMap;
        let own = if is_flat { self.size(all.body) } else { None };
        let is_known = super::is_scalar(self.type_of(id));
        let own = own.or(is_known.then_some(Extent::exactly(1)));
        self.set_size(id, Some(own.unwrap_or(Extent::ANY)));
        let then = if is_flat { named } else { named.saturating_add(ONE) };
        value.saturating_add(then.max(ONE))
    }

    /// The keys of all items are found first.
    fn sorted(&mut self, id: OpId, all: &Loop) -> u64 {
        let range = self.cost(all.of).saturating_add(LIST);
        let keys = self.each(id, all).saturating_add(ONE);
        let count = self.size_or_any(all.of);
        let (sorting, size) = calls::sorting(count, self.type_of(all.body));
        if let Some(place) = self.size_of.get_mut(id) {
            *place = Some(size);
        }
        range.saturating_add(keys).saturating_add(ONE).saturating_add(sorting)
    }
}
