//! Values that change nothing: they are the default anyway, or a later document of the file sets them again.

use crate::{Diagnostic, rules};
use lofting_document::{Document, Key, Map, MapItem, Node, NodeValue, Notes, Span};
use lofting_schema::{KeyChild, Schema, SchemaId, Via};
use rustc_hash::FxHashMap;

/// Scalars of a document that are the defaults of their keys. It is the only one that is merged onto the defaults.
pub fn check_written_defaults(schema: &Schema, document: &Document) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut open: Vec<(&Node, SchemaId)> = vec![(&document.value, schema.root())];
    while let Some((value, id)) = open.pop() {
        let node = schema.node(id);
        match &value.value {
            NodeValue::Map(items) => {
                let Some(shape) = &node.map else { continue };
                for item in own(items) {
                    let KeyChild::Child(child) = shape.child(&item.key) else { continue };
                    let below = schema.node(child.schema);
                    let default = below.default.as_ref().filter(|_| child.via == Via::Declared && below.known);
                    match default {
                        Some(default) if is_scalar(&item.value) && item.value.value == default.value.value => {
                            found.push(rules::schema_written_default::finding(item.key_span, default.span));
                        }
                        _ => open.push((&item.value, child.schema)),
                    }
                }
            }
            NodeValue::Array(items) => {
                let Some(shape) = &node.array else { continue };
                open.extend(
                    items.iter().filter(|item| item.notes == Notes::default()).map(|item| (&item.value, shape.item)),
                );
            }
            _ => {}
        }
    }
    let family = schema.semantics().family;
    found.into_iter().map(|finding| finding.family(family)).collect()
}

/// Scalars in data values of a file that a later document of it sets again.
pub fn check_shadowed(documents: &[Document]) -> Vec<Diagnostic> {
    let is_values = |document: &&Document| {
        document.is_data_values() && !document.is_schema() && document.notes.annotations.len() == 1
    };
    let values: Vec<&Document> = documents.iter().filter(is_values).collect();
    let mut found = Vec::new();
    if values.len() < 2 {
        return found;
    }
    let mut later = Later::default();
    for document in values.iter().rev() {
        let mut set: Vec<(usize, &MapItem)> = Vec::new();
        let mut open: Vec<(&Node, usize)> = vec![(&document.value, 0)];
        while let Some((value, at)) = open.pop() {
            let NodeValue::Map(items) = &value.value else { continue };
            for item in own(items) {
                let place = later.below(at, &item.key);
                if is_scalar(&item.value) {
                    if let Some(again) = later.places.get(place).and_then(|place| place.set) {
                        let key = item.key.to_string();
                        found.push(rules::ytt_shadowed_value::finding(item.key_span, &key, again));
                    }
                    set.push((place, item));
                } else {
                    open.push((&item.value, place));
                }
            }
        }
        // Keys of one document are no later ones to each other.
        for (place, item) in set {
            if let Some(place) = later.places.get_mut(place) {
                place.set = Some(item.key_span);
            }
        }
    }
    found
}

/// What later documents set, by the paths of keys.
struct Later {
    places: Vec<Place>,
    below: FxHashMap<(usize, Key), usize>,
}

#[derive(Default)]
struct Place {
    set: Option<Span>,
}

impl Default for Later {
    fn default() -> Self {
        Later { places: vec![Place::default()], below: FxHashMap::default() }
    }
}

impl Later {
    fn below(&mut self, at: usize, key: &Key) -> usize {
        let next = self.places.len();
        let place = *self.below.entry((at, key.clone())).or_insert(next);
        if place == next {
            self.places.push(Place::default());
        }
        place
    }
}

/// The items of a map that are merged as they are: without annotations, conditions, or a merge key that brings them.
fn own(items: &Map) -> impl Iterator<Item = &MapItem> {
    items.iter().filter(|item| item.notes == Notes::default() && !item.merged && !item.conditional)
}

fn is_scalar(value: &Node) -> bool {
    use NodeValue::{Bool, Float, Int, Null, String};
    !value.missing && !value.partial && matches!(value.value, Null | Bool(_) | Int(_) | Float(_) | String(_))
}
