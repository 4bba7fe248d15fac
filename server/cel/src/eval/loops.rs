//! Macros that go through arrays and maps.

use super::{Error, Evaluator};
use crate::library::{no_overload, sorted};
use crate::plan::{Loop, Macro, OpId};
use crate::value::{Map, Value};
use std::sync::Arc;

/// What a turn costs besides what is evaluated in it.
const TURN: u64 = 3;

/// What adding an item to a new array costs.
const ITEM: u64 = 11;

/// The pairs that a macro goes through: an item and nothing, or index and item, or key and value.
fn pairs(of: &Value, is_pair: bool) -> Option<Vec<(Value, Value)>> {
    Some(match of {
        Value::List(list) if is_pair => {
            let places = (0..).map(Value::Int);
            places.zip(list.items.iter().cloned()).collect()
        }
        Value::List(list) => list.items.iter().map(|item| (item.clone(), Value::Null)).collect(),
        Value::Map(map) => map.entries.values().cloned().collect(),
        _ => return None,
    })
}

impl Evaluator<'_> {
    fn set(&mut self, slot: usize, value: Value) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = value;
        }
    }

    fn holds(&mut self, id: OpId) -> Result<bool, Error> {
        match self.value(id)? {
            Value::Bool(holds) => Ok(holds),
            other => Err(self.error(id, no_overload(&[other]))),
        }
    }

    #[inline(never)]
    pub(super) fn through(&mut self, id: OpId, all: &Loop) -> Result<Value, Error> {
        let of = self.value(all.of)?;
        if matches!(all.kind, Macro::OptMap | Macro::OptFlatMap) {
            return self.inside(id, all, &of);
        }
        if all.kind == Macro::Bind {
            self.turn(id, all, (of, Value::Null))?;
            return self.value(all.body);
        }
        let Some(pairs) = pairs(&of, all.second.is_some()) else {
            return Err(self.error(all.of, format!("{} has no items", of.type_words())));
        };
        match all.kind {
            Macro::All => self.decide(id, all, pairs, false),
            Macro::Exists => self.decide(id, all, pairs, true),
            Macro::ExistsOne => self.exactly_one(id, all, pairs),
            Macro::TransformMap | Macro::TransformMapEntry => self.entries(id, all, pairs),
            Macro::SortBy => self.sorted(id, all, pairs),
            _ => self.items(id, all, pairs),
        }
    }

    /// Makes a pair the values of the variables; false if it does not fulfil the condition.
    fn turn(&mut self, id: OpId, all: &Loop, (first, second): (Value, Value)) -> Result<bool, Error> {
        self.spend(id, TURN)?;
        self.set(all.first, first);
        if let Some(slot) = all.second {
            self.set(slot, second);
        }
        all.condition.map_or(Ok(true), |condition| self.holds(condition))
    }

    /// Whether the body is `decisive` for an item. An error counts only if no other item decides.
    fn decide(&mut self, id: OpId, all: &Loop, pairs: Vec<(Value, Value)>, decisive: bool) -> Result<Value, Error> {
        let mut first_error = None;
        for pair in pairs {
            self.turn(id, all, pair)?;
            match self.holds(all.body) {
                Ok(holds) if holds == decisive => return Ok(Value::Bool(decisive)),
                Ok(_) => {}
                Err(error) if error.failure.is_final() => return Err(error),
                Err(error) => drop(first_error.get_or_insert(error)),
            }
        }
        first_error.map_or(Ok(Value::Bool(!decisive)), Err)
    }

    fn exactly_one(&mut self, id: OpId, all: &Loop, pairs: Vec<(Value, Value)>) -> Result<Value, Error> {
        let mut count = 0;
        for pair in pairs {
            self.turn(id, all, pair)?;
            count += usize::from(self.holds(all.body)?);
        }
        Ok(Value::Bool(count == 1))
    }

    fn items(&mut self, id: OpId, all: &Loop, pairs: Vec<(Value, Value)>) -> Result<Value, Error> {
        let mut items = Vec::new();
        for pair in pairs {
            let item = pair.0.clone();
            if !self.turn(id, all, pair)? {
                continue;
            }
            if all.kind == Macro::Filter {
                if self.holds(all.body)? {
                    self.spend(id, ITEM)?;
                    items.push(item);
                }
            } else {
                self.spend(id, ITEM)?;
                items.push(self.value(all.body)?);
            }
        }
        Ok(Value::list(items))
    }

    fn entries(&mut self, id: OpId, all: &Loop, pairs: Vec<(Value, Value)>) -> Result<Value, Error> {
        let mut map = Map::default();
        for pair in pairs {
            let key = pair.0.clone();
            if !self.turn(id, all, pair)? {
                continue;
            }
            self.spend(id, ITEM)?;
            let made = self.value(all.body)?;
            if all.kind == Macro::TransformMap {
                let words = key.type_words();
                if !map.insert(key, made) {
                    return Err(self.error(id, format!("{words} cannot be a key")));
                }
                continue;
            }
            let Value::Map(made) = &made else {
                return Err(self.error(all.body, format!("a map is required here, not {}", made.type_words())));
            };
            for (own, entry) in &made.entries {
                if map.entries.insert(own.clone(), entry.clone()).is_some() {
                    return Err(self.error(all.body, "a key occurs twice"));
                }
            }
        }
        Ok(Value::Map(Arc::new(map)))
    }

    fn sorted(&mut self, id: OpId, all: &Loop, pairs: Vec<(Value, Value)>) -> Result<Value, Error> {
        let mut keyed = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let item = pair.0.clone();
            self.turn(id, all, pair)?;
            self.spend(id, ITEM)?;
            keyed.push((self.value(all.body)?, item));
        }
        sorted(keyed).map(Value::list).ok_or_else(|| self.error(all.body, "only keys of one type can be sorted by"))
    }

    /// Gives a name to a value that may be absent.
    fn inside(&mut self, id: OpId, all: &Loop, of: &Value) -> Result<Value, Error> {
        let Value::Optional(inner) = of else {
            let message = format!("an optional value is required before it, not {}", of.type_words());
            return Err(self.error(all.of, message));
        };
        let Some(inner) = inner else { return Ok(Value::Optional(None)) };
        self.turn(id, all, ((**inner).clone(), Value::Null))?;
        let made = self.value(all.body)?;
        match (all.kind, made) {
            (Macro::OptMap, made) => Ok(Value::present(made)),
            (_, made @ Value::Optional(_)) => Ok(made),
            (_, other) => {
                let message = format!("an optional value is required here, not {}", other.type_words());
                Err(self.error(all.body, message))
            }
        }
    }
}
