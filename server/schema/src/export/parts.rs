//! The values that a schema describes, one by one: what the outline and the documentation of a schema are made of.

use crate::navigate::{Step, Via};
use crate::{ConstraintKind, KeyChild, Schema, SchemaId, SchemaNode, Shape};
use lofting_document::{Key, Node};
use rustc_hash::FxHashSet;

/// Longer patterns of keys are cut, in characters.
const PATTERN: usize = 40;

/// A value, described by several nodes.
pub(super) struct Part {
    pub(super) nodes: Vec<SchemaId>,
    /// The name of its key, `/…/` for keys that match a pattern, `*` for all others.
    pub(super) label: String,
    /// Its key, if it is declared by name.
    pub(super) key: Option<Key>,
    pub(super) required: bool,
}

impl Part {
    /// The value that the nodes themselves describe.
    pub(super) fn root(nodes: &[SchemaId]) -> Part {
        Part { nodes: nodes.to_vec(), label: String::new(), key: None, required: false }
    }

    /// The part of the items, if arrays are all that is described: `ports[]`.
    pub(super) fn unfolded(mut self, schema: &Schema) -> Part {
        // No array is in itself for ever.
        for _ in 0..4 {
            let speaking = self.speaking(schema);
            let has_keys = speaking.iter().any(|node| node.map.as_deref().is_some_and(|map| !map.keys.is_empty()));
            if has_keys || !speaking.iter().any(|node| node.array.is_some()) {
                break;
            }
            let Some(items) = self.items(schema) else { break };
            self = items;
        }
        self
    }

    /// The part of its items, if the schema describes them.
    pub(super) fn items(&self, schema: &Schema) -> Option<Part> {
        let below = self.nodes.iter().flat_map(|id| schema.children(*id, &Step::Item));
        let nodes: Vec<SchemaId> = below.map(|child| child.schema).collect();
        let label = format!("{}[]", self.label);
        (!nodes.is_empty()).then_some(Part { nodes, label, key: None, required: self.required })
    }

    /// All nodes that say something about it.
    pub(super) fn speaking<'s>(&self, schema: &'s Schema) -> Vec<&'s SchemaNode> {
        let mut seen = FxHashSet::default();
        let ids = self.nodes.iter().flat_map(|id| schema.speaking(*id)).filter(|id| seen.insert(*id));
        ids.map(|id| schema.node(id)).collect()
    }

    /// The types in words, `any` if everything is accepted.
    pub(super) fn types(&self, schema: &Schema) -> String {
        let mut words: Vec<String> = Vec::new();
        for id in &self.nodes {
            for id in schema.speaking(*id) {
                let word = schema.type_words(id);
                // A node that says nothing of types has no words.
                if !word.is_empty() && word != "any" && !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        if words.is_empty() { "any".to_owned() } else { words.join(" or ") }
    }
}

/// The allowed values, if only some are.
pub(super) fn choices<'s>(speaking: &[&'s SchemaNode]) -> Option<&'s [Node]> {
    speaking.iter().find_map(|node| {
        node.constraints.iter().find_map(|constraint| match &constraint.kind {
            ConstraintKind::OneOf(values) if !constraint.conditional => Some(&**values),
            _ => None,
        })
    })
}

/// Ranges, lengths, patterns and formats in words, without the allowed values.
pub(super) fn bounds(speaking: &[&SchemaNode]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for constraint in speaking.iter().flat_map(|node| &node.constraints) {
        if matches!(constraint.kind, ConstraintKind::OneOf(_) | ConstraintKind::NotNull) {
            continue;
        }
        let word = constraint.words();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The keys below a value: the declared ones, those of patterns, and all others if the schema describes them.
pub(super) fn parts(schema: &Schema, part: &Part) -> Vec<Part> {
    let mut labels: Vec<(String, Key, bool)> = Vec::new();
    let mut others: Vec<Part> = Vec::new();
    for node in part.speaking(schema) {
        let Some(map) = node.map.as_deref().filter(|_| !matches!(node.shape(), Shape::Union(_))) else { continue };
        for declared in &map.keys {
            if schema.node(declared.schema).docs.removed.is_some() {
                continue;
            }
            let required = declared.required || map.required.contains(&declared.key);
            match labels.iter_mut().find(|(_, key, _)| *key == declared.key) {
                Some((.., known)) => *known |= required,
                None => labels.push((one_line(&declared.key.to_string()), declared.key.clone(), required)),
            }
        }
        let patterns = map.patterns.iter().map(|(pattern, id)| (format!("/{}/", cut(&pattern.source, PATTERN)), *id));
        let free = map.free.iter().map(|free| ("*".to_owned(), free.schema));
        let rest = match map.child_of_others() {
            KeyChild::Child(child) if child.via == Via::Rest => Some(("*".to_owned(), child.schema)),
            _ => None,
        };
        for (label, id) in patterns.chain(free).chain(rest) {
            // Several nodes may speak about the same keys.
            match others.iter_mut().find(|known| known.label == label) {
                Some(known) => known.nodes.extend((!known.nodes.contains(&id)).then_some(id)),
                None => others.push(Part { nodes: vec![id], label, key: None, required: false }),
            }
        }
    }
    let declared = labels.into_iter().map(|(label, key, required)| {
        let children = part.nodes.iter().flat_map(|id| schema.children(*id, &Step::Key(key.clone())));
        let mut nodes: Vec<SchemaId> = Vec::new();
        for child in children.filter(|child| child.via != Via::Rest) {
            if !nodes.contains(&child.schema) {
                nodes.push(child.schema);
            }
        }
        Part { nodes, label, key: Some(key), required }
    });
    declared.chain(others).collect()
}

/// A text without line breaks and other control characters.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The first characters of a longer text.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
