//! The documentation of a schema, field by field: the `--schema-inspect` of ytt's second design proposal.

mod html;

pub use html::inspect_html;

use super::{DEPTH, NOWHERE, Object, list, text};
use crate::{MapShape, Schema, SchemaId};
use lofting_document::{Node, NodeValue};

/// A declared value with its documentation.
struct Field<'s> {
    /// The path: keys joined by dots, `[]` for items, `*` for undeclared keys.
    name: String,
    title: Option<&'s str>,
    documentation: Option<&'s str>,
    /// Values, each with a description if there is one.
    examples: Vec<(&'s Node, Option<&'s str>)>,
}

/// Name, title, documentation and examples of every declared value, in the order of the schema.
pub fn inspect(schema: &Schema) -> Node {
    let field = |field: Field<'_>| {
        let mut out = Object::default();
        out.text("name", &field.name);
        if let Some(title) = field.title {
            out.text("title", title);
        }
        if let Some(documentation) = field.documentation {
            out.text("documentation", documentation);
        }
        if !field.examples.is_empty() {
            let example = |(value, description): (&Node, Option<&str>)| {
                let mut out = Object::default();
                out.set("value", value.clone());
                out.set("description", description.map_or(Node::new(NodeValue::Null, NOWHERE), text));
                out.finish()
            };
            out.set("example", list(field.examples.into_iter().map(example)));
        }
        out.finish()
    };
    let mut inner = Object::default();
    inner.text("name", "data/values");
    inner.set("fields", list(fields(schema).into_iter().map(field)));
    let mut out = Object::default();
    out.set("schema", inner.finish());
    out.finish()
}

fn fields(schema: &Schema) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    below(schema, schema.root(), "", 0, &mut fields);
    fields
}

fn below<'s>(schema: &'s Schema, id: SchemaId, path: &str, depth: usize, fields: &mut Vec<Field<'s>>) {
    if depth > DEPTH {
        return;
    }
    let node = schema.node(id);
    if let Some(map) = &node.map {
        for (name, child) in items(schema, map) {
            let name = if path.is_empty() { name } else { format!("{path}.{name}") };
            let docs = &schema.node(child).docs;
            if docs.removed.is_some() {
                continue;
            }
            let title = docs.title.as_ref().map(|title| title.text.as_str()).or(docs.inferred_title.as_deref());
            let documentation = docs.description.as_ref().map(|text| text.text.as_str());
            let examples = docs.examples.iter().filter(|example| example.value.is_known());
            let described = |text: &'s str| Some(text).filter(|text| !text.is_empty());
            fields.push(Field {
                name: name.clone(),
                title: title.and_then(described),
                documentation: documentation.and_then(described),
                examples: examples.map(|example| (&example.value, described(&example.description))).collect(),
            });
            below(schema, child, &name, depth + 1, fields);
        }
    }
    if let Some(array) = &node.array {
        below(schema, array.item, &format!("{path}[]"), depth + 1, fields);
    }
}

/// The declared keys of a map, in the order written.
fn items(schema: &Schema, map: &MapShape) -> Vec<(String, SchemaId)> {
    let declared = map.keys.iter().map(|key| (key.key.to_string(), key.schema));
    let free = map.free.iter().map(|free| ("*".to_owned(), free.schema));
    let mut items: Vec<(String, SchemaId)> = declared.chain(free).collect();
    let place = |id: SchemaId| schema.node(id).declared.name;
    let is_one_file =
        items.iter().all(|(_, id)| items.first().is_some_and(|first| place(first.1).file == place(*id).file));
    if !map.free.is_empty() && is_one_file {
        items.sort_by_key(|(_, id)| place(*id).start);
    }
    items
}
