//! A small language for schemas: a kind (`integer`), the name of a node, or a map of what the node says.

use crate::{
    Admits, Clause, Constraint, ConstraintKind, Declared, DeclaredKey, DefaultValue, Example, Expected, Facet,
    FreeKeys, Kinds, MapShape, Pattern, PatternDialect, Rest, Schema, SchemaId, SchemaNode, Semantics, Text,
    WrittenKeys, WrittenPath,
};
use lofting_document::{ArrayItem, FileId, Map, Node, NodeValue, Options, Span, lower};
use lofting_syntax::{parse, resolve::Profile};
use rustc_hash::FxHashMap;

/// The value that a text stands for.
pub(super) fn value(text: &str) -> Node {
    let mut set = lower(FileId(1), &parse(text), Profile::Core12, Options::default());
    assert_eq!(set.documents.len(), 1, "{text}: {:?}", set.issues);
    set.documents.remove(0).value
}

pub(super) fn schema(text: &str) -> Schema {
    let mut reader = Reader::default();
    let root = reader.node(&value(text));
    Schema::new(reader.nodes, root, &Semantics::JSON)
}

/// Where a node is written; also in the order of the text, so that a place names a node.
fn declared(span: Span) -> Declared {
    Declared { span, name: span }
}

#[derive(Default)]
struct Reader {
    nodes: Vec<SchemaNode>,
    named: FxHashMap<String, SchemaId>,
}

fn items(node: &Node) -> &Map {
    let NodeValue::Map(items) = &node.value else { panic!("a map: {node:?}") };
    items
}

fn list(node: &Node) -> Vec<&Node> {
    let NodeValue::Array(items) = &node.value else { panic!("an array: {node:?}") };
    items.iter().map(|item: &ArrayItem| &item.value).collect()
}

fn text(node: &Node) -> &str {
    let NodeValue::String(text) = &node.value else { panic!("a text: {node:?}") };
    text
}

fn said(node: &Node) -> Option<Text> {
    Some(Text { text: text(node).to_owned(), span: node.span })
}

fn kind(word: &str) -> Kinds {
    match word {
        "null" => Kinds::NULL,
        "boolean" => Kinds::BOOL,
        "integer" => Kinds::INT,
        "number" => Kinds::NUMBER,
        "string" => Kinds::STRING,
        "map" => Kinds::MAP,
        "array" => Kinds::ARRAY,
        "any" => Kinds::ANY,
        "none" => Kinds::NONE,
        other => panic!("{other} is no kind"),
    }
}

impl Reader {
    fn node(&mut self, given: &Node) -> SchemaId {
        let id = SchemaId(self.nodes.len() as u32);
        let mut node = SchemaNode::new(Facet::Any, declared(given.span));
        if let NodeValue::String(word) = &given.value {
            if let Some(named) = self.named.get(word.as_str()) {
                return *named;
            }
            node.kinds = kind(word);
            self.nodes.push(node);
            return id;
        }
        self.nodes.push(node.clone());
        let mut shape: Option<MapShape> = None;
        let mut says_kinds = false;
        let map = |shape: &mut Option<MapShape>| shape.take().unwrap_or_else(|| MapShape::closed(Vec::new()));
        for item in items(given).iter() {
            let below = &item.value;
            match item.key.as_str().unwrap_or_default() {
                "name" => drop(self.named.insert(text(below).to_owned(), id)),
                "kinds" => {
                    node.kinds = list(below).into_iter().map(text).map(kind).fold(Kinds::NONE, Kinds::or);
                    says_kinds = true;
                }
                "keys" => {
                    let key = |item: &lofting_document::MapItem| DeclaredKey {
                        key: item.key.clone(),
                        schema: self.node(&item.value),
                        required: false,
                    };
                    let keys = items(below).iter().map(key).collect();
                    shape = Some(MapShape { rest: map(&mut shape).rest, ..MapShape::closed(keys) });
                }
                "rest" => {
                    let rest = match &below.value {
                        NodeValue::String(word) if word == "open" => Rest::Open,
                        NodeValue::String(word) if word == "unread" => Rest::Unread,
                        _ => Rest::Schema(self.node(below)),
                    };
                    shape = Some(MapShape { rest, ..map(&mut shape) });
                }
                "patterns" => {
                    let pattern = |text: &str| Pattern::new(text, PatternDialect::Ecma);
                    let of =
                        |item: &lofting_document::MapItem| (pattern(&item.key.to_string()), self.node(&item.value));
                    let patterns = items(below).iter().map(of).collect();
                    shape = Some(MapShape { patterns, ..map(&mut shape) });
                }
                "free" => {
                    let schema = self.node(below);
                    let free =
                        FreeKeys { admits: Admits::All, schema, expects: vec![Expected::AtLeast(1)], span: below.span };
                    shape = Some(MapShape { free: vec![free], ..map(&mut shape) });
                }
                "require" => {
                    shape =
                        Some(map(&mut shape).requiring(list(below).into_iter().map(|key| text(key).into()).collect()))
                }
                "items" => node.array = Some(Box::new(crate::ArrayShape::of(self.node(below)))),
                "all" => node.clauses.push(Clause::All(self.nodes(below))),
                "any" => node.clauses.push(Clause::Any(self.nodes(below))),
                "one" => node.clauses.push(Clause::One(self.nodes(below))),
                "not" => node.clauses.push(Clause::Not(self.node(below))),
                "names" => node.clauses.push(Clause::Names(self.node(below))),
                "other keys" => node.clauses.push(Clause::OtherKeys(self.node(below))),
                "other items" => node.clauses.push(Clause::OtherItems(self.node(below))),
                "with" => {
                    for item in items(below).iter() {
                        node.clauses.push(Clause::Dependent { key: item.key.clone(), schema: self.node(&item.value) });
                    }
                }
                "if" => {
                    let [condition, then, otherwise] = self.nodes(below)[..] else { panic!("three nodes") };
                    node.clauses.push(Clause::If { condition, then: Some(then), otherwise: Some(otherwise) });
                }
                "of" => {
                    let values = list(below).into_iter().cloned().collect();
                    node.constraints.push(Constraint::new(ConstraintKind::OneOf(values), below.span));
                }
                "not null" => node.constraints.push(Constraint::new(ConstraintKind::NotNull, below.span)),
                "one not null" => {
                    let keys = (!list(below).is_empty())
                        .then(|| list(below).into_iter().map(|key| text(key).into()).collect());
                    node.constraints.push(Constraint::new(ConstraintKind::OneNotNull(keys), below.span));
                }
                "conditional" => node.constraints.iter_mut().for_each(|bound| bound.conditional = true),
                "pattern" => {
                    let pattern = Pattern::new(text(below), PatternDialect::Ecma);
                    node.constraints.push(Constraint::new(ConstraintKind::Pattern(pattern), below.span));
                }
                "format" => {
                    node.constraints.push(Constraint::new(ConstraintKind::Format(text(below).to_owned()), below.span));
                }
                "longest" => {
                    let NodeValue::Int(most) = below.value else { panic!("a number") };
                    node.constraints.push(Constraint::new(ConstraintKind::MaxLength(most.get()), below.span));
                }
                "least" => node.constraints.push(Constraint::new(ConstraintKind::Min(below.clone()), below.span)),
                "default" => {
                    let (value, span) = (below.clone(), below.span);
                    node.default = Some(Box::new(DefaultValue { value, span, explicit: false, keyword: None }));
                }
                "nullable" => node.nullable = true,
                "absent" => node.left_out = true,
                "unknown" => node.known = false,
                "about" => node.docs.description = said(below),
                "deprecated" => node.docs.deprecated = said(below),
                "removed" => node.docs.removed = said(below),
                "examples" => {
                    let example =
                        |value: &Node| Example { description: "it".to_owned(), value: value.clone(), span: value.span };
                    node.docs.examples = list(below).into_iter().map(example).collect();
                }
                other => panic!("{other} says nothing"),
            }
        }
        // What describes only maps or only arrays accepts nothing else, unless it says so.
        match (&shape, &node.array) {
            (Some(_), None) if !says_kinds => node.kinds = Kinds::MAP,
            (None, Some(_)) if !says_kinds => node.kinds = Kinds::ARRAY,
            _ => {}
        }
        node.map = shape.map(Box::new);
        if let Some(place) = self.nodes.get_mut(id.0 as usize) {
            *place = node;
        }
        id
    }

    fn nodes(&mut self, given: &Node) -> Vec<SchemaId> {
        list(given).into_iter().map(|given| self.node(given)).collect()
    }
}

/// What is written in the maps on a way, outermost first.
pub(super) fn written(maps: &[&str]) -> WrittenPath {
    let scalar = |value: &NodeValue| !matches!(value, NodeValue::Map(_) | NodeValue::Array(_));
    let keys = |text: &&str| -> WrittenKeys {
        let map = value(text);
        let entry = |item: &lofting_document::MapItem| {
            (item.key.clone(), Some(item.value.value.clone()).filter(|value| scalar(value)))
        };
        items(&map).iter().map(entry).collect()
    };
    let maps: Vec<WrittenKeys> = maps.iter().map(keys).collect();
    WrittenPath::new(|| maps)
}
