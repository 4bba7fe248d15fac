//! Keywords that only JSON Schema has, as clauses.

use super::keywords::length;
use super::references::span_of;
use super::schema::{JsonSchemaReader, Keywords};
use lofting_document::{Key, MapItem, Node, NodeValue};
use lofting_schema::{Clause, Declared, Facet, MapShape, Rest, SchemaNode};

impl<'n> JsonSchemaReader<'n> {
    /// Adds conditions, dependencies, and the rules about names and items.
    pub(super) fn further_clauses(&mut self, keywords: &Keywords<'n>, node: &mut SchemaNode) {
        if let Some(condition) = keywords.get("if") {
            let then = keywords.get("then").map(|value| self.node(value, declared(value)));
            let otherwise = keywords.get("else").map(|value| self.node(value, declared(value)));
            // A condition without consequences still evaluates parts, which `unevaluated…` depends on.
            let is_asked = self.locations.as_ref().is_some_and(|it| it.vocabulary().draft.has_unevaluated());
            if then.is_some() || otherwise.is_some() || is_asked {
                let condition = self.node(condition, declared(condition));
                node.clauses.push(Clause::If { condition, then, otherwise });
            }
        }
        for keyword in ["dependentSchemas", "dependencies", "dependentRequired"] {
            for item in keywords.items(keyword) {
                let schema = match &item.value.value {
                    NodeValue::Array(names) => {
                        let names = names.iter().map(|name| &name.value);
                        let required = requiring(item, names);
                        self.add(required)
                    }
                    _ => self.node(&item.value, of_item(item)),
                };
                node.clauses.push(Clause::Dependent { key: Key::String(item.key.to_string().into()), schema });
            }
        }
        if let Some(value) = keywords.get("propertyNames") {
            node.clauses.push(Clause::Names(self.node(value, declared(value))));
        }
        if let Some(value) = keywords.get("contains") {
            let count = |keyword| keywords.get(keyword).and_then(|value: &Node| length(&value.value));
            let bound = |number: i128| u64::try_from(number).unwrap_or_default();
            let evaluates = self.locations.as_ref().is_some_and(|it| it.vocabulary().draft.contains_evaluates());
            node.clauses.push(Clause::Contains {
                schema: self.node(value, declared(value)),
                least: count("minContains").map_or(1, bound),
                most: count("maxContains").map(bound),
                evaluates,
            });
        }
        let spanned = |keyword: &str, value: &'n Node| Declared {
            span: span_of(&keywords.0, keyword).unwrap_or(value.span),
            name: value.span,
        };
        let [keys, items] = UNEVALUATED;
        if let Some(value) = keywords.get(keys) {
            node.clauses.push(Clause::OtherKeys(self.node(value, spanned(keys, value))));
        }
        if let Some(value) = keywords.get(items) {
            node.clauses.push(Clause::OtherItems(self.node(value, spanned(items, value))));
        }
    }
}

/// The keywords about parts that no other keyword has evaluated.
const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// A node that requires these keys if the value is a map.
fn requiring<'n>(item: &MapItem, names: impl Iterator<Item = &'n Node>) -> SchemaNode {
    let text = |name: &Node| match &name.value {
        NodeValue::String(name) => Some(Key::String(name.clone())),
        _ => None,
    };
    let map = MapShape { rest: Rest::Open, ..MapShape::closed(Vec::new()) }.requiring(names.filter_map(text).collect());
    SchemaNode { map: Some(Box::new(map)), ..SchemaNode::new(Facet::Any, of_item(item)) }
}

fn of_item(item: &MapItem) -> Declared {
    Declared { span: item.span, name: item.key_span }
}

fn declared(value: &Node) -> Declared {
    Declared { span: value.span, name: value.span }
}
