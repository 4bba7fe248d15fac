//! A bounded search for values that the old schema accepts and the new one refuses.
//!
//! Candidates come from what both schemas mention: defaults, examples, allowed values, limits and their neighbours, one
//! value of each type, and maps with the least that is required. The checker judges them by both schemas.

use crate::accepted;
use crate::place::{Described, Ids};
use lofting_check::{NodeView, Root, Severity, ValuesCheck};
use lofting_document::{ArrayItem, FileId, Key, MapItem, Node, NodeValue, Notes, Span};
use lofting_schema::{Clause, ConstraintKind, Kinds, Schema, SchemaId};
use rustc_hash::FxHashSet;

/// How many values are judged for one change.
const VALUES: usize = 150;

/// How many keys of a map are tried one by one.
const KEYS: usize = 12;

/// How many nodes are searched for candidates.
const NODES: usize = 40;

/// How deep required keys are filled in.
const DEPTH: usize = 3;

/// How many changes of two schemas are searched for.
pub(crate) const SEARCHES: usize = 200;

/// Makes values. Each has a place of its own, because the checker tells values apart by their places.
#[derive(Default)]
struct Maker {
    next: usize,
}

impl Maker {
    fn span(&mut self) -> Span {
        self.next += 1;
        Span::new(FileId(u32::MAX - 1), self.next..self.next)
    }

    fn value(&mut self, value: NodeValue) -> Node {
        Node::new(value, self.span())
    }

    fn text(&mut self, text: &str) -> Node {
        self.value(NodeValue::String(text.into()))
    }

    fn map(&mut self, entries: Vec<(Key, Node)>) -> Node {
        let items: Vec<MapItem> = entries
            .into_iter()
            .map(|(key, value)| {
                let span = self.span();
                MapItem { key, key_span: span, span, value, notes: Notes::default(), merged: false, conditional: false }
            })
            .collect();
        self.value(NodeValue::Map(items.into()))
    }

    fn array(&mut self, values: Vec<Node>) -> Node {
        let item = |value: Node| ArrayItem { span: value.span, value, notes: Notes::default(), conditional: false };
        let items = values.into_iter().map(item).collect();
        self.value(NodeValue::Array(items))
    }

    /// A value that a place probably accepts.
    fn least(&mut self, schema: &Schema, ids: &Ids, depth: usize) -> Node {
        let place = Described::of(schema, ids);
        if let Some(default) = place.default {
            return default.value.clone();
        }
        if let Some(choice) = place.bounds.iter().find_map(|at| match &at.bound.kind {
            ConstraintKind::OneOf(choices) => choices.first(),
            _ => None,
        }) {
            return choice.clone();
        }
        if place.kinds.has(Kinds::MAP) && (place.kinds == Kinds::MAP || !place.keys.is_empty()) {
            return self.least_map(&place, None, depth);
        }
        if place.kinds.has(Kinds::STRING) {
            let length = place.bounds.iter().find_map(|at| match &at.bound.kind {
                ConstraintKind::MinLength(length) => usize::try_from(*length).ok(),
                _ => None,
            });
            return self.text(&"a".repeat(length.unwrap_or(1).clamp(1, 100)));
        }
        if place.kinds.has(Kinds::INT) {
            let limit = place.bounds.iter().find_map(|at| match &at.bound.kind {
                ConstraintKind::Min(value) | ConstraintKind::Max(value) => Some(value.clone()),
                _ => None,
            });
            return limit.unwrap_or_else(|| self.value(NodeValue::int(1)));
        }
        match place.kinds {
            kinds if kinds.has(Kinds::BOOL) => self.value(NodeValue::Bool(true)),
            kinds if kinds.has(Kinds::FLOAT) => self.value(NodeValue::Float(0.5)),
            kinds if kinds.has(Kinds::ARRAY) => self.array(Vec::new()),
            _ => self.value(NodeValue::Null),
        }
    }

    /// A map with the required keys, and one more.
    fn least_map(&mut self, place: &Described<'_>, more: Option<&Key>, depth: usize) -> Node {
        let mut entries = Vec::new();
        if depth < DEPTH {
            let mut required: Vec<&Key> = place.required.iter().collect();
            required.sort_unstable();
            let more = more.filter(|key| !place.required.contains(*key));
            for key in required.into_iter().take(KEYS).chain(more) {
                let below = place.below(key);
                let value = if below.is_empty() { self.text("a") } else { self.least(place.schema, &below, depth + 1) };
                entries.push((key.clone(), value));
            }
        }
        self.map(entries)
    }

    /// Values that a place mentions.
    fn mentioned(&mut self, schema: &Schema, ids: &Ids, found: &mut Vec<Node>) {
        let mut nodes: Vec<SchemaId> = ids.to_vec();
        let mut seen: FxHashSet<SchemaId> = ids.iter().copied().collect();
        let mut next = 0;
        while let Some(id) = nodes.get(next).copied().filter(|_| next < NODES) {
            next += 1;
            let node = schema.node(id);
            for clause in &node.clauses {
                if !matches!(clause, Clause::Names(_) | Clause::Contains { .. }) {
                    nodes.extend(clause.about_the_same().iter().filter(|id| seen.insert(**id)));
                }
            }
            found.extend(node.default.iter().map(|default| default.value.clone()));
            found.extend(node.docs.examples.iter().take(KEYS).map(|example| example.value.clone()));
            for bound in &node.constraints {
                match &bound.kind {
                    ConstraintKind::OneOf(choices) => found.extend(choices.iter().take(KEYS).cloned()),
                    ConstraintKind::Min(limit)
                    | ConstraintKind::Max(limit)
                    | ConstraintKind::ExclusiveMin(limit)
                    | ConstraintKind::ExclusiveMax(limit) => {
                        let around = self.around(limit);
                        found.extend(around);
                    }
                    ConstraintKind::MinLength(length) | ConstraintKind::MaxLength(length) => {
                        for length in [length - 1, *length, length + 1] {
                            let length = usize::try_from(length.clamp(0, 300)).unwrap_or_default();
                            let text = self.text(&"a".repeat(length));
                            let items = (0..length.min(50)).map(|_| self.text("a")).collect();
                            let array = self.array(items);
                            found.extend([text, array]);
                        }
                    }
                    _ => {}
                }
            }
            let own: Ids = [id].into();
            let place = Described::of(schema, &own);
            let least = self.least(schema, &own, 0);
            found.push(least);
            for declared in place.keys.iter().take(KEYS) {
                let with = self.least_map(&place, Some(&declared.key), 0);
                found.push(with);
            }
            if let Some((items, _)) = &place.items {
                let item = self.least(schema, items, 1);
                let array = self.array(vec![item]);
                found.push(array);
            }
        }
    }

    /// A limit and its neighbours.
    fn around(&mut self, limit: &Node) -> Vec<Node> {
        match limit.value {
            NodeValue::Int(limit) => [limit.get().saturating_sub(1), limit.get(), limit.get().saturating_add(1)]
                .map(|value| self.value(NodeValue::int(value)))
                .to_vec(),
            NodeValue::Float(limit) => {
                [limit - 0.5, limit, limit + 0.5].map(|value| self.value(NodeValue::Float(value))).to_vec()
            }
            _ => vec![limit.clone()],
        }
    }

    /// One value of each type.
    fn of_each_type(&mut self) -> Vec<Node> {
        let item = self.text("a");
        let entry = self.text("a");
        vec![
            self.value(NodeValue::Null),
            self.value(NodeValue::Bool(true)),
            self.value(NodeValue::int(0)),
            self.value(NodeValue::int(1)),
            self.value(NodeValue::int(-1)),
            self.value(NodeValue::Float(0.5)),
            self.text(""),
            self.text("a"),
            self.array(Vec::new()),
            self.array(vec![item]),
            self.map(Vec::new()),
            self.map(vec![("a".into(), entry)]),
        ]
    }
}

/// Whether a value fits all nodes.
fn accepts(schema: &Schema, ids: &Ids, value: &Node) -> bool {
    let check = ValuesCheck::alone(schema, &());
    let root = Root { is_value: true, ..Root::new(NodeView(value), value.span) };
    ids.iter().all(|id| {
        let findings = check.run_at(root, *id).findings;
        findings.iter().all(|finding| finding.diagnostic.severity != Severity::Error)
    })
}

/// What a search for a value that the old schema accepts at a place, and the new one refuses, came to.
#[derive(Default)]
pub(crate) struct Search {
    /// The value.
    pub witness: Option<Node>,
    /// All values that the old schema accepts were tried.
    pub is_complete: bool,
}

/// Searches for a value that the old schema accepts at a place and the new one refuses.
pub(crate) fn search(old: (&Schema, &Ids), new: (&Schema, &Ids)) -> Search {
    let mut maker = Maker::default();
    let is_witness = |value: &Node| value.is_known() && accepts(old.0, old.1, value) && !accepts(new.0, new.1, value);
    let all = accepted::values(&Described::of(old.0, old.1)).filter(|all| all.len() <= VALUES);
    if let Some(all) = all {
        let is_complete = all.iter().all(Node::is_known);
        let witness = all.into_iter().map(|value| maker.value(value.value)).find(is_witness);
        return Search { witness, is_complete };
    }
    let mut values = maker.of_each_type();
    maker.mentioned(old.0, old.1, &mut values);
    maker.mentioned(new.0, new.1, &mut values);
    Search { witness: values.into_iter().take(VALUES).find(is_witness), is_complete: false }
}

/// Whether the default of a node breaks rules of its own schema, so that values without it are refused.
pub(crate) fn refuses_own_default(schema: &Schema, id: SchemaId) -> bool {
    let default = schema.effective_default(id);
    default.is_known() && !accepts(schema, &[id].into(), &default)
}
