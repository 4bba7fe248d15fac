//! What is known about the value at a place, as data for programs: its schema, what is written there, and what becomes of
//! it. [`crate::hover`] has the same in words, and names things that are not values.

use crate::effective::{KeyPlace, chain};
use crate::governing::governing;
use crate::pages::declared_at;
use crate::path::Step;
use crate::target::{Target, target_at};
use lofting_document::{FileId, Key, Node, NodeValue, Span};
use lofting_schema::{Schema, SchemaId, export};
use lofting_syntax::{Entry, Item, Kind, Seq, Tree};
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

mod parts;
mod paths;
#[cfg(test)]
mod tests;

pub use parts::{SchemaPart, schema_parts};
pub use paths::{schema_nodes, value_at_path};

/// A value, or the place of one.
#[derive(Debug, Clone)]
pub struct ValueAt {
    /// The path in its document, `service.ports[0].port`; empty for the document itself.
    pub path: String,
    /// The bytes of its key, or of what stands for it; None if it is not written in the file.
    pub range: Option<Range<usize>>,
    /// What is written; None if nothing is, or nothing is known before code runs.
    pub written: Option<Node>,
    /// The nodes of the schema that say something about it.
    pub described: Vec<DescribedBy>,
    /// What the value becomes in the calls that the file is part of. Only for data values.
    pub finals: Vec<FinalValue>,
}

/// A node of a schema, for programs.
#[derive(Debug, Clone)]
pub struct DescribedBy {
    /// The type in words: `integer or null`.
    pub kind: String,
    /// A map above requires it.
    pub required: bool,
    /// The node as JSON Schema, with the nodes below it.
    pub json_schema: Node,
    /// Where it is declared; None if that is not a file.
    pub declared: Option<Span>,
    /// Where the schema comes from, in words, if it is part of the program.
    pub built_in: Option<String>,
}

/// The value of one call.
#[derive(Debug, Clone)]
pub struct FinalValue {
    /// The input set, if it has a name.
    pub set: Option<String>,
    /// The values file that distinguishes the call from others of its set.
    pub with: Option<FileId>,
    /// The call is known; otherwise only the file and its schema are.
    pub known: bool,
    /// The value, then those whose place it took, the last one first.
    pub layers: Vec<Layer>,
}

/// A value and the place that gives it.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The value.
    pub value: Node,
    /// Where it is written.
    pub place: Span,
    /// It is the default of a schema.
    pub is_default: bool,
}

/// How many levels below a node are described with it.
const LEVELS: usize = 1;

/// The maximum number of nodes of a schema, of calls, and of values that took each other's place are listed.
const MOST: usize = 20;

/// What is known about the key, value or item at `offset` (bytes); None if nothing is there.
pub fn value_at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<ValueAt> {
    if snapshot.kind(file) == FileKind::Configuration {
        return None;
    }
    let tree = snapshot.tree(file);
    let target = target_at(&tree, snapshot.profile(file), offset)?;
    let (schema, ids, path) = nodes(snapshot, file, &tree, &target, offset)?;
    let steps = written_steps(&tree, &target);
    let number = target.document.map_or(0, |document| number_of(&tree, document.range().start));
    let is_value = path.len() == target.path.len();
    let written = is_value.then(|| found_below(snapshot, file, number, &steps)).flatten();
    let place = KeyPlace { file, key: target.key.map_or(target.range.clone(), |key| key.content_range()) };
    let finals =
        if is_value { finals(snapshot, file, |values| place.find(values, &target.path).cloned()) } else { Vec::new() };
    let required = is_required(snapshot, file, &tree, &target, offset);
    let described = schema.iter().flat_map(|schema| described(snapshot, schema, &ids, required)).collect();
    Some(ValueAt { path: shown(&steps), range: Some(target.range.clone()), written, described, finals })
}

type Nodes = (Option<Arc<Schema>>, Vec<SchemaId>, Vec<Step>);

/// The nodes that describe the target, as for a hover.
fn nodes(snapshot: &Snapshot, file: FileId, tree: &Tree, target: &Target<'_>, offset: usize) -> Option<Nodes> {
    if let Some(governing) = governing(snapshot, file, tree, target.document, &target.path, offset) {
        let (ids, path) = target.schemas(&governing);
        return Some((Some(governing.schema), ids, path));
    }
    let own = (snapshot.kind(file) == FileKind::Schema).then(|| snapshot.association(file).schema.clone()).flatten();
    let own = own.map(|schema| schema.schema);
    let declares = |schema: Arc<Schema>| declared_at(&schema, file, target).map(|id| (schema, id));
    let found = own.into_iter().chain(snapshot.schemas_in(file)).find_map(declares);
    let (schema, ids) = found.map_or((None, Vec::new()), |(schema, id)| (Some(schema), vec![id]));
    Some((schema, ids, target.path.clone()))
}

/// Whether a map above the target requires its key.
fn is_required(snapshot: &Snapshot, file: FileId, tree: &Tree, target: &Target<'_>, offset: usize) -> bool {
    let Some((Step::Key(key), above)) = target.path.split_last() else { return false };
    let governing = governing(snapshot, file, tree, target.document, above, offset);
    governing.is_some_and(|governing| requires(&governing.schema, &governing.nodes_at(above), key))
}

fn requires(schema: &Schema, above: &[SchemaId], key: &Key) -> bool {
    let maps = above.iter().filter_map(|id| schema.node(*id).map.as_deref());
    maps.into_iter().any(|map| map.required.contains(key) || map.get(key).is_some_and(|declared| declared.required))
}

fn described(snapshot: &Snapshot, schema: &Schema, ids: &[SchemaId], required: bool) -> Vec<DescribedBy> {
    let one = |id: &SchemaId| {
        let declared = schema.node(*id).declared.name;
        DescribedBy {
            kind: schema.type_words(*id),
            required,
            json_schema: export::json_schema_of(schema, *id, LEVELS),
            declared: snapshot.is_file(declared.file).then_some(declared),
            built_in: snapshot.built_in_words(declared.file),
        }
    };
    ids.iter().take(MOST).map(one).collect()
}

/// The value that `find` finds in the final ones of each call.
fn finals(snapshot: &Snapshot, file: FileId, find: impl Fn(&Node) -> Option<Node>) -> Vec<FinalValue> {
    if !matches!(snapshot.kind(file), FileKind::DataValues | FileKind::PlainValues) {
        return Vec::new();
    }
    let is_default = |span: Span| snapshot.kind(span.file) == FileKind::Schema;
    let layer = |node: &Node| {
        let mut value = node.clone();
        value.replaced = None;
        Layer { value, place: snapshot.placed(node.span), is_default: is_default(node.span) }
    };
    let of_call = |call: &lofting_workspace::Merged| {
        let last = find(call.values())?;
        Some(FinalValue {
            set: call.set.as_deref().map(str::to_owned),
            with: call.alternative,
            known: call.known,
            layers: chain(&last).take(MOST).map(layer).collect(),
        })
    };
    snapshot.merged(file).iter().take(MOST).filter_map(of_call).collect()
}

/// The number of the document that begins at an offset.
fn number_of(tree: &Tree, start: usize) -> usize {
    tree.documents().take_while(|document| document.range().start < start).count()
}

/// The steps from the root of the document to the target, with indexes of items.
fn written_steps(tree: &Tree, target: &Target<'_>) -> Vec<Step> {
    let mut keys = target.path.iter().filter_map(|step| match step {
        Step::Key(key) => Some(key.clone()),
        Step::Index(_) | Step::Item | Step::Nowhere => None,
    });
    let mut steps = Vec::new();
    let nodes = tree.path_at(target.range.start);
    for (above, node) in nodes.iter().zip(nodes.iter().skip(1)) {
        match node.kind() {
            Kind::MapEntry if Entry::cast(*node).is_some() => steps.extend(keys.next().map(Step::Key)),
            Kind::SeqEntry => {
                let items = Seq::cast(*above).into_iter().flat_map(|seq| seq.items());
                let before = |item: &Item<'_>| item.range().start < node.range().start;
                steps.push(Step::Index(items.take_while(before).count()));
            }
            _ => {}
        }
    }
    steps.truncate(target.path.len());
    steps
}

/// The value at the end of the steps in a document of the file.
fn found_below(snapshot: &Snapshot, file: FileId, document: usize, steps: &[Step]) -> Option<Node> {
    let documents = snapshot.lowered(file);
    let root = &documents.documents.get(document)?.value;
    let found = steps.iter().try_fold(root, one_below)?;
    (!matches!(found.value, NodeValue::Unknown)).then(|| found.clone())
}

fn one_below<'n>(node: &'n Node, step: &Step) -> Option<&'n Node> {
    match (step, &node.value) {
        (Step::Key(key), _) => node.get(key),
        (Step::Index(index), NodeValue::Array(items)) => items.get(*index).map(|item| &item.value),
        _ => None,
    }
}

/// The path as findings name it; empty for the document.
fn shown(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Key(key) if text.is_empty() => text.push_str(&key.to_string()),
            Step::Key(key) => text.push_str(&format!(".{key}")),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
            // A written value has a key or an index.
            Step::Item | Step::Nowhere => text.push_str("[]"),
        }
    }
    text
}
