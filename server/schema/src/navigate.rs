//! The one way from a node to those that hold one step below: declared keys, patterns, the rule for other keys, items,
//! and the branches of clauses. Checks take the children of the branch that holds, hovers the first, completion all.

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
    /// To an item whose number is not known.
    Item,
}

/// By which statement of a schema a node holds for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The key is declared.
    Declared,
    /// The key matches a pattern.
    Pattern,
    /// The key is one of the others.
    Rest,
    /// The item is one of the first.
    Prefix,
    /// It is an item.
    Item,
}

/// A node that holds one step below another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// The node.
    pub schema: SchemaId,
    /// Why it holds.
    pub via: Via,
    /// The branch of a choice it is in, counted within the choice; none: it holds in any case.
    pub branch: Option<u32>,
}

/// What a map says about one of its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyChild {
    /// This node holds for its value.
    Child(Child),
    /// Nothing: such keys are fine.
    Free,
    /// Nothing: such keys are permitted, but nobody reads them.
    Unread,
    /// There is no such key.
    Undeclared,
}

/// References can make schemas endless: so many nodes are looked at for one value.
const NODES: usize = 512;

impl MapShape {
    /// What is said first about the value of `key`. Where patterns overlap, or one matches a declared key, others may
    /// hold as well: see [`MapShape::children`].
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
            // A pattern we cannot read may be the one that takes it.
            Rest::Unread | Rest::Closed if self.has_unread_pattern() => KeyChild::Free,
            Rest::Unread => KeyChild::Unread,
            Rest::Closed => KeyChild::Undeclared,
        }
    }

    /// All that holds for the value of `key`.
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

    /// The nodes of patterns that `key` matches.
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
    /// What holds for the item of a number, counted from 0.
    pub fn child(&self, index: usize) -> Child {
        match self.prefix.get(index) {
            Some(schema) => Child { schema: *schema, via: Via::Prefix, branch: None },
            None => Child { schema: self.item, via: Via::Item, branch: None },
        }
    }

    /// What holds for an item whose number is not known.
    fn any_item(&self) -> impl Iterator<Item = Child> {
        let item = Child { schema: self.item, via: Via::Item, branch: None };
        let prefix = self.prefix.iter().map(|schema| Child { schema: *schema, via: Via::Prefix, branch: None });
        std::iter::once(item).chain(prefix)
    }
}

impl Schema {
    /// The nodes that speak about the value of a node: the node itself, unless it only joins others, and those that its
    /// clauses name, each once.
    pub fn speaking(&self, id: SchemaId) -> Vec<SchemaId> {
        self.speaking_about(id, &Written::default(), 0)
    }

    /// The same for a value of which something is written, so many steps below the place where that begins.
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
            // The last is looked at first.
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

    /// The nodes that hold one step below a node, each once.
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

    /// The nodes that speak about the value at the end of a path from `from`; none where the schema does not reach.
    pub fn nodes_at<'p>(&self, from: SchemaId, path: impl IntoIterator<Item = &'p Step>) -> Vec<SchemaId> {
        self.nodes_at_written(from, path, &Written::default())
    }

    /// The same, without alternatives that what is written on the way rules out.
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

    /// The keys that lead to each node, with dots between, items and alternatives left out; of several ways the shortest.
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
