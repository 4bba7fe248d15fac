//! The only way from a node to those one step below: declared keys, patterns, the rule for other keys, items, and the
//! branches of clauses. A check follows the branch that holds, a hover shows the first, completion offers all.

use crate::written::{self, Which, allowed, takes};
use crate::{
    ArrayShape, Clause, Constraint, ConstraintKind, DeclaredKey, Kinds, MapShape, Rest, Schema, SchemaId, SchemaNode,
    Shape, WrittenKeys, WrittenPath,
};
use lofting_document::{Key, Node, NodeValue};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::VecDeque;

/// How many statements about one value are searched.
const STATEMENTS: usize = 500;

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the value of a key.
    Key(Key),
    /// To an item.
    Index(usize),
    /// To an item whose index is not known.
    Item,
    /// To a value that no schema covers: its key is broken or a collection.
    Nowhere,
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

/// A node and those that its clauses name, directly and indirectly, each with the branch of a choice.
#[derive(Debug, Clone)]
pub struct Joined(Vec<(SchemaId, Option<u32>)>);

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
        // A pattern that cannot be compiled, or takes too long, might match the key.
        if self.may_match(key) { KeyChild::Free } else { self.child_of_others() }
    }

    /// What applies to the value of a key that is neither declared nor matches a pattern.
    pub fn child_of_others(&self) -> KeyChild {
        match self.rest {
            Rest::Open => KeyChild::Free,
            Rest::Schema(schema) => KeyChild::Child(Child { schema, via: Via::Rest, branch: None }),
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

    /// Whether some pattern may match `key`, and it is not known if it does.
    fn may_match(&self, key: &Key) -> bool {
        !self.patterns.is_empty() && {
            let text = key.to_string();
            self.patterns.iter().any(|(pattern, _)| pattern.is_in(&text).is_none())
        }
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
    /// Whether a document may have this text under a key of its root: some statement about the root declares the key, and
    /// none of those that list its values leaves the text out. Looks at clauses, not at patterns.
    pub fn may_have(&self, key: &Key, text: &str) -> bool {
        let (mut is_declared, mut is_listed, mut is_allowed) = (false, false, false);
        let mut all = vec![self.root()];
        let mut seen = FxHashSet::from_iter([self.root()]);
        let mut next = 0;
        while let Some(id) = all.get(next).copied().filter(|_| next < STATEMENTS) {
            next += 1;
            let node = self.node(id);
            if let Some(declared) = node.map.as_deref().and_then(|map| map.get(key)) {
                is_declared = true;
                for constraint in &self.node(declared.schema).constraints {
                    if let ConstraintKind::OneOf(values) = &constraint.kind {
                        is_listed = true;
                        is_allowed |= values.iter().any(|it| matches!(&it.value, NodeValue::String(it) if it == text));
                    }
                }
            }
            for clause in &node.clauses {
                if let Clause::All(members) | Clause::Any(members) | Clause::One(members) = clause {
                    all.extend(members.iter().take(STATEMENTS).filter(|id| seen.insert(**id)));
                }
            }
        }
        is_declared && (is_allowed || !is_listed)
    }

    /// The nodes that say something about the value of a node: the node itself, unless it only joins others, and those
    /// that its clauses name, each once.
    pub fn speaking(&self, id: SchemaId) -> Vec<SchemaId> {
        self.speaking_about(id, &WrittenPath::default(), 0, Which::Possible)
    }

    /// Like `speaking`, for a value that is partly written, this many levels below the place where `written` begins.
    fn speaking_about(&self, id: SchemaId, written: &WrittenPath, level: usize, which: Which) -> Vec<SchemaId> {
        if self.node(id).clauses.is_empty() {
            return vec![id];
        }
        self.speaking_among(&Joined(self.joined(id, written, level, which))).collect()
    }

    /// A node and those that its clauses name, directly and indirectly, each with the branch of a choice.
    fn joined(&self, id: SchemaId, written: &WrittenPath, level: usize, which: Which) -> Vec<(SchemaId, Option<u32>)> {
        let mut found: Vec<(SchemaId, Option<u32>)> = Vec::new();
        let mut seen = FxHashSet::from_iter([id]);
        let mut todo = vec![(id, None)];
        while let Some((id, branch)) = todo.pop() {
            found.push((id, branch));
            // A stack: the last one pushed is visited first.
            for clause in self.node(id).clauses.iter().rev() {
                if seen.len() >= NODES {
                    break;
                }
                for (number, member) in written.members(self, clause, level, which).iter().enumerate().rev() {
                    if seen.len() >= NODES {
                        break;
                    }
                    if seen.insert(*member) {
                        let own = clause.is_choice().then_some(number as u32);
                        todo.push((*member, branch.or(own)));
                    }
                }
            }
        }
        found
    }

    /// The nodes that a node names, for the same value and for what is below it, each as often as it names it.
    pub fn named_by(&self, id: SchemaId) -> Vec<SchemaId> {
        let node = self.node(id);
        let map = node.map.iter().flat_map(|map| {
            let declared = map.keys.iter().map(|declared| declared.schema);
            let patterns = map.patterns.iter().map(|(_, schema)| *schema);
            let free = map.free.iter().map(|free| free.schema);
            let rest = if let Rest::Schema(schema) = map.rest { Some(schema) } else { None };
            declared.chain(patterns).chain(free).chain(rest)
        });
        let items = node.array.iter().flat_map(|array| array.prefix.iter().copied().chain([array.item]));
        let clauses = node.clauses.iter().flat_map(|clause| {
            let below = match clause {
                Clause::OtherKeys(schema)
                | Clause::OtherItems(schema)
                | Clause::Names(schema)
                | Clause::Contains { schema, .. } => Some(*schema),
                _ => None,
            };
            clause.about_the_same().into_owned().into_iter().chain(below)
        });
        map.chain(items).chain(clauses).collect()
    }

    /// The nodes that apply one step below a node, each once.
    pub fn children(&self, id: SchemaId, step: &Step) -> Vec<Child> {
        self.children_of(id, step, &WrittenPath::default(), 0, Which::Possible)
    }

    fn children_of(&self, id: SchemaId, step: &Step, written: &WrittenPath, level: usize, which: Which) -> Vec<Child> {
        let mut found = self.children_among(&Joined(self.joined(id, written, level, which)), step);
        // Which of the first items it is decides what holds for it.
        if which == Which::Certain && *step == Step::Item && found.iter().any(|child| child.via == Via::Prefix) {
            found.clear();
        }
        found
    }

    /// A node and all that its clauses name: found once where many steps below it are taken.
    pub fn all_joined(&self, id: SchemaId) -> Joined {
        Joined(self.joined(id, &WrittenPath::default(), 0, Which::Possible))
    }

    /// Those of joined nodes that say something about the value, as [`Schema::speaking`] gives them.
    pub fn speaking_among(&self, joined: &Joined) -> impl Iterator<Item = SchemaId> {
        let speaks = |id: &SchemaId| !matches!(self.node(*id).shape(), Shape::Union(_));
        joined.0.iter().map(|(id, _)| *id).filter(speaks)
    }

    /// The nodes that apply one step below joined nodes, each once.
    pub fn children_among(&self, joined: &Joined, step: &Step) -> Vec<Child> {
        let mut found: Vec<Child> = Vec::new();
        let add = |found: &mut Vec<Child>, child: Child| {
            if !found.iter().any(|known| known.schema == child.schema) {
                found.push(child);
            }
        };
        let (mut open, mut others): (Vec<Child>, Vec<Child>) = Default::default();
        for (id, branch) in joined.0.iter().copied() {
            let node = self.node(id);
            let is_union = matches!(node.shape(), Shape::Union(_));
            let (map, array) = (node.map.as_deref().filter(|_| !is_union), node.array.as_ref().filter(|_| !is_union));
            let below = match step {
                Step::Key(key) => map.map(|map| map.children(key)),
                Step::Index(index) => array.map(|array| vec![array.child(*index)]),
                Step::Item => array.map(|array| array.any_item().collect()),
                Step::Nowhere => None,
            };
            for child in below.into_iter().flatten().map(|child| Child { branch, ..child }) {
                let says_nothing = child.via == Via::Item && array.is_some_and(|array| array.open);
                add(if says_nothing { &mut open } else { &mut found }, child);
            }
            for clause in &node.clauses {
                let (schema, via) = match (clause, step) {
                    (Clause::OtherKeys(schema), Step::Key(_)) => (*schema, Via::Rest),
                    (Clause::OtherItems(schema), Step::Index(_) | Step::Item) => (*schema, Via::Item),
                    _ => continue,
                };
                add(&mut others, Child { schema, via, branch });
            }
        }
        // What no other keyword has a say about. Of an item whose index is not known, both may be.
        if found.is_empty() || *step == Step::Item {
            others.into_iter().for_each(|child| add(&mut found, child));
        }
        if found.is_empty() { open } else { found }
    }

    /// Whether a value at the end of a path must not be a scalar, because a list of allowed values does not have it, or
    /// one of forbidden values does. Null is left out, because each language permits it in its own way.
    pub fn refuses(
        &self,
        from: SchemaId,
        path: &[Step],
        written: &WrittenPath,
    ) -> impl Fn(&NodeValue) -> bool + use<'_> {
        let certain = self.walk(from, path, written, Which::Certain);
        move |value: &NodeValue| {
            let is_in = |values: &[Node]| takes(values, value);
            let is_refused = |id: &SchemaId| {
                let forbidden = self.node(*id).clauses.iter().filter_map(|clause| match clause {
                    Clause::Not(member) => allowed(self, *member).filter(|_| self.node(*member).clauses.is_empty()),
                    _ => None,
                });
                allowed(self, *id).is_some_and(|values| !is_in(values)) || forbidden.into_iter().any(is_in)
            };
            *value != NodeValue::Null && certain.iter().any(is_refused)
        }
    }

    /// The keys that a map may have because its keys are enumerated, by a list or by a pattern that is one, each with the node
    /// that applies to its value. Those that it declares are left out.
    pub fn enumerated_keys(&self, id: SchemaId) -> Vec<DeclaredKey> {
        let node = self.node(id);
        let Some(map) = &node.map else { return Vec::new() };
        let names = node.clauses.iter().filter_map(|clause| match clause {
            Clause::Names(names) => allowed(self, *names),
            _ => None,
        });
        let key = |name: &Node| match &name.value {
            NodeValue::String(name) => Some(Key::String(name.clone())),
            _ => None,
        };
        let declared = |key: Key| match map.child(&key) {
            KeyChild::Child(Child { schema, via: Via::Rest | Via::Pattern, .. }) => {
                let required = map.required.contains(&key);
                Some(DeclaredKey { key, schema, required })
            }
            _ => None,
        };
        let named = names.flatten().filter_map(key);
        let words = map.patterns.iter().filter_map(|(pattern, _)| pattern.words());
        let matching = words.flatten().take(NODES).map(|word| Key::String(word.as_str().into()));
        let mut seen = FxHashSet::default();
        named.chain(matching).filter(|key| seen.insert(key.clone())).filter_map(declared).collect()
    }

    /// Whether a value at the end of a path must not have a key, whatever else is added to it.
    pub fn forbids(&self, from: SchemaId, path: &[Step], written: &WrittenPath) -> impl Fn(&Key) -> bool + use<'_> {
        let certain = self.walk(from, path, written, Which::Certain);
        let maps: Vec<&MapShape> = certain.iter().filter_map(|id| self.node(*id).map.as_deref()).collect();
        let level = path.len();
        let present = || written.keys(level).map_or(0, |keys| keys.len() as i128);
        let has_most = |constraint: &Constraint| {
            let most = matches!(constraint.kind, ConstraintKind::MaxLength(most) if most <= present());
            most && !constraint.conditional && constraint.on.has(Kinds::MAP)
        };
        let is_full = certain.iter().any(|id| {
            let node = self.node(*id);
            node.kinds.has(Kinds::MAP) && node.constraints.iter().any(has_most)
        });
        let written = written.clone();
        let clauses: Vec<&Clause> = certain.iter().flat_map(|id| &self.node(*id).clauses).collect();
        move |key: &Key| {
            is_full
                || clauses.iter().any(|clause| written::forbids(self, clause, || written.keys(level), key))
                || maps.iter().any(|map| written::is_refused(self, map, key))
        }
    }

    /// The members of a clause that a map at the first level of what is written has to fit, whatever is added.
    pub fn certain_members<'c>(&self, clause: &'c Clause, written: &WrittenPath) -> Cow<'c, [SchemaId]> {
        written.members(self, clause, 0, Which::Certain)
    }

    /// Whether keys that are written, or their values, certainly make a map not fit a node.
    pub fn excludes(&self, id: SchemaId, keys: &WrittenKeys) -> bool {
        written::excludes(self, id, keys, 0)
    }

    /// The declared keys of a map that may be there together: a key that must not be beside those before it is left out.
    pub fn keys_together(&self, id: SchemaId) -> Vec<&DeclaredKey> {
        let certain = self.speaking_about(id, &WrittenPath::default(), 0, Which::Certain);
        let clauses: Vec<&Clause> = certain.iter().flat_map(|id| &self.node(*id).clauses).collect();
        let mut together = WrittenKeys::default();
        let declared = self.node(id).map.iter().flat_map(|map| &map.keys);
        declared
            .filter(|declared| {
                let key = &declared.key;
                let is_possible = !clauses.iter().any(|clause| written::forbids(self, clause, || Some(&together), key));
                if is_possible {
                    together.insert(key.clone(), None);
                }
                is_possible
            })
            .collect()
    }

    /// The nodes that are named for the value at the end of a path, whose clauses name further ones.
    pub fn named_at_written(&self, from: SchemaId, path: &[Step], written: &WrittenPath) -> Vec<SchemaId> {
        let Some((last, above)) = path.split_last() else { return vec![from] };
        let holders = self.walk(from, above, written, Which::Possible).into_iter();
        let below = holders.flat_map(|id| self.children_of(id, last, written, above.len(), Which::Possible));
        let mut seen = FxHashSet::default();
        below.take(NODES).map(|child| child.schema).filter(|id| seen.insert(*id)).collect()
    }

    /// Whether an array at the end of a path, which has this many items, must not have one more.
    pub fn is_full(&self, from: SchemaId, path: &[Step], written: &WrittenPath, items: usize) -> bool {
        let has_most = |constraint: &Constraint| {
            let is_most = matches!(constraint.kind, ConstraintKind::MaxLength(most) if most <= items as i128);
            is_most && !constraint.conditional && constraint.on.has(Kinds::ARRAY)
        };
        let is_full = |id: &SchemaId| {
            let node = self.node(*id);
            let next = node.array.as_ref().map(|array| self.node(array.child(items).schema).kinds);
            node.kinds.has(Kinds::ARRAY) && (next == Some(Kinds::NONE) || node.constraints.iter().any(has_most))
        };
        self.walk(from, path, written, Which::Certain).iter().any(is_full)
    }

    /// Whether the items of an array at the end of a path must differ from each other.
    pub fn has_distinct_items(&self, from: SchemaId, path: &[Step], written: &WrittenPath) -> bool {
        let is_asked =
            |constraint: &Constraint| constraint.kind == ConstraintKind::UniqueItems && !constraint.conditional;
        let certain = self.walk(from, path, written, Which::Certain);
        certain.iter().any(|id| self.node(*id).constraints.iter().any(is_asked))
    }

    /// Whether a node accepts a scalar, as far as its list of values and its patterns tell.
    pub fn accepts(&self, id: SchemaId, value: &NodeValue) -> Option<bool> {
        written::accepts(self, id, value)
    }

    /// The nodes that apply to the value at the end of a path from `from`; empty where the schema does not reach.
    pub fn nodes_at<'p>(&self, from: SchemaId, path: impl IntoIterator<Item = &'p Step>) -> Vec<SchemaId> {
        self.nodes_at_written(from, path, &WrittenPath::default())
    }

    /// Like [`Schema::nodes_at`], without alternatives that the written values on the way exclude.
    pub fn nodes_at_written<'p>(
        &self,
        from: SchemaId,
        path: impl IntoIterator<Item = &'p Step>,
        written: &WrittenPath,
    ) -> Vec<SchemaId> {
        self.walk(from, path, written, Which::Possible)
    }

    /// The nodes at the end of a path that only join others, so that [`Schema::nodes_at_written`] leaves them out.
    pub fn joining_at_written(&self, from: SchemaId, path: &[Step], written: &WrittenPath) -> Vec<SchemaId> {
        let joined = |id: SchemaId| self.joined(id, written, path.len(), Which::Possible).into_iter().map(|(id, _)| id);
        let all: Vec<SchemaId> = self.named_at_written(from, path, written).into_iter().flat_map(joined).collect();
        let mut seen = FxHashSet::default();
        let joins = |id: &SchemaId| matches!(self.node(*id).shape(), Shape::Union(_));
        all.into_iter().take(NODES).filter(|id| joins(id) && seen.insert(*id)).collect()
    }

    /// Those of the joining nodes that are documented.
    pub fn documented_at_written(&self, from: SchemaId, path: &[Step], written: &WrittenPath) -> Vec<SchemaId> {
        let mut found = self.joining_at_written(from, path, written);
        found.retain(|id| {
            let docs = &self.node(*id).docs;
            docs.description.is_some() || docs.title.is_some()
        });
        found
    }

    fn walk<'p>(
        &self,
        from: SchemaId,
        path: impl IntoIterator<Item = &'p Step>,
        written: &WrittenPath,
        which: Which,
    ) -> Vec<SchemaId> {
        let mut here = self.speaking_about(from, written, 0, which);
        for (level, step) in path.into_iter().enumerate() {
            let mut next: Vec<SchemaId> = Vec::new();
            for child in here.iter().flat_map(|id| self.children_of(*id, step, written, level, which)) {
                for id in self.speaking_about(child.schema, written, level + 1, which) {
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
            let members = node.clauses.iter().flat_map(|clause| clause.members().into_owned());
            open.extend(rest.chain(items).chain(members).map(|below| (below, path.clone())));
            paths.insert(id, path);
        }
        paths
    }
}

impl SchemaNode {
    /// Gives each node that this one leads to.
    pub(crate) fn ids(&mut self, each: &mut dyn FnMut(&mut SchemaId)) {
        if let Some(map) = &mut self.map {
            map.keys.iter_mut().for_each(|declared| each(&mut declared.schema));
            map.patterns.iter_mut().for_each(|(_, schema)| each(schema));
            map.free.iter_mut().for_each(|free| each(&mut free.schema));
            if let Rest::Schema(schema) = &mut map.rest {
                each(schema);
            }
        }
        if let Some(array) = &mut self.array {
            array.prefix.iter_mut().for_each(&mut *each);
            each(&mut array.item);
        }
        for clause in &mut self.clauses {
            clause.ids(each);
        }
    }
}
