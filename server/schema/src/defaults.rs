//! Default values.

use crate::{KeyChild, Rest, Schema, SchemaId, Shape};
use lofting_document::{MapItem, Node, NodeValue, Notes, Span};

/// References can make a schema infinite; no document is nested this deeply.
const DEPTH: usize = lofting_eval::MAX_NESTING;

/// References can also make a default grow without bound in breadth: after this many added keys, besides one for each
/// node of the schema, the rest is unknown.
const KEYS: usize = if cfg!(test) { 10_000 } else { 1_000_000 };

impl Schema {
    /// The value that applies if the user gives none (docs/ytt.md 10.1), with the keys of maps added. Every node keeps
    /// the span of its declaration.
    pub fn effective_default(&self, id: SchemaId) -> Node {
        self.default_to(id, 0, &mut self.most_added())
    }

    /// How many keys defaults may add. What the schema writes down is never too much.
    fn most_added(&self) -> usize {
        KEYS + self.size()
    }

    fn default_to(&self, id: SchemaId, depth: usize, budget: &mut usize) -> Node {
        let node = self.node(id);
        if depth > DEPTH || *budget == 0 {
            return Node::unknown(node.declared.span);
        }
        if let Some(default) = &node.default {
            let mut value = default.value.clone();
            if default.explicit {
                place_at(&mut value, default.span, node.declared.name);
            }
            self.fill_to(id, &mut value, depth, budget);
            return value;
        }
        match node.shape() {
            Shape::Map(_) => {
                let mut value = Node::new(NodeValue::Map(Default::default()), node.declared.span);
                self.fill_to(id, &mut value, depth, budget);
                value
            }
            _ => Node::unknown(node.declared.span),
        }
    }

    /// Adds the missing keys of maps with their defaults, after the given keys and in the order of the schema, at all
    /// levels (docs/ytt.md 10.3).
    pub fn fill_defaults(&self, id: SchemaId, value: &mut Node) {
        self.fill_to(id, value, 0, &mut self.most_added());
    }

    /// Like [`Schema::fill_defaults`], after `over` was merged into a value whose defaults were added already, without
    /// functions as matchers. Looks only at what `over` can have touched, so that many small documents do not each cost
    /// a walk through all values.
    pub fn fill_defaults_below(&self, id: SchemaId, value: &mut Node, over: &Node) {
        self.fill_below(id, value, over, 0, &mut self.most_added());
    }

    fn fill_below(&self, id: SchemaId, value: &mut Node, over: &Node, depth: usize, budget: &mut usize) {
        if depth > DEPTH || value.raw {
            return;
        }
        match (self.node(id).shape(), &mut value.value, &over.value) {
            (Shape::Map(map), NodeValue::Map(items), NodeValue::Map(over)) if items.is_filled() => {
                for item in over {
                    let KeyChild::Child(child) = map.child(&item.key) else { continue };
                    if let Some(value) = items.position(&item.key).and_then(|at| items.value_mut(at)) {
                        self.fill_below(child.schema, value, &item.value, depth + 1, budget);
                    }
                }
            }
            (Shape::Array(array), NodeValue::Array(items), NodeValue::Array(over))
                if over.iter().all(|item| item.notes.annotations.is_empty()) =>
            {
                // They were appended, or they are all the items.
                let first = items.len().saturating_sub(over.len());
                for (index, item) in items.iter_mut().enumerate().skip(first) {
                    let schema = array.child(index).schema;
                    self.fill_to(schema, &mut item.value, depth + 1, budget);
                }
            }
            _ => self.fill_to(id, value, depth, budget),
        }
    }

    fn fill_to(&self, id: SchemaId, value: &mut Node, depth: usize, budget: &mut usize) {
        if depth > DEPTH || value.raw {
            return;
        }
        match (self.node(id).shape(), &mut value.value) {
            (Shape::Map(map), NodeValue::Map(items)) => {
                let mut given = vec![false; map.keys.len()];
                for (name, value) in items.entries_mut() {
                    let Some(index) = map.by_key.get(name) else {
                        if !map.free.is_empty()
                            && let KeyChild::Child(child) = map.child(name)
                        {
                            self.fill_to(child.schema, value, depth + 1, budget);
                        }
                        continue;
                    };
                    if let (Some(given), Some(key)) = (given.get_mut(*index as usize), map.keys.get(*index as usize)) {
                        *given = true;
                        self.fill_to(key.schema, value, depth + 1, budget);
                    }
                }
                value.partial |= map.rest == Rest::Open && !map.keys.is_empty();
                for (key, _) in map.keys.iter().zip(&given).filter(|(_, given)| !**given) {
                    if self.node(key.schema).left_out {
                        continue;
                    }
                    *budget = budget.saturating_sub(1);
                    let declared = self.node(key.schema).declared;
                    items.push(MapItem {
                        key: key.key.clone(),
                        key_span: declared.name,
                        span: declared.span,
                        value: self.default_to(key.schema, depth + 1, budget),
                        notes: Notes::default(),
                        merged: false,
                        conditional: false,
                    });
                }
                items.set_filled();
            }
            (Shape::Array(array), NodeValue::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let schema = array.child(index).schema;
                    self.fill_to(schema, &mut item.value, depth + 1, budget);
                }
            }
            _ => {}
        }
    }
}

/// Items that an annotation gives are placed at the annotated node (docs/ytt.md 13.7), while their values keep their
/// place in the annotation. Fragments have places of their own.
fn place_at(value: &mut Node, annotation: Span, name: Span) {
    let given =
        |span: Span| span.file == annotation.file && annotation.start <= span.start && span.end <= annotation.end;
    match &mut value.value {
        NodeValue::Map(items) => {
            for item in items.iter_mut() {
                if given(item.key_span) {
                    item.key_span = name;
                }
                place_at(&mut item.value, annotation, name);
            }
        }
        NodeValue::Array(items) => {
            for item in items.iter_mut() {
                if given(item.span) {
                    item.span = name;
                }
                place_at(&mut item.value, annotation, name);
            }
        }
        _ => {}
    }
}
