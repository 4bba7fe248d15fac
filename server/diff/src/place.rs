//! What a schema says about one place: a node, together with all nodes that hold beside it.

use crate::listed::Listed;
use lofting_document::{Key, Span};
use lofting_schema::semantics::{Misapplied, Null, Numbers, UnreadKeys};
use lofting_schema::{
    ArrayShape, Clause, Constraint, ConstraintKind, DefaultValue, KeyChild, Kinds, MapShape, Pattern, Schema, SchemaId,
    SchemaNode,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The nodes that hold for a value, in ascending order.
pub(crate) type Ids = Box<[SchemaId]>;

/// Ids in their order, each once.
pub(crate) fn ids(found: impl IntoIterator<Item = SchemaId>) -> Ids {
    let mut found: Vec<SchemaId> = found.into_iter().collect();
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// How many nodes may hold for one value.
const JOINED: usize = 100;

/// Keys that are matched with patterns: more would take too long.
const MATCHES: usize = 500_000;

/// A declared key.
pub(crate) struct DeclaredAt {
    /// The key.
    pub key: Key,
    /// The nodes for its value that are declared for this key.
    pub below: Ids,
    /// Where it is declared.
    pub span: Span,
}

/// A rule for keys that are not declared.
pub(crate) struct OtherKeys {
    /// The keys it is for; None for all that have no other rule.
    pub pattern: Option<Pattern>,
    /// The nodes for their values.
    pub below: Ids,
    /// Where it is declared.
    pub span: Span,
}

/// What holds for keys that are not declared and match no pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// They are refused.
    Refused,
    /// Strict readers refuse them, others drop them.
    Unread,
    /// They are accepted, perhaps if their value fits.
    Accepted,
}

/// A bound with the kinds of values that it is for.
#[derive(Clone, Copy)]
pub(crate) struct BoundAt<'s> {
    /// The bound.
    pub bound: &'s Constraint,
    /// The kinds of values it is for; of these, some bounds are only about some.
    pub on: Kinds,
}

impl BoundAt<'_> {
    /// The kinds of values that it can be about at all: a pattern says nothing about integers.
    pub fn is_about(&self) -> Kinds {
        match &self.bound.kind {
            ConstraintKind::Min(_)
            | ConstraintKind::Max(_)
            | ConstraintKind::ExclusiveMin(_)
            | ConstraintKind::ExclusiveMax(_)
            | ConstraintKind::MultipleOf(_) => self.on.and(Kinds::NUMBER),
            ConstraintKind::MinLength(_) | ConstraintKind::MaxLength(_) => {
                self.on.and(Kinds::STRING | Kinds::COLLECTIONS)
            }
            ConstraintKind::Pattern(_) | ConstraintKind::StartsWith(_) | ConstraintKind::EndsWith(_) => {
                self.on.and(Kinds::STRING)
            }
            ConstraintKind::UniqueItems => self.on.and(Kinds::ARRAY),
            _ => self.on,
        }
    }
}

/// What a schema says about a place.
pub(crate) struct Described<'s> {
    /// The schema.
    pub schema: &'s Schema,
    /// The nodes as they were found.
    pub ids: Ids,
    /// All nodes that hold, those that others name included.
    pub nodes: Vec<&'s SchemaNode>,
    /// Something about it is known only after evaluation, or it says too much to be compared.
    pub is_unknown: bool,
    /// Values of every kind are accepted.
    pub takes_any: bool,
    /// The kinds that are accepted, null aside.
    pub kinds: Kinds,
    /// Null is accepted.
    pub takes_null: bool,
    /// The kinds of the values that are left by lists of allowed values, null included.
    pub accepted: Kinds,
    /// The lists of allowed values as one.
    pub listed: Option<Listed<'s>>,
    /// Declared keys in the order of the schema.
    pub keys: Vec<DeclaredAt>,
    /// Index into `keys`.
    pub by_key: FxHashMap<Key, usize>,
    /// Required keys.
    pub required: FxHashSet<Key>,
    /// Rules for other keys.
    pub others: Vec<OtherKeys>,
    /// What holds for all further keys.
    pub unknown: Unknown,
    /// What holds for items, or for keys that are not declared, holds only for those that no clause looks at.
    pub is_for_the_rest: bool,
    /// Nodes for the first items, and for all others; None if the schema does not mention these.
    pub first_items: Vec<Ids>,
    /// See `first_items`.
    pub items: Option<(Ids, Span)>,
    /// Bounds.
    pub bounds: Vec<BoundAt<'s>>,
    /// Bounds that are about none of the kinds that are accepted, and refuse nothing.
    pub misapplied: Vec<BoundAt<'s>>,
    /// Clauses that are compared as such.
    pub clauses: Vec<&'s Clause>,
    /// The default.
    pub default: Option<&'s DefaultValue>,
}

impl<'s> Described<'s> {
    /// The kinds that are probably meant: what declares keys and no type is meant for maps.
    pub fn meant(&self) -> Kinds {
        let of_keys = if self.keys.is_empty() && self.others.is_empty() { Kinds::NONE } else { Kinds::MAP };
        let has_items = self.items.is_some() || !self.first_items.is_empty();
        let declared = of_keys | if has_items { Kinds::ARRAY } else { Kinds::NONE };
        if self.takes_any && declared != Kinds::NONE { declared } else { self.kinds }
    }

    pub fn of(schema: &'s Schema, ids: &Ids) -> Described<'s> {
        let (joined, is_cut) = joined(schema, ids);
        let nodes: Vec<&SchemaNode> = joined.iter().map(|id| schema.node(*id)).collect();
        let with_null = |node: &&SchemaNode| if node.nullable { node.kinds | Kinds::NULL } else { node.kinds };
        let own = nodes.iter().map(with_null).fold(Kinds::ANY, Kinds::and);
        // A value has to fit one of the alternatives, whatever else they say.
        let of_choices = nodes.iter().flat_map(|node| &node.clauses).filter_map(|clause| match clause {
            Clause::Any(members) | Clause::One(members) if members.len() <= JOINED => {
                let kinds = members.iter().map(|id| with_null(&schema.node(*id)));
                Some(kinds.fold(Kinds::NONE, Kinds::or))
            }
            _ => None,
        });
        let kinds = of_choices.fold(own, Kinds::and);
        let mut place = Described {
            schema,
            ids: ids.clone(),
            is_unknown: is_cut || nodes.iter().any(|node| !node.known),
            takes_any: kinds == Kinds::ANY,
            kinds: kinds.without(Kinds::NULL),
            takes_null: kinds.has(Kinds::NULL),
            accepted: kinds,
            listed: None,
            keys: Vec::new(),
            by_key: FxHashMap::default(),
            required: FxHashSet::default(),
            others: Vec::new(),
            unknown: Unknown::Accepted,
            is_for_the_rest: false,
            first_items: Vec::new(),
            items: None,
            bounds: Vec::new(),
            misapplied: Vec::new(),
            clauses: Vec::new(),
            default: nodes.iter().find_map(|node| node.default.as_deref()),
            nodes,
        };
        place.listed = Listed::of(schema, &place.nodes, kinds);
        place.accepted = place.left_kinds();
        place.read_maps();
        place.read_arrays();
        place.read_rules();
        place
    }

    /// The kinds that are declared, null included.
    pub fn declared(&self) -> Kinds {
        if self.takes_null { self.kinds | Kinds::NULL } else { self.kinds }
    }

    /// The declared kinds of which a list of allowed values has some.
    fn left_kinds(&self) -> Kinds {
        let declared = self.declared();
        let semantics = self.schema.semantics();
        let left = match &self.listed {
            Some(listed) if listed.is_complete => {
                // Bounds may not be about null, and a nullable value need not list it.
                let keeps_null = semantics.null == Null::Absent || self.nodes.iter().any(|node| node.nullable);
                let null = if keeps_null { declared.and(Kinds::NULL) } else { Kinds::NONE };
                listed.kinds(semantics).and(declared) | null
            }
            _ => declared,
        };
        // Where 2.0 is an integer, multiples of integers are integers.
        let is_whole = |bound: &Constraint| {
            matches!(bound.kind, ConstraintKind::MultipleOf(factor) if factor.fract() == 0.0 && factor != 0.0)
                && bound.on.has(Kinds::NUMBER)
                && !bound.conditional
        };
        let has_whole = || self.nodes.iter().flat_map(|node| &node.constraints).any(is_whole);
        if left.has(Kinds::NUMBER) && semantics.numbers == Numbers::Value && has_whole() {
            return left.without(Kinds::FLOAT);
        }
        left
    }

    fn maps(&self) -> Vec<(&'s SchemaNode, &'s MapShape)> {
        self.nodes.iter().filter_map(|node| Some((*node, node.map.as_deref()?))).collect()
    }

    fn read_maps(&mut self) {
        let maps = self.maps();
        let count = |of: fn(&MapShape) -> usize| maps.iter().map(|(_, map)| of(map)).sum::<usize>();
        if count(|map| map.keys.len()).saturating_mul(count(|map| map.patterns.len())) > MATCHES {
            self.is_unknown = true;
            return;
        }
        for (_, map) in &maps {
            for declared in &map.keys {
                if self.by_key.contains_key(&declared.key) {
                    continue;
                }
                // Changes of patterns are reported where these are.
                let below = maps.iter().filter_map(|(_, map)| map.get(&declared.key)).map(|declared| declared.schema);
                let span = self.schema.node(declared.schema).declared.name;
                self.by_key.insert(declared.key.clone(), self.keys.len());
                self.keys.push(DeclaredAt { key: declared.key.clone(), below: ids(below), span });
            }
            self.required.extend(map.required.iter().cloned());
            for (pattern, id) in &map.patterns {
                let span = self.schema.node(*id).declared.name;
                self.others.push(OtherKeys { pattern: Some(pattern.clone()), below: ids([*id]), span });
            }
            match map.child_of_others() {
                KeyChild::Child(child) => self.add_others(child.schema),
                KeyChild::Undeclared => self.unknown = Unknown::Refused,
                KeyChild::Unread if self.unknown == Unknown::Accepted => self.unknown = self.unread(),
                KeyChild::Unread | KeyChild::Free => {}
            }
        }
        // Where a rule is for all other keys, none of them is unevaluated.
        if maps.iter().any(|(_, map)| matches!(map.child_of_others(), KeyChild::Child(_))) {
            return;
        }
        // Only a document says which keys are unevaluated.
        let clauses = self.nodes.iter().flat_map(|node| &node.clauses);
        let unevaluated: Vec<SchemaId> = clauses
            .filter_map(|clause| match clause {
                Clause::OtherKeys(id) => Some(*id),
                _ => None,
            })
            .collect();
        self.is_for_the_rest |= !unevaluated.is_empty();
        unevaluated.into_iter().for_each(|id| self.add_others(id));
    }

    /// A rule for all keys that have no other.
    fn add_others(&mut self, id: SchemaId) {
        let node = self.schema.node(id);
        if node.kinds == Kinds::NONE {
            self.unknown = Unknown::Refused;
        } else if !node.says_nothing() || !node.constraints.is_empty() {
            self.others.push(OtherKeys { pattern: None, below: ids([id]), span: node.declared.name });
        }
    }

    fn read_arrays(&mut self) {
        let arrays: Vec<&ArrayShape> = self.nodes.iter().filter_map(|node| node.array.as_deref()).collect();
        let longest = arrays.iter().map(|array| array.prefix.len()).max().unwrap_or_default().min(JOINED);
        let says = |array: &&&ArrayShape, index: usize| index < array.prefix.len() || !array.open;
        let first = |index| {
            let arrays = arrays.iter().filter(|array| says(array, index));
            ids(arrays.map(|array| array.child(index).schema))
        };
        self.first_items = (0..longest).map(first).collect();
        for array in arrays {
            if !array.open {
                self.add_items(array.item);
            }
        }
        if self.items.is_some() {
            return;
        }
        let clauses = self.nodes.iter().flat_map(|node| &node.clauses);
        let unevaluated: Vec<SchemaId> = clauses
            .filter_map(|clause| match clause {
                Clause::OtherItems(id) => Some(*id),
                _ => None,
            })
            .collect();
        self.is_for_the_rest |= !unevaluated.is_empty();
        unevaluated.into_iter().for_each(|id| self.add_items(id));
    }

    fn add_items(&mut self, id: SchemaId) {
        let known = self.items.take();
        let span = known.as_ref().map_or(self.schema.node(id).declared.name, |(_, span)| *span);
        self.items = Some((ids(known.into_iter().flat_map(|(known, _)| known).chain([id])), span));
    }

    fn read_rules(&mut self) {
        let accepted = self.accepted;
        let mut found: Vec<BoundAt<'s>> = Vec::new();
        for node in &self.nodes {
            // What holds under a condition is compared as a text.
            let bounds = node.constraints.iter().filter(|bound| !bound.conditional);
            let on = |bound: &Constraint| if bound.on == Kinds::ANY { accepted } else { bound.on };
            found.extend(bounds.map(|bound| BoundAt { bound, on: on(bound) }));
            for clause in &node.clauses {
                match clause {
                    Clause::All(_) | Clause::OtherKeys(_) | Clause::OtherItems(_) => {}
                    Clause::Names(_) | Clause::Dependent { .. } if !self.accepted.has(Kinds::MAP) => {}
                    Clause::Contains { .. } if !self.accepted.has(Kinds::ARRAY) => {}
                    clause if Listed::is_made_of(self.schema, clause) => {}
                    Clause::If { condition, then: Some(then), otherwise: None }
                        if is_kind(self.schema.node(*condition)) && is_bounds(self.schema.node(*then)) =>
                    {
                        let on = self.schema.node(*condition).kinds;
                        let then = self.schema.node(*then);
                        found.extend(then.constraints.iter().map(|bound| BoundAt { bound, on }));
                    }
                    Clause::Any(members) if self.are_kinds(members, false) => {}
                    Clause::One(members) if self.are_kinds(members, true) => {}
                    other => self.clauses.push(other),
                }
            }
        }
        let ignores = self.schema.semantics().misapplied == Misapplied::Ignored;
        let applies = |at: &BoundAt<'s>| !ignores || at.is_about().and(accepted) != Kinds::NONE;
        (self.bounds, self.misapplied) = found.into_iter().partition(applies);
    }

    /// Whether alternatives only ask for kinds of values, each for others if they have to be told apart. Then the kinds of
    /// the place say all.
    fn are_kinds(&self, members: &[SchemaId], apart: bool) -> bool {
        let mut seen = Kinds::NONE;
        members.len() <= JOINED
            && members.iter().map(|id| self.schema.node(*id)).all(|node| {
                let is_new = seen.and(node.kinds) == Kinds::NONE;
                seen = seen | node.kinds;
                is_kind(node) && node.default.is_none() && !node.nullable && (is_new || !apart)
            })
    }

    /// Where it is declared.
    pub fn span(&self) -> Option<Span> {
        self.nodes.first().map(|node| node.declared.name)
    }

    /// The nodes that hold for the value of a key, declared or not.
    pub fn below(&self, key: &Key) -> Ids {
        ids(self.maps().into_iter().flat_map(|(_, map)| map.children(key)).map(|child| child.schema))
    }

    /// What holds for a key that is not declared, and matches no rule for others.
    pub fn takes_key(&self, key: &Key) -> Unknown {
        let takes = |(_, map): &(&SchemaNode, &MapShape)| match map.child(key) {
            KeyChild::Undeclared => Unknown::Refused,
            KeyChild::Unread => self.unread(),
            KeyChild::Child(child) if self.schema.node(child.schema).kinds == Kinds::NONE => Unknown::Refused,
            KeyChild::Child(_) | KeyChild::Free => Unknown::Accepted,
        };
        let maps = self.maps();
        let said: Vec<Unknown> = maps.iter().map(takes).collect();
        let refused_otherwise = self.unknown == Unknown::Refused && self.below(key).is_empty();
        if said.contains(&Unknown::Refused) || refused_otherwise {
            Unknown::Refused
        } else if said.contains(&Unknown::Unread) {
            Unknown::Unread
        } else {
            Unknown::Accepted
        }
    }

    /// What becomes of keys that the language leaves unread.
    fn unread(&self) -> Unknown {
        match self.schema.semantics().unread {
            UnreadKeys::RefusedByStrict => Unknown::Unread,
            UnreadKeys::Ignored => Unknown::Accepted,
        }
    }

    /// Whether a clause may accept items, or keys that are not declared, for which the rule for the rest then does not hold.
    pub fn may_take_more(&self) -> bool {
        self.is_for_the_rest && !self.clauses.is_empty()
    }

    /// Whether it says anything that a value could break.
    pub fn is_restricted(&self) -> bool {
        self.nodes.iter().any(|node| !node.says_nothing() || !node.constraints.is_empty())
    }
}

/// Whether a node only asks for a kind.
fn is_kind(node: &SchemaNode) -> bool {
    node.kinds != Kinds::ANY
        && node.map.is_none()
        && node.array.is_none()
        && node.clauses.is_empty()
        && node.constraints.is_empty()
}

/// Whether a node only has bounds.
fn is_bounds(node: &SchemaNode) -> bool {
    node.map.is_none() && node.array.is_none() && node.clauses.is_empty()
}

/// Nodes with all that they name for the same value, and whether there are too many.
fn joined(schema: &Schema, ids: &Ids) -> (Vec<SchemaId>, bool) {
    let mut found: Vec<SchemaId> = ids.to_vec();
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        next += 1;
        for clause in &schema.node(id).clauses {
            if let Clause::All(members) = clause {
                for member in members {
                    if found.len() >= JOINED {
                        return (found, true);
                    }
                    if !found.contains(member) {
                        found.push(*member);
                    }
                }
            }
        }
    }
    (found, false)
}
