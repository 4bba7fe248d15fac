//! Documents of YAML that ytt does not read as a template.

use crate::{Document, MapItem, Node, NodeValue, Notes};
use rustc_hash::FxHashMap;

impl Document {
    /// Makes it what ytt sees of plain YAML: no annotations and no code, and each key once.
    pub fn make_plain(&mut self) {
        self.notes = Notes::default();
        self.value.make_plain();
    }
}

impl Node {
    /// See [`Document::make_plain`]. Document trees have bounded depth, and so has this recursion.
    fn make_plain(&mut self) {
        self.partial = false;
        match &mut self.value {
            // The code that would compute it is an ordinary comment.
            NodeValue::Unknown => self.value = NodeValue::Null,
            NodeValue::Map(items) => {
                let mut places = FxHashMap::default();
                let mut kept: Vec<MapItem> = Vec::with_capacity(items.len());
                for mut item in std::mem::take(items) {
                    item.notes = Notes::default();
                    item.conditional = false;
                    item.value.make_plain();
                    // The last value takes effect, at the place of the first (docs/ytt.md 4.3).
                    match places.get(&item.key).and_then(|at: &usize| kept.get_mut(*at)) {
                        Some(first) => first.value = item.value,
                        None => {
                            places.insert(item.key.clone(), kept.len());
                            kept.push(item);
                        }
                    }
                }
                *items = kept.into();
            }
            NodeValue::Array(items) => {
                for item in items {
                    item.notes = Notes::default();
                    item.conditional = false;
                    item.value.make_plain();
                }
            }
            _ => {}
        }
    }
}
