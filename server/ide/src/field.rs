//! A field of a schema whose values are in other documents, with all its places: its declaration, the references to it
//! in the schema, its keys in values, and its uses in expressions.

use crate::governing::governing;
use crate::inside;
use crate::path;
use crate::target::target_at;
use lofting_document::{FileId, Key, Node, NodeValue, Span};
use lofting_schema::{Schema, SchemaId, Step as SchemaStep};
use lofting_syntax::Entry;
use lofting_workspace::{FileKind, Governed, Snapshot};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A field.
pub(crate) struct Field {
    /// Its name.
    pub name: String,
    /// The bytes of the name at the requested place.
    pub origin: Range<usize>,
    /// Its key in the schema.
    pub declared: Span,
    /// The names of the fields beside it.
    beside: Vec<Key>,
}

/// The places of a field's name.
#[derive(Default)]
pub(crate) struct Places {
    /// As a key, in the schema and in values, and in lists of required keys.
    pub keys: BTreeSet<Span>,
    /// In expressions.
    pub uses: BTreeSet<Span>,
    /// Some of the expressions can only name plain words.
    pub takes_words: bool,
}

/// Whether documents of a file may have fields: templates have those of what they render.
fn may_have_fields(kind: FileKind) -> bool {
    matches!(kind, FileKind::Parts | FileKind::Template)
}

/// Whether a key is written at a place.
fn is_written(snapshot: &Snapshot, declared: Span, key: &Key) -> bool {
    let range = declared.range();
    let tree = snapshot.tree(declared.file);
    let found = tree.path_at(range.start).into_iter().filter_map(Entry::cast).filter_map(|entry| entry.key());
    let holds = |own: Range<usize>| !range.is_empty() && own.start <= range.start && range.end <= own.end;
    let mut found = found.filter(|own| holds(own.content_range()));
    found.any(|own| path::key_of(snapshot.profile(declared.file), own).as_ref() == Some(key))
}

impl Field {
    /// The field whose name is at `offset` (bytes).
    pub fn at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Field> {
        if !may_have_fields(snapshot.kind(file)) {
            return None;
        }
        let tree = snapshot.tree(file);
        let own = || {
            let holds = |span: Span| span.file == file && span.range().start <= offset && offset <= span.range().end;
            snapshot.schemas_in(file).into_iter().find_map(|schema| {
                let declared = fields(&schema).map(|(_, name)| name).find(|name| holds(*name))?;
                Some((declared, declared.range()))
            })
        };
        let in_text = || {
            let (schema, node, origin) = inside::at(snapshot, file, &tree, offset)?.node()?;
            Some((schema.node(node).declared.name, origin))
        };
        let in_values = || {
            let target = target_at(&tree, snapshot.profile(file), offset)?;
            let key = target.key.filter(|key| key.content_range() == target.range)?;
            let governing = governing(snapshot, file, &tree, target.document, &target.path, offset)?;
            let (nodes, _) = target.schemas(&governing);
            let declared = governing.schema.node(*nodes.first()?).declared.name;
            // What a built-in schema declares is written in no file of the user.
            is_written(snapshot, declared, &path::key_of(snapshot.profile(file), key)?)
                .then(|| (declared, key.content_range()))
        };
        let (declared, origin) = own().or_else(in_text).or_else(in_values)?;
        let schemas = snapshot.schemas_in(declared.file);
        let (name, beside) = schemas.iter().find_map(|schema| {
            let (key, _) = fields(schema).find(|(_, name)| *name == declared)?;
            Some((key, beside(schema, declared)))
        })?;
        Some(Field { name, origin, declared, beside })
    }

    /// Why this name is not possible.
    pub fn refuses(&self, name: &str, places: &Places) -> Option<String> {
        if name.is_empty() || name.chars().any(|c| c.is_control() || matches!(c, '"' | '\'' | '\\')) {
            return Some(format!("`{name}` cannot be the name of a field"));
        }
        if self.beside.contains(&Key::from(name)) {
            return Some(format!("there is a field `{name}` beside it"));
        }
        let is_word = name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
        let begins = name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
        let fits_after_dot = is_word && begins;
        let is_refused = places.takes_words && !fits_after_dot;
        is_refused.then(|| format!("`{name}` cannot follow a dot, as expressions name the field"))
    }

    /// All places of its name.
    pub fn places(&self, snapshot: &Snapshot) -> Places {
        self.places_in(snapshot, snapshot.files())
    }

    /// The places of its name in one file, each with whether it declares the field or gives it a value there.
    pub fn places_in_file(&self, snapshot: &Snapshot, file: FileId) -> Vec<(Span, bool)> {
        let places = self.places_in(snapshot, std::iter::once(file));
        let required = self.required(snapshot);
        let keys = places.keys.into_iter().map(|span| (span, !required.contains(&span)));
        let all = keys.chain(places.uses.into_iter().map(|span| (span, false)));
        let mut here: Vec<(Span, bool)> = all.filter(|(span, _)| span.file == file).collect();
        here.sort_unstable();
        here
    }

    /// The places of its name in its own file, and as a key in these files.
    fn places_in(&self, snapshot: &Snapshot, files: impl Iterator<Item = FileId>) -> Places {
        let mut places = Places::default();
        places.keys.insert(self.declared);
        places.keys.extend(self.required(snapshot));
        let used = snapshot.uses_of(self.declared);
        places.takes_words = used.iter().any(|used| used.is_word);
        places.uses.extend(used.into_iter().map(|used| Span::new(self.declared.file, used.range)));
        for file in files.filter(|file| may_have_fields(snapshot.kind(*file))) {
            let governed = snapshot.governed(file);
            for part in governed.iter().filter(|part| fields(&part.schema).any(|(_, name)| name == self.declared)) {
                self.keys_in(snapshot, file, part, &mut places.keys);
            }
        }
        for schema in snapshot.schemas_in(self.declared.file) {
            let defaults = schema.nodes().filter_map(|(id, node)| Some((id, node.default.as_ref()?)));
            for (id, default) in defaults.filter(|(_, default)| default.explicit) {
                self.keys_of(&schema, &default.value, vec![id], &mut places.keys);
            }
        }
        places
    }

    /// Its name in lists of required keys.
    fn required(&self, snapshot: &Snapshot) -> Vec<Span> {
        let documents = snapshot.lowered(self.declared.file);
        let mut found = Vec::new();
        let mut open: Vec<&Node> = documents.documents.iter().map(|document| &document.value).collect();
        while let Some(node) = open.pop() {
            match &node.value {
                NodeValue::Map(items) => {
                    let properties = items.value(&Key::from("properties")).map(|node| &node.value);
                    let is_own = matches!(properties, Some(NodeValue::Map(fields)) if fields.iter().any(|it| it.key_span == self.declared));
                    let required = items.value(&Key::from("required")).filter(|_| is_own).map(|node| &node.value);
                    if let Some(NodeValue::Array(names)) = required {
                        let is_name =
                            |node: &Node| matches!(&node.value, NodeValue::String(name) if *name == self.name);
                        found.extend(names.iter().map(|item| &item.value).filter(|it| is_name(it)).map(|it| it.span));
                    }
                    open.extend(items.iter().map(|item| &item.value));
                }
                NodeValue::Array(items) => open.extend(items.iter().map(|item| &item.value)),
                _ => {}
            }
        }
        found
    }

    /// Its keys in a governed part of a file.
    fn keys_in(&self, snapshot: &Snapshot, file: FileId, part: &Governed, found: &mut BTreeSet<Span>) {
        let documents = snapshot.lowered(file);
        let Some(document) = documents.documents.get(part.document) else { return };
        let value = part.at.iter().try_fold(&document.value, |value, step| match (&value.value, step) {
            (NodeValue::Map(items), SchemaStep::Key(key)) => items.value(key),
            (NodeValue::Array(items), SchemaStep::Index(index)) => items.get(*index).map(|item| &item.value),
            _ => None,
        });
        if let Some(value) = value {
            self.keys_of(&part.schema, value, vec![part.node], found);
        }
    }

    /// Its keys in a value with these schema nodes.
    fn keys_of(&self, schema: &Schema, value: &Node, nodes: Vec<SchemaId>, found: &mut BTreeSet<Span>) {
        let mut open = vec![(value, nodes)];
        while let Some((value, nodes)) = open.pop() {
            let below = |step: SchemaStep| -> Vec<SchemaId> {
                let children = nodes.iter().flat_map(|node| schema.children(*node, &step));
                children.flat_map(|child| schema.speaking(child.schema)).collect()
            };
            match &value.value {
                NodeValue::Map(items) => {
                    for item in items {
                        let below = below(SchemaStep::Key(item.key.clone()));
                        if below.iter().any(|id| schema.node(*id).declared.name == self.declared) {
                            found.insert(item.key_span);
                        }
                        if !below.is_empty() {
                            open.push((&item.value, below));
                        }
                    }
                }
                NodeValue::Array(items) => {
                    let below = below(SchemaStep::Item);
                    open.extend(items.iter().filter(|_| !below.is_empty()).map(|item| (&item.value, below.clone())));
                }
                _ => {}
            }
        }
    }
}

/// The declared fields of a schema: each name and the place of its declaration.
fn fields(schema: &Arc<Schema>) -> impl Iterator<Item = (String, Span)> + '_ {
    let maps = schema.nodes().filter_map(|(_, node)| node.map.as_deref());
    let keys = maps.flat_map(|map| &map.keys);
    keys.map(|key| (key.key.to_string(), schema.node(key.schema).declared.name))
}

/// The names of the fields beside it.
fn beside(schema: &Schema, declared: Span) -> Vec<Key> {
    let is_own = |key: &lofting_schema::DeclaredKey| schema.node(key.schema).declared.name == declared;
    let maps = schema.nodes().filter_map(|(_, node)| node.map.as_deref()).filter(|map| map.keys.iter().any(is_own));
    maps.flat_map(|map| &map.keys).filter(|key| !is_own(key)).map(|key| key.key.clone()).collect()
}
