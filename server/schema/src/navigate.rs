//! The only way from a node to those one step below: declared keys, patterns, the rule for other keys, items, and the
//! branches of clauses. A check follows the branch that holds, a hover shows the first, completion offers all.

use crate::{ArrayShape, MapShape, Rest, Schema, SchemaId, Shape, Written};
use lofting_document::Key;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the value of a key.
    Key(Key),
    /// To an item.
    Index(usize),
    /// To an item whose index is not known.
    Item,
}

/// Which statement of a schema makes a node apply to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The key is declared.
    Declared,
    /// The key matches a pattern.
    Pattern,
    /// The rule for other keys.
    Rest,
    /// The item is in the prefix.
    Prefix,
    /// The rule for the other items.
    Item,
}

/// A node that applies one step below another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// The node.
    pub schema: SchemaId,
    /// Why it applies.
    pub via: Via,
    /// The branch of a choice that it belongs to, counted within the choice; None if it always applies.
    pub branch: Option<u32>,
}

/// What a map says about a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyChild {
    /// This node applies to its value.
    Child(Child),
    /// Such keys are allowed and not checked.
    Free,
    /// Such keys are allowed, but nothing reads them.
    Unread,
    /// Such keys are not allowed.
    Undeclared,
}

/// References can make schemas infinite: this many nodes are considered for one value.
const NODES: usize = 512;

impl MapShape {
    /// What applies first to the value of `key`. Further nodes may apply if patterns overlap or match a declared key:
    /// see [`MapShape::children`].
    pub fn child(&self, key: &Key) -> KeyChild {
        let child = |schema, via| KeyChild::Child(Child { schema, via, branch: None });
        if let Some(declared) = self.get(key) {
            return child(declared.schema, Via::Declared);
        }
        let text = if self.free.is_empty() { String::new() } else { key.to_string() };
        for free in &self.free {
            match free.admits.takes(&text) {
                Some(true) => return child(free.schema, Via::Pattern),
                Some(false) => {}
                None => return KeyChild::Free,
            }
        }
        if let Some(schema) = self.matching(key).next() {
            return child(schema, Via::Pattern);
        }
        match self.rest {
            Rest::Schema(schema) => child(schema, Via::Rest),
            Rest::Open => KeyChild::Free,
            // A pattern that we cannot compile might match the key.
            Rest::Unread | Rest::Closed if self.has_unread_pattern() => KeyChild::Free,
            Rest::Unread => KeyChild::Unread,
            Rest::Closed => KeyChild::Undeclared,
        }
    }

    /// All nodes that apply to the value of `key`.
    pub fn children(&self, key: &Key) -> Vec<Child> {
        let KeyChild::Child(first) = self.child(key) else { return Vec::new() };
        let mut found = vec![first];
        if first.via != Via::Rest {
            let skipped = usize::from(first.via == Via::Pattern);
            let more = self.matching(key).skip(skipped);
            found.extend(more.map(|schema| Child { schema, via: Via::Pattern, branch: None }));
        }
        found
    }

    /// The nodes of patterns that match `key`.
    fn matching(&self, key: &Key) -> impl Iterator<Item = SchemaId> {
        let text = (!self.patterns.is_empty()).then(|| key.to_string());
        let matches = move |pattern: &crate::Pattern| text.as_deref().and_then(|text| pattern.is_in(text));
        self.patterns.iter().filter(move |(pattern, _)| matches(pattern) == Some(true)).map(|(_, schema)| *schema)
    }

    fn has_unread_pattern(&self) -> bool {
        self.patterns.iter().any(|(pattern, _)| pattern.is_in("").is_none())
    }
}

impl ArrayShape {
    /// The node that applies to the item at an index.
    pub fn child(&self, index: usize) -> Child {
        match self.prefix.get(index) {
            Some(schema) => Child { schema: *schema, via: Via::Prefix, branch: None },
            None => Child { schema: self.item, via: Via::Item, branch: None },
        }
    }

    /// The nodes that may apply to an item whose index is not known.
    fn any_item(&self) -> impl Iterator<Item = Child> {
        let item = Child { schema: self.item, via: Via::Item, branch: None };
        let prefix = self.prefix.iter().map(|schema| Child { schema: *schema, via: Via::Prefix, branch: None });
        std::iter::once(item).chain(prefix)
    }
}

impl Schema {
    /// The nodes that say something about the value of a node: the node itself, unless it only joins others, and those
    /// that its clauses name, each once.
    pub fn speaking(&self, id: SchemaId) -> Vec<SchemaId> {
        self.speaking_about(id, &Written::default(), 0)
    }

    /// Like `speaking`, for a value that is partly written, this many levels below the place where `written` begins.
    fn speaking_about(&self, id: SchemaId, written: &Written, level: usize) -> Vec<SchemaId> {
        if self.node(id).clauses.is_empty() {
            return vec![id];
        }
        self.with_branches(id, written, level).into_iter().map(|(id, _)| id).collect()
    }

    fn with_branches(&self, id: SchemaId, written: &Written, level: usize) -> Vec<(SchemaId, Option<u32>)> {
        let mut found: Vec<(SchemaId, Option<u32>)> = Vec::new();
        let mut seen = vec![id];
        let mut todo = vec![(id, None)];
        while let Some((id, branch)) = todo.pop() {
            let node = self.node(id);
            if !matches!(node.shape(), Shape::Union(_)) {
                found.push((id, branch));
            }
            // A stack: the last one pushed is visited first.
            for clause in node.clauses.iter().rev() {
                for (number, member) in written.possible(self, clause, level).into_iter().enumerate().rev() {
                    if seen.len() < NODES && !seen.contains(&member) {
                        seen.push(member);
                        let own = clause.is_choice().then_some(number as u32);
                        todo.push((member, branch.or(own)));
                    }
                }
            }
        }
        found
    }

    /// The nodes that apply one step below a node, each once.
    pub fn children(&self, id: SchemaId, step: &Step) -> Vec<Child> {
        self.children_of(id, step, &Written::default(), 0)
    }

    fn children_of(&self, id: SchemaId, step: &Step, written: &Written, level: usize) -> Vec<Child> {
        let mut found: Vec<Child> = Vec::new();
        for (id, branch) in self.with_branches(id, written, level) {
            let node = self.node(id);
            let below = match step {
                Step::Key(key) => node.map.as_ref().map(|map| map.children(key)),
                Step::Index(index) => node.array.as_ref().map(|array| vec![array.child(*index)]),
                Step::Item => node.array.as_ref().map(|array| array.any_item().collect()),
            };
            for child in below.into_iter().flatten() {
                if !found.iter().any(|known| known.schema == child.schema) {
                    found.push(Child { branch, ..child });
                }
            }
        }
        found
    }

    /// The nodes that apply to the value at the end of a path from `from`; empty where the schema does not reach.
    pub fn nodes_at<'p>(&self, from: SchemaId, path: impl IntoIterator<Item = &'p Step>) -> Vec<SchemaId> {
        self.nodes_at_written(from, path, &Written::default())
    }

    /// Like [`Schema::nodes_at`], without alternatives that the written values on the way exclude.
    pub fn nodes_at_written<'p>(
        &self,
        from: SchemaId,
        path: impl IntoIterator<Item = &'p Step>,
        written: &Written,
    ) -> Vec<SchemaId> {
        let mut here = self.speaking_about(from, written, 0);
        for (level, step) in path.into_iter().enumerate() {
            let mut next: Vec<SchemaId> = Vec::new();
            for child in here.iter().flat_map(|id| self.children_of(*id, step, written, level)) {
                for id in self.speaking_about(child.schema, written, level + 1) {
                    if next.len() < NODES && !next.contains(&id) {
                        next.push(id);
                    }
                }
            }
            here = next;
            if here.is_empty() {
                break;
            }
        }
        here
    }

    /// The keys that lead to each node, joined by dots, ignoring items and alternatives; the shortest if there are
    /// several ways.
    pub fn paths_of_keys(&self) -> FxHashMap<SchemaId, String> {
        let mut paths: FxHashMap<SchemaId, String> = FxHashMap::default();
        let mut open = VecDeque::from([(self.root(), String::new())]);
        while let Some((id, path)) = open.pop_front() {
            if paths.contains_key(&id) {
                continue;
            }
            let node = self.node(id);
            for key in node.map.iter().flat_map(|map| &map.keys) {
                let name = &key.key;
                let below = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
                open.push_back((key.schema, below));
            }
            let rest = node.map.iter().filter_map(|map| match map.rest {
                Rest::Schema(rest) => Some(rest),
                _ => None,
            });
            let items = node.array.iter().map(|array| array.item);
            let members = node.clauses.iter().flat_map(|clause| clause.members());
            open.extend(rest.chain(items).chain(members).map(|below| (below, path.clone())));
            paths.insert(id, path);
        }
        paths
    }
}
