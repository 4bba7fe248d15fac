//! Portions of long values, kept between calls.

use std::collections::HashMap;

use lofting_eval::{Call, Data, Portion};
use lofting_interpreter::Value;

use crate::context::BuiltItem;
use crate::convert::{self, Known};
use crate::object::{ItemMeta, Ours};

/// The portions that the client wants to be kept, as values that nothing can change: they have neither lists nor dicts.
#[derive(Default)]
pub struct KeptPortions {
    by_number: HashMap<u64, Value>,
}

impl KeptPortions {
    /// Keeps a portion. Without effect if one that it contains is not kept.
    pub fn keep(&mut self, portion: &Portion) {
        let Some(items) = portion.items().map(Data::Fragment) else { return };
        if self.has_all(&items) {
            let known = Known { portions: Some(self), ..Known::default() };
            let value = convert::argument(&items, known);
            self.by_number.insert(portion.number(), value);
        }
    }

    /// No longer keeps a portion. Those that contain it are kept as they are.
    pub fn forget(&mut self, number: u64) {
        self.by_number.remove(&number);
    }

    /// Whether all portions that the arguments of a call contain are kept.
    pub(crate) fn has_all_of(&self, call: &Call) -> bool {
        call.arguments.iter().all(|argument| self.has_all(argument))
    }

    fn has_all(&self, data: &Data) -> bool {
        let mut found = Vec::new();
        data.portions(&mut found);
        found.iter().all(|portion| self.by_number.contains_key(&portion.number()))
    }

    /// The items of a portion.
    pub(crate) fn items(&self, portion: &Portion) -> impl Iterator<Item = BuiltItem> {
        let ours = self.by_number.get(&portion.number()).and_then(Ours::of);
        ours.into_iter().flat_map(Ours::items).map(|(_, key, value)| BuiltItem {
            meta: ItemMeta::default(),
            key: key.clone(),
            value: value.clone(),
            arguments: Vec::new(),
        })
    }
}
