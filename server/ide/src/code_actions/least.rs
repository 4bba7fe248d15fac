//! The smallest value that a schema accepts, inserted where a required value is not known.
//!
//! Candidates come from what the schema says: defaults, allowed values, examples, bounds, and the keys that a map has to
//! have. The checker judges them, so that a value fits whatever the keywords of the schema are.

use crate::completion::Style;
use crate::likely_values::is_accepted;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{ArrayItem, FileId, Key, MapItem, Node, NodeValue, Notes, Span};
use lofting_schema::{Clause, Constraint, ConstraintKind, Kinds, Schema, SchemaId, SchemaNode};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// Deeper maps stay empty.
const DEPTH: usize = 6;
/// At most this many items are written.
const ITEMS: i128 = 8;
/// At most this many characters are written to make a text long enough.
const CHARACTERS: i128 = 64;
/// How many alternatives of a choice are tried.
const ALTERNATIVES: usize = 8;
/// How many allowed values, and examples, of one node are tried.
const MENTIONED: usize = 8;
/// How many values are judged for one key.
const JUDGED: usize = 200;
/// How many nodes are looked at for one value.
const NODES: usize = 64;
/// How many values one key gets at most, with those inside it: keys that ask for themselves ask for many.
const VALUES: u32 = 500;

/// A value to write.
pub(crate) enum Least {
    /// On one line.
    Line(String),
    /// Keys on lines of their own.
    Block(Vec<(String, Least)>),
}

/// A key with a value.
pub(crate) struct LeastEntry {
    /// As it is written.
    pub key: String,
    pub value: Least,
    /// The schema accepts the value. If not, none was found that it does.
    pub fits: bool,
}

/// A key with its smallest value: the one that all of these nodes accept.
pub(crate) fn entry(schema: &Schema, ids: &[SchemaId], key: &Key) -> LeastEntry {
    let finder = Finder { schema, judged: Cell::new(0), places: Cell::new(0) };
    let (value, fits) = finder.least(ids, DEPTH);
    let key = yaml_text::declared_key(schema.semantics(), key, ScalarContext::Block);
    LeastEntry { key, value: Least::of(schema, &value), fits }
}

/// Looks for values.
struct Finder<'s> {
    schema: &'s Schema,
    /// How many values were judged.
    judged: Cell<usize>,
    /// How many places were given to values: the checker tells values apart by their places.
    places: Cell<u32>,
}

impl<'s> Finder<'s> {
    /// The smallest value that all nodes accept, or the likeliest if none is found, and whether it is accepted.
    fn least(&self, ids: &[SchemaId], depth: usize) -> (Node, bool) {
        let mut likeliest = None;
        for alternative in 0..ALTERNATIVES {
            let (nodes, is_choice) = self.statements(ids, alternative);
            for value in self.candidates(&nodes, depth) {
                if self.accepts(ids, &value) {
                    return (value, true);
                }
                likeliest.get_or_insert(value);
            }
            if !is_choice || self.judged.get() >= JUDGED {
                break;
            }
        }
        (likeliest.unwrap_or_else(|| self.node(NodeValue::Null)), false)
    }

    /// The nodes that a value has to fit, with one alternative of each choice; and whether there is a choice.
    fn statements(&self, ids: &[SchemaId], alternative: usize) -> (Vec<&'s SchemaNode>, bool) {
        let (mut all, mut is_choice, mut next) = (ids.to_vec(), false, 0);
        while let Some(id) = all.get(next).copied().filter(|_| next < NODES) {
            next += 1;
            for clause in &self.schema.node(id).clauses {
                let members = match clause {
                    Clause::All(members) => members.as_slice(),
                    Clause::Any(members) | Clause::One(members) => {
                        is_choice |= members.len() > 1;
                        let at = alternative.min(members.len().saturating_sub(1));
                        members.get(at..=at).unwrap_or_default()
                    }
                    _ => &[],
                };
                let new: Vec<SchemaId> = members.iter().copied().filter(|member| !all.contains(member)).collect();
                all.extend(new);
            }
        }
        (all.into_iter().map(|id| self.schema.node(id)).collect(), is_choice)
    }

    /// Whether all nodes accept a value.
    fn accepts(&self, ids: &[SchemaId], value: &Node) -> bool {
        let judged = self.judged.get();
        self.judged.set(judged + 1);
        judged < JUDGED && ids.iter().all(|id| is_accepted(self.schema, *id, value))
    }

    /// Values that nodes may accept, the smallest first.
    fn candidates(&self, nodes: &[&SchemaNode], depth: usize) -> Vec<Node> {
        let defaults = nodes.iter().filter_map(|node| node.default.as_ref()).map(|default| &default.value);
        let allowed = bounds(nodes, Kinds::ANY).filter_map(|kind| match kind {
            ConstraintKind::OneOf(values) => Some(values.iter().take(MENTIONED)),
            _ => None,
        });
        let examples = nodes.iter().flat_map(|node| node.docs.examples.iter().take(MENTIONED));
        let examples = examples.map(|example| &example.value);
        let mentioned = defaults.chain(allowed.flatten()).chain(examples);
        let mut found: Vec<Node> = mentioned.filter(|value| value.is_known()).cloned().collect();
        let kinds = nodes.iter().fold(Kinds::ANY, |kinds, node| kinds.and(node.kinds));
        let (has_map, has_array) =
            (nodes.iter().any(|node| node.map.is_some()), nodes.iter().any(|node| node.array.is_some()));
        let says_more = kinds != Kinds::ANY || has_map || has_array;
        let Some(depth) = depth.checked_sub(1).filter(|_| says_more && self.places.get() < VALUES) else {
            found.push(self.node(NodeValue::Null));
            return found;
        };
        if kinds.has(Kinds::MAP) && has_map {
            found.push(self.map(nodes, depth));
        }
        if kinds.has(Kinds::ARRAY) && has_array {
            found.extend(self.arrays(nodes, depth));
        }
        if kinds.has(Kinds::STRING) {
            found.extend(texts(nodes).into_iter().map(|text| self.node(NodeValue::String(text.as_str().into()))));
        }
        if kinds.has(Kinds::INT) || kinds.has(Kinds::FLOAT) {
            found.extend(numbers(nodes, kinds.has(Kinds::FLOAT)).into_iter().map(|number| self.node(number)));
        }
        if kinds.has(Kinds::BOOL) {
            found.push(self.node(NodeValue::Bool(false)));
        }
        if kinds.has(Kinds::MAP) && !has_map {
            found.push(self.node(NodeValue::Map(Vec::new().into())));
        }
        if kinds.has(Kinds::ARRAY) && !has_array {
            found.push(self.node(NodeValue::Array(Vec::new())));
        }
        found.push(self.node(NodeValue::Null));
        found
    }

    /// A map with the keys that it has to have.
    fn map(&self, nodes: &[&SchemaNode], depth: usize) -> Node {
        let maps = || nodes.iter().filter_map(|node| node.map.as_deref());
        let mut known: FxHashSet<&Key> = FxHashSet::default();
        let mut keys: Vec<&Key> = maps().flat_map(|map| &map.required).filter(|key| known.insert(*key)).collect();
        let least = usize::try_from(least_length(nodes, Kinds::MAP).clamp(0, ITEMS)).unwrap_or_default();
        let declared = maps().flat_map(|map| &map.keys).map(|declared| &declared.key);
        let missing = least.saturating_sub(keys.len());
        keys.extend(declared.filter(|key| known.insert(*key)).take(missing));
        let items = keys.into_iter().map(|key| {
            let ids: Vec<SchemaId> = maps().flat_map(|map| map.children(key)).map(|child| child.schema).collect();
            let (value, _) = self.least(&ids, depth);
            let span = self.span();
            let key = key.clone();
            MapItem { key, key_span: span, span, value, notes: Notes::default(), merged: false, conditional: false }
        });
        self.node(NodeValue::Map(items.collect::<Vec<_>>().into()))
    }

    /// Arrays with as many items as they have to have: all with the smallest value, or each with another one.
    fn arrays(&self, nodes: &[&SchemaNode], depth: usize) -> Vec<Node> {
        let least = usize::try_from(least_length(nodes, Kinds::ARRAY).clamp(0, ITEMS)).unwrap_or_default();
        let of_index = |index: usize| -> Vec<SchemaId> {
            nodes.iter().filter_map(|node| node.array.as_ref()).map(|array| array.child(index).schema).collect()
        };
        let items: Vec<Node> = (0..least).map(|index| self.least(&of_index(index), depth).0).collect();
        let array = |values: Vec<Node>| {
            let item = |value: Node| ArrayItem { span: value.span, value, notes: Notes::default(), conditional: false };
            self.node(NodeValue::Array(values.into_iter().map(item).collect()))
        };
        let different = items.iter().enumerate().map(|(index, item)| self.varied(item, &of_index(index), index));
        let different = different.collect();
        let mut found = vec![array(items)];
        if least > 1 {
            found.push(array(different));
        }
        found
    }

    /// Another value of the kind: another one of the allowed ones, a larger number, a longer text.
    fn varied(&self, value: &Node, ids: &[SchemaId], by: usize) -> Node {
        let (nodes, _) = self.statements(ids, 0);
        let allowed = bounds(&nodes, Kinds::ANY).find_map(|kind| match kind {
            ConstraintKind::OneOf(values) => values.get(by),
            _ => None,
        });
        if let Some(allowed) = allowed {
            return allowed.clone();
        }
        self.node(match &value.value {
            NodeValue::Int(number) => NodeValue::int(number.get().saturating_add(by as i128)),
            NodeValue::String(text) => NodeValue::String(format!("{text}{by}").as_str().into()),
            other => other.clone(),
        })
    }

    fn node(&self, value: NodeValue) -> Node {
        Node::new(value, self.span())
    }

    fn span(&self) -> Span {
        let place = self.places.get() + 1;
        self.places.set(place);
        Span::new(FileId(u32::MAX - 1), place as usize..place as usize)
    }
}

/// What nodes say about values of a kind.
fn bounds<'s>(nodes: &[&'s SchemaNode], on: Kinds) -> impl Iterator<Item = &'s ConstraintKind> {
    let all: Vec<&'s Constraint> = nodes.iter().flat_map(|node| &node.constraints).collect();
    let holds = move |constraint: &&Constraint| !constraint.conditional && constraint.on.and(on) != Kinds::NONE;
    all.into_iter().filter(holds).map(|constraint| &constraint.kind)
}

/// How long values of a kind have to be.
fn least_length(nodes: &[&SchemaNode], on: Kinds) -> i128 {
    let least = bounds(nodes, on).filter_map(|kind| match kind {
        ConstraintKind::MinLength(least) => Some(*least),
        _ => None,
    });
    least.max().unwrap_or(0)
}

/// Texts that are long enough.
fn texts(nodes: &[&SchemaNode]) -> Vec<String> {
    let (mut start, mut end, mut is_formed) = ("", "", false);
    for kind in bounds(nodes, Kinds::STRING) {
        match kind {
            ConstraintKind::StartsWith(text) => start = text,
            ConstraintKind::EndsWith(text) => end = text,
            ConstraintKind::Pattern(_) | ConstraintKind::Format(_) => is_formed = true,
            _ => {}
        }
    }
    let least = usize::try_from(least_length(nodes, Kinds::STRING).clamp(0, CHARACTERS)).unwrap_or_default();
    // What a pattern asks for is not known; the most usual ones take a letter or a digit.
    let stems: &[&str] = if is_formed { &["", "x", "X", "0", "1"] } else { &[""] };
    let text = |stem: &&str| {
        let missing = least.saturating_sub(start.len() + stem.len() + end.len());
        let filling = if stem.is_empty() { "x" } else { stem };
        format!("{start}{stem}{}{end}", filling.repeat(missing))
    };
    stems.iter().map(text).collect()
}

/// Zero, or numbers near the bounds.
fn numbers(nodes: &[&SchemaNode], is_float: bool) -> Vec<NodeValue> {
    let of = |value: &NodeValue| match value {
        NodeValue::Int(number) => Some(number.get() as f64),
        NodeValue::Float(number) => Some(*number),
        _ => None,
    };
    let mut found = vec![NodeValue::int(0)];
    let (mut least, mut most, mut step) = (f64::NEG_INFINITY, f64::INFINITY, None);
    for kind in bounds(nodes, Kinds::NUMBER) {
        match kind {
            ConstraintKind::Min(bound) | ConstraintKind::ExclusiveMin(bound) => {
                least = least.max(of(&bound.value).unwrap_or(least));
            }
            ConstraintKind::Max(bound) | ConstraintKind::ExclusiveMax(bound) => {
                most = most.min(of(&bound.value).unwrap_or(most));
            }
            ConstraintKind::MultipleOf(of) => step = step.or(Some(*of)),
            _ => continue,
        }
        // The exact number, however large it is.
        if let ConstraintKind::Min(bound) | ConstraintKind::Max(bound) = kind {
            found.push(bound.value.clone());
        }
    }
    let nearest = if least > 0.0 { least } else { most };
    let near = [nearest.ceil(), nearest.floor(), (nearest + 1.0).floor(), (nearest - 1.0).ceil()];
    let multiples = step.into_iter().flat_map(|step: f64| {
        let times = nearest / step;
        [times.ceil() * step, times.floor() * step, (times + 1.0).floor() * step, (times - 1.0).ceil() * step]
    });
    let between = [(least + most) / 2.0, nearest];
    for number in near.into_iter().chain(multiples).chain(between).filter(|number| number.is_finite()) {
        // Whole numbers of this size are exact.
        if number.fract() == 0.0 && number.abs() < 1e15 {
            found.push(NodeValue::int(number as i128));
        } else if is_float {
            found.push(NodeValue::Float(number));
        }
    }
    found
}

impl Least {
    fn of(schema: &Schema, value: &Node) -> Least {
        match &value.value {
            NodeValue::Map(items) if items.iter().next().is_some() => {
                let key = |item: &MapItem| yaml_text::declared_key(schema.semantics(), &item.key, ScalarContext::Block);
                Least::Block(items.iter().map(|item| (key(item), Least::of(schema, &item.value))).collect())
            }
            _ => Least::Line(yaml_text::value(value, ScalarContext::Block).unwrap_or_else(|| "null".to_owned())),
        }
    }

    /// Whether it, or something in it, stands for nothing, so that only the schema accepts it.
    pub fn is_filler(&self) -> bool {
        match self {
            Least::Line(text) => matches!(text.as_str(), "\"\"" | "0" | "{}" | "[]" | "null"),
            Least::Block(entries) => entries.iter().any(|(_, value)| value.is_filler()),
        }
    }

    /// The value on one line.
    pub fn in_flow(&self) -> String {
        match self {
            Least::Line(text) => text.clone(),
            Least::Block(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {}", value.in_flow())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    /// The text after the colon of a key at a column.
    fn after(&self, column: usize, style: Style) -> String {
        match self {
            Least::Line(text) => format!(" {text}"),
            Least::Block(entries) => {
                let column = column + style.indent;
                let room = " ".repeat(column);
                let lines = entries
                    .iter()
                    .map(|(key, value)| format!("{}{room}{key}:{}", style.newline, value.after(column, style)));
                lines.collect()
            }
        }
    }
}

impl LeastEntry {
    /// As written in a map: at a column, or in flow style.
    pub fn written(&self, column: Option<usize>, style: Style) -> String {
        match column {
            Some(column) => format!("{}:{}", self.key, self.value.after(column, style)),
            None => format!("{}: {}", self.key, self.value.in_flow()),
        }
    }
}
