//! The schema that applies to a place in a document.

use crate::document_kind::{DocumentKind, document_kind};
use crate::path::{Step, has_key, key_of, steps_below};
use lofting_document::{FileId, Key, NodeValue};
use lofting_schema::{ConstraintKind, KeyChild, Kinds, Schema, SchemaId, Shape, WrittenKeys, WrittenPath};
use lofting_syntax::resolve::{Profile, Resolved, resolve};
use lofting_syntax::{Document, Element, Entry, Item, Kind, Tree, Value};
use lofting_workspace::{FileKind, Governed, Snapshot};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A schema and the part of a document that it governs.
#[derive(Debug, Clone)]
pub(crate) struct Governing {
    pub schema: Arc<Schema>,
    /// The schema node for the part.
    node: SchemaId,
    /// Steps from the document's root to the part.
    above: usize,
    /// The values on the way from the part to the cursor.
    written: WrittenPath,
    /// For each step from the document's root, the index of the item, if it is one of the first. Empty without items.
    indices: Vec<Option<usize>>,
}

impl Governing {
    /// A schema for a document as a whole.
    pub fn whole(schema: Arc<Schema>) -> Self {
        Governing { node: schema.root(), schema, above: 0, written: WrittenPath::default(), indices: Vec::new() }
    }

    /// The node of the part, and the number of steps from the document's root to it.
    pub fn part(&self) -> (SchemaId, usize) {
        (self.node, self.above)
    }

    /// A path from the document's root as steps below the part, with the indices of items where they are known.
    fn below(&self, path: &[Step]) -> Option<Vec<Step>> {
        let mut steps = path.get(self.above..).and_then(|below| steps_below(&self.schema, below))?;
        for (step, index) in steps.iter_mut().zip(self.indices.iter().skip(self.above)) {
            if let (Step::Item, Some(index)) = (&*step, index) {
                *step = Step::Index(*index);
            }
        }
        Some(steps)
    }

    /// Whether the value at the end of a path must not have a key, by what is written already.
    pub fn forbids(&self, path: &[Step]) -> impl Fn(&Key) -> bool {
        let steps = self.below(path);
        let forbids = steps.map(|steps| self.schema.forbids(self.node, &steps, &self.written));
        move |key: &Key| forbids.as_ref().is_some_and(|forbids| forbids(key))
    }

    /// Whether the value at the end of `path` must not be a scalar, by what is written already.
    pub fn refuses(&self, path: &[Step]) -> impl Fn(&NodeValue) -> bool {
        let steps = self.below(path);
        let refuses = steps.map(|steps| self.schema.refuses(self.node, &steps, &self.written));
        move |value: &NodeValue| refuses.as_ref().is_some_and(|refuses| refuses(value))
    }

    /// The nodes that are named for the value at the end of a path, whose clauses name further ones.
    pub fn named_at(&self, path: &[Step]) -> Vec<SchemaId> {
        let steps = self.below(path);
        steps.map(|steps| self.schema.named_at_written(self.node, &steps, &self.written)).unwrap_or_default()
    }

    /// Whether the array at the end of a path, which has this many items, must not have one more.
    pub fn is_full(&self, path: &[Step], items: usize) -> bool {
        self.below(path).is_some_and(|steps| self.schema.is_full(self.node, &steps, &self.written, items))
    }

    /// Whether the items of the array at the end of a path must differ from each other.
    pub fn has_distinct_items(&self, path: &[Step]) -> bool {
        self.below(path).is_some_and(|steps| self.schema.has_distinct_items(self.node, &steps, &self.written))
    }

    /// The nodes at the end of a path that only join others.
    pub fn joining(&self, path: &[Step]) -> Vec<SchemaId> {
        let steps = self.below(path);
        steps.map(|steps| self.schema.joining_at_written(self.node, &steps, &self.written)).unwrap_or_default()
    }

    /// The documented nodes at the end of a path that only join others, such as a list of alternatives that has a
    /// description of its own.
    pub fn documented_at(&self, path: &[Step]) -> Vec<SchemaId> {
        let steps = self.below(path);
        steps.map(|steps| self.schema.documented_at_written(self.node, &steps, &self.written)).unwrap_or_default()
    }

    /// Whether anything is allowed at the end of a path: the schema says nothing about it, and does not forbid the way.
    pub fn is_open(&self, path: &[Step]) -> bool {
        let Some(below) = path.get(self.above..) else { return false };
        let says = |id: &SchemaId| match self.schema.node(*id).shape() {
            Shape::Any | Shape::Unknown if !is_listed(&self.schema, *id) => None,
            _ => Some(*id),
        };
        let nodes_at = |length: usize| self.nodes_at(path.get(..self.above + length).unwrap_or_default());
        // The last place on the way that has nodes; those before it have some as well.
        let (mut known, mut unknown) = (0, below.len() + 1);
        while known + 1 < unknown {
            let middle = known.midpoint(unknown);
            *if nodes_at(middle).is_empty() { &mut unknown } else { &mut known } = middle;
        }
        let said: Vec<SchemaId> = nodes_at(known).iter().filter_map(says).collect();
        said.is_empty() || below.get(known).is_some_and(|step| said.iter().any(|id| self.leaves_open(*id, step)))
    }

    /// Whether a map may have a key that it does not declare.
    fn leaves_open(&self, id: SchemaId, step: &Step) -> bool {
        match (&self.schema.node(id).map, step) {
            (Some(map), Step::Key(key)) => matches!(map.child(key), KeyChild::Free),
            (None, Step::Key(_)) => self.schema.node(id).kinds.has(Kinds::MAP),
            _ => false,
        }
    }

    /// The nodes that apply at the end of a path from the document's root.
    pub fn nodes_at(&self, path: &[Step]) -> Vec<SchemaId> {
        let steps = self.below(path);
        steps.map(|steps| self.schema.nodes_at_written(self.node, &steps, &self.written)).unwrap_or_default()
    }
}

/// What the entry at the cursor says about the map that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtCursor {
    /// Nothing but that the key is there: it is being typed.
    Typed,
    /// Like [`governing`], and in a schema what may be written in it is known.
    Offered,
    /// What is written.
    Read,
}

impl AtCursor {
    fn is_typed(self) -> bool {
        self != AtCursor::Read
    }
}

/// Like [`governing`], for what is offered: in schemas, the schema that they have to fit themselves.
pub(crate) fn governing_offered(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    document: Option<Document<'_>>,
    path: &[Step],
    offset: usize,
) -> Option<Governing> {
    governing_at(snapshot, file, tree, document, (path, offset), AtCursor::Offered)
}

/// Like [`governing`], where nothing is being typed: what is written at the cursor excludes alternatives as well.
pub(crate) fn governing_read(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    document: Option<Document<'_>>,
    path: &[Step],
    offset: usize,
) -> Option<Governing> {
    governing_at(snapshot, file, tree, document, (path, offset), AtCursor::Read)
}

/// The schema for the value at the end of `path` in `document`; `None` if there is none, and in schemas. In a template it is
/// the schema of the resource that is written there, which what is rendered has to fit. `document` is `None` in a text without any document; `offset` is the cursor, which
/// distinguishes items of one array.
pub(crate) fn governing(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    document: Option<Document<'_>>,
    path: &[Step],
    offset: usize,
) -> Option<Governing> {
    governing_at(snapshot, file, tree, document, (path, offset), AtCursor::Typed)
}

fn governing_at(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    document: Option<Document<'_>>,
    (path, offset): (&[Step], usize),
    at_cursor: AtCursor,
) -> Option<Governing> {
    let governed = match snapshot.kind(file) {
        FileKind::PlainValues => true,
        // A file with data values has no other documents, except while one is being typed.
        FileKind::DataValues => document_kind(tree, document?, None) == DocumentKind::Values,
        FileKind::Parts => {
            let part = document.and_then(|document| part(snapshot, file, document, (path, offset), at_cursor));
            // Where nothing is written yet there is no part.
            return part.or_else(|| snapshot.named_schema(file).map(Governing::whole));
        }
        // What a function makes belongs where it is called.
        FileKind::Template if !is_in_function(snapshot, file, offset) => {
            return part(snapshot, file, document?, (path, offset), at_cursor);
        }
        _ => false,
    };
    if !governed {
        return None;
    }
    let schema = snapshot.association(file).schema.as_ref().map(|schema| schema.schema.clone());
    schema.or_else(|| snapshot.named_schema(file)).map(Governing::whole)
}

/// Whether a function of code surrounds a place: its content belongs where it is called, not where it is written.
pub(crate) fn is_in_function(snapshot: &Snapshot, file: FileId, offset: usize) -> bool {
    let code = snapshot.code(file);
    let mut scopes = code.functions.iter().filter_map(|function| code.scopes.get(function.scope.0 as usize));
    scopes.any(|scope| scope.range.start <= offset && offset < scope.range.end)
}

/// The innermost governed part that the path leads into; of several in one array the last one that begins above.
fn part(
    snapshot: &Snapshot,
    file: FileId,
    document: Document<'_>,
    (path, offset): (&[Step], usize),
    at_cursor: AtCursor,
) -> Option<Governing> {
    let range = document.range();
    let leads_here = |part: &Governed| {
        range.start <= part.key.start
            && part.key.start < range.end.max(range.start + 1)
            && (part.at.is_empty() || part.key.start <= offset)
            && part.at.len() <= path.len()
            && part.at.iter().zip(path).all(|(at, step)| match (at, step) {
                (Step::Key(at), Step::Key(key)) => at == key,
                (Step::Index(_) | Step::Item, Step::Item) => true,
                _ => false,
            })
    };
    let parts = snapshot.governed_at(file, range.start, offset);
    // What is written in a schema is shown as what it declares.
    let parts = parts.into_iter().filter(|part| at_cursor == AtCursor::Offered || !part.is_notation);
    let part = parts.filter(leads_here).max_by_key(|part| (part.at.len(), part.key.start))?;
    let profile = snapshot.profile(file);
    let has_items = path.contains(&Step::Item);
    let indices = if has_items { indices(document, profile, (path, offset)) } else { Vec::new() };
    let (tree, path, above) = (snapshot.tree(file), path.to_vec(), part.at.len());
    let written = WrittenPath::new(move || {
        let document = tree.document_at(range.start).map(|(_, document)| document);
        document
            .map(|document| written(&tree, document, profile, (&path, offset), above, at_cursor))
            .unwrap_or_default()
    });
    Some(Governing { schema: part.schema, node: part.node, above, written, indices })
}

/// How many entries of one map are looked at: maps whose keys distinguish alternatives are small.
const ENTRIES: usize = 500;

/// Whether a list says which values a node accepts.
pub(crate) fn is_listed(schema: &Schema, id: SchemaId) -> bool {
    let listed = |kind: &ConstraintKind| matches!(kind, ConstraintKind::OneOf(_));
    schema.node(id).constraints.iter().any(|found| listed(&found.kind) && !found.conditional)
}

/// How many items are counted: schemas list only the first ones, if any.
const ITEMS: usize = 64;

/// The keys and scalars in the maps along a path, without those this many levels below the document's root. The entry at
/// the cursor is left out, because it is being typed.
fn written(
    tree: &Tree,
    document: Document<'_>,
    profile: Profile,
    (path, offset): (&[Step], usize),
    above: usize,
    at_cursor: AtCursor,
) -> Vec<WrittenKeys> {
    let keys_at = |(number, value): (usize, Value<'_>)| {
        let mut known = keys(tree, value, profile, offset, at_cursor);
        // The entry around the cursor is there, whatever becomes of its value.
        if let Some(Step::Key(key)) = path.get(number).filter(|_| at_cursor.is_typed()) {
            known.insert(Key::from(key.to_string().as_str()), None);
        }
        known
    };
    values_along(document, profile, (path, offset)).enumerate().skip(above).map(keys_at).collect()
}

/// For each step of a path, the index of the item that it leads to.
fn indices(document: Document<'_>, profile: Profile, (path, offset): (&[Step], usize)) -> Vec<Option<usize>> {
    let index = |(step, value): (&Step, Value<'_>)| (*step == Step::Item).then(|| index_in(value, offset)).flatten();
    path.iter().zip(values_along(document, profile, (path, offset))).map(index).collect()
}

/// The values on the way along a path, from the document's root to the last one that is there.
fn values_along<'d>(
    document: Document<'d>,
    profile: Profile,
    (path, offset): (&[Step], usize),
) -> impl Iterator<Item = Value<'d>> {
    let mut steps = path.iter();
    let next = move |value: &Value<'d>| below(*value, profile, steps.next()?, offset);
    std::iter::successors(document.root(), next)
}

/// The keys and scalars of a map.
pub(crate) fn written_keys(tree: &Tree, value: Value<'_>, profile: Profile) -> WrittenKeys {
    // No entry is being typed there.
    keys(tree, value, profile, usize::MAX, AtCursor::Read)
}

fn keys(tree: &Tree, value: Value<'_>, profile: Profile, offset: usize, at_cursor: AtCursor) -> WrittenKeys {
    let is_typed = |entry: &Entry<'_>| {
        let range = entry.node().range();
        // What follows on later lines belongs to nothing yet.
        let is_on_line = || {
            let end = entry.node().content_end();
            offset <= end || !tree.text(end..offset).contains('\n')
        };
        at_cursor.is_typed() && range.start <= offset && offset <= range.end && is_on_line()
    };
    let entries = value.map().into_iter().flat_map(|map| map.entries()).take(ENTRIES);
    let with_scalar = |entry: Entry<'_>| {
        let key = key_of(profile, entry.key()?)?;
        let scalar = scalar_of(profile, entry.value());
        Some((Key::from(key.to_string().as_str()), scalar))
    };
    entries.filter(|entry| !is_typed(entry)).filter_map(with_scalar).collect()
}

/// The value of a scalar; None for collections, and for tags that do not apply.
fn scalar_of(profile: Profile, value: Value<'_>) -> Option<NodeValue> {
    let tag = value.tag();
    let tag = tag.as_ref().map(|tag| tag.text());
    let scalar = value.scalar()?;
    Some(match resolve(profile, &scalar, tag.as_deref()).ok()? {
        Resolved::Null => NodeValue::Null,
        Resolved::Bool(value) => NodeValue::Bool(value),
        Resolved::Int(value) => NodeValue::int(value),
        Resolved::Float(value) => NodeValue::Float(value),
        Resolved::String => NodeValue::String(scalar.value().as_ref().into()),
    })
}

/// The scalar at the end of a path.
pub(crate) fn scalar_at(document: Document<'_>, profile: Profile, path: &[Step], offset: usize) -> Option<NodeValue> {
    let mut value = document.root()?;
    for step in path {
        value = below(value, profile, step, offset)?;
    }
    scalar_of(profile, value)
}

/// The items of the array at the end of a path, apart from the one at an offset of a line: their values, if they are
/// scalars. Of a long array only the first.
pub(crate) fn items_besides(
    document: Document<'_>,
    profile: Profile,
    path: &[Step],
    (line_start, offset): (usize, usize),
) -> Vec<Option<NodeValue>> {
    let mut value = document.root();
    for step in path {
        value = value.and_then(|value| below(value, profile, step, offset));
    }
    let Some(seq) = value.and_then(|value| value.seq()) else { return Vec::new() };
    let is_other = |item: &Item<'_>| {
        let start = item.node().range().start;
        // After a dash on the line nothing may be written yet.
        let is_begun = !seq.is_flow() && line_start <= start;
        offset < start || !(is_begun || offset <= item.node().content_end())
    };
    seq.items().take(ENTRIES).filter(is_other).map(|item| scalar_of(profile, item.value())).collect()
}

/// The index of the item at an offset, if it is among the first.
fn index_in(value: Value<'_>, offset: usize) -> Option<usize> {
    let seq = value.seq()?;
    if seq.is_flow() {
        // What is between two commas may still be empty.
        let is_above = |element: &Element<'_>| element.range().start < offset;
        let is_comma = |element: &Element<'_>| matches!(element, Element::Token(token) if token.kind() == Kind::Comma);
        let commas = seq.node().children().take_while(is_above).filter(is_comma).take(ITEMS).count();
        return (commas < ITEMS).then_some(commas);
    }
    let begins_above = |item: &Item<'_>| item.node().range().start <= offset;
    let count = seq.items().take(ITEMS + 1).take_while(begins_above).count();
    count.checked_sub(1).filter(|index| *index < ITEMS)
}

fn below<'t>(value: Value<'t>, profile: Profile, step: &Step, offset: usize) -> Option<Value<'t>> {
    let starts_above = |item: &Item<'t>| item.node().range().start <= offset;
    match step {
        Step::Key(key) => {
            let entries = value.map()?.entries().take(ENTRIES);
            entries.filter(|entry| has_key(profile, entry, key)).last().map(|entry| entry.value())
        }
        Step::Item => value.seq()?.items().take_while(starts_above).last().map(|item| item.value()),
        Step::Index(_) | Step::Nowhere => None,
    }
}
