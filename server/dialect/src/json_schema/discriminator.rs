//! `discriminator`: the value of a key tells which alternative is meant.

use super::references::span_of;
use super::schema::{JsonSchemaReader, Keywords};
use lofting_document::{Key, MapItem, Node, NodeValue};
use lofting_schema::{
    Clause, Constraint, ConstraintKind, Declared, DeclaredKey, Facet, MapShape, Rest, SchemaId, SchemaNode,
};

/// How many values a mapping may have: each is compared with all alternatives.
const VALUES: usize = 200;

/// The key that tells alternatives apart, and the values that stand for each of them.
pub(super) struct Discriminator<'n> {
    key: &'n str,
    mapping: &'n [MapItem],
    declared: Declared,
}

impl<'n> Discriminator<'n> {
    /// The discriminator beside alternatives, if its mapping has values for each of them.
    pub fn of(keywords: &Keywords<'n>, members: &[&'n Node]) -> Option<Discriminator<'n>> {
        let node = keywords.get("discriminator")?;
        let (Some(NodeValue::String(key)), Some(NodeValue::Map(mapping))) =
            (value(node, "propertyName"), value(node, "mapping"))
        else {
            return None;
        };
        let declared = Declared { span: span_of(&keywords.0, "discriminator").unwrap_or(node.span), name: node.span };
        let found = Discriminator { key, mapping, declared };
        let has_values = |member: &&Node| found.values(member).next().is_some();
        (mapping.len() <= VALUES && members.iter().all(has_values)).then_some(found)
    }

    /// The values that stand for an alternative, which is a reference.
    fn values(&self, member: &'n Node) -> impl Iterator<Item = &'n MapItem> {
        let to = match value(member, "$ref") {
            Some(NodeValue::String(to)) => Some(to.as_str()),
            _ => None,
        };
        let last = |to: &'n str| to.rsplit('/').next().unwrap_or(to);
        let is_meant = move |item: &&MapItem| match (&item.value.value, to) {
            // The name of a schema, or a reference to one.
            (NodeValue::String(meant), Some(to)) => meant == to || !meant.contains('/') && last(to) == meant.as_str(),
            _ => false,
        };
        self.mapping.iter().filter(is_meant)
    }
}

fn value<'n>(node: &'n Node, key: &str) -> Option<&'n NodeValue> {
    node.get(&Key::from(key)).map(|node| &node.value)
}

impl<'n> JsonSchemaReader<'n> {
    /// An alternative for which only the values of a discriminator are known.
    pub(super) fn told_by(&mut self, discriminator: &Discriminator<'n>, member: &'n Node, id: SchemaId) -> SchemaId {
        let declared = discriminator.declared;
        let mut values = Vec::new();
        for item in discriminator.values(member) {
            let text = item.key.to_string();
            // In JSON, the keys of a mapping are strings, whatever they stand for.
            let other = match text.as_str() {
                "true" => Some(NodeValue::Bool(true)),
                "false" => Some(NodeValue::Bool(false)),
                _ => text.parse::<i128>().ok().map(NodeValue::int),
            };
            let known = std::iter::once(NodeValue::String(text.into())).chain(other);
            values.extend(known.map(|value| Node::new(value, item.key_span)));
        }
        let listed = Constraint::new(ConstraintKind::OneOf(values.into()), declared.span);
        let schema = self.add(SchemaNode { constraints: vec![listed].into(), ..SchemaNode::new(Facet::Any, declared) });
        let key = DeclaredKey { key: Key::from(discriminator.key), schema, required: false };
        let map = MapShape { rest: Rest::Open, ..MapShape::closed(vec![key]) };
        let tells = self.add(SchemaNode { map: Some(Box::new(map)), ..SchemaNode::new(Facet::Any, declared) });
        let here = Declared { span: member.span, name: member.span };
        let clauses = vec![Clause::All(vec![id, tells])].into();
        self.add(SchemaNode { clauses, ..SchemaNode::new(Facet::Any, here) })
    }
}
