//! Where the data values that code reads are declared: `data.values.service.port`.

use lofting_document::{FileId, Key, Span};
use lofting_eval::code::{PathId, Use, ValuePaths, ValueStep};
use lofting_schema::{KeyChild, Schema, SchemaId, SchemaNode, Shape};

/// Where a path in code leads in a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValuePlace {
    /// To a value that is declared.
    Declared(SchemaId),
    /// To a key that this map does not declare.
    Undeclared(SchemaId),
    /// Not known: below `any`, or through a computed key.
    Unknown,
}

/// The place of each path, in the same order.
pub fn value_places(values: &ValuePaths, schema: &Schema) -> Vec<ValuePlace> {
    let mut places: Vec<ValuePlace> = Vec::with_capacity(values.paths.len());
    for (parent, step) in &values.paths {
        let place = match parent.map(|parent| places.get(parent.0 as usize)) {
            None => ValuePlace::Declared(schema.root()),
            Some(Some(ValuePlace::Declared(id))) => below(schema, *id, step),
            Some(_) => ValuePlace::Unknown,
        };
        places.push(place);
    }
    places
}

fn below(schema: &Schema, id: SchemaId, step: &ValueStep) -> ValuePlace {
    match (schema.node(id).shape(), step) {
        (Shape::Map(map), ValueStep::Key(key)) => match map.child(&Key::from(key.as_str())) {
            KeyChild::Child(child) => ValuePlace::Declared(child.schema),
            KeyChild::Undeclared => ValuePlace::Undeclared(id),
            KeyChild::Free | KeyChild::Unread => ValuePlace::Unknown,
        },
        (Shape::Array(array), ValueStep::Item) => ValuePlace::Declared(array.item),
        _ => ValuePlace::Unknown,
    }
}

/// What code reads, with the places of its paths in the schemas of the data values.
pub(crate) struct ReadPlaces<'a> {
    pub file: FileId,
    pub values: &'a ValuePaths,
    /// The first schema.
    pub schema: &'a Schema,
    places: Vec<ValuePlace>,
    /// The places in each of the others.
    others: Vec<Vec<ValuePlace>>,
}

/// A key that is read, as findings show it.
pub(crate) struct ReadKey {
    pub span: Span,
    pub key: String,
    /// The path of the map that has it.
    pub holder: String,
}

impl<'a> ReadPlaces<'a> {
    /// The places in schemas that may declare the data values: at least one does.
    pub fn new(file: FileId, values: &'a ValuePaths, schema: &'a Schema, others: &[&Schema]) -> Self {
        let others = others.iter().map(|schema| value_places(values, schema)).collect();
        ReadPlaces { file, values, schema, places: value_places(values, schema), others }
    }

    /// Where a path leads in the first schema.
    pub fn place(&self, path: PathId) -> Option<ValuePlace> {
        self.places.get(path.0 as usize).copied()
    }

    /// Where it leads in each of the others.
    pub fn elsewhere(&self, path: PathId) -> impl Iterator<Item = Option<ValuePlace>> {
        self.others.iter().map(move |places| places.get(path.0 as usize).copied())
    }

    /// The node of a path that the first schema declares.
    pub fn node(&self, path: PathId) -> Option<&'a SchemaNode> {
        match self.place(path)? {
            ValuePlace::Declared(id) => Some(self.schema.node(id)),
            ValuePlace::Undeclared(_) | ValuePlace::Unknown => None,
        }
    }

    /// The key that is read.
    pub fn key(&self, used: &Use) -> Option<ReadKey> {
        let mut holder = self.values.steps(used.path);
        let ValueStep::Key(key) = holder.pop()? else { return None };
        Some(ReadKey { span: Span::new(self.file, used.range.clone()), key, holder: shown_path(&holder) })
    }
}

/// `data.values.ports[].name`
pub fn shown_path(steps: &[ValueStep]) -> String {
    let mut path = "data.values".to_owned();
    for step in steps {
        match step {
            ValueStep::Key(key) => {
                path.push('.');
                path.push_str(key);
            }
            ValueStep::Item => path.push_str("[]"),
        }
    }
    path
}
