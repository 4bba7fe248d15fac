//! How often the keys of schemas are used: an index over all files, updated for each state from the previous one by
//! looking at the changed files.

use crate::starlark::{callers, code_near};
use lofting_check::{ValuePlace, value_places};
use lofting_document::{FileId, Node, NodeValue, Span};
use lofting_schema::{Schema, SchemaId, Step as SchemaStep};
use lofting_workspace::{CancelFlag, FileKind, SchemaRef, Snapshot};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter;
use std::sync::Arc;

/// In how many files a key of a schema is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uses {
    /// Files that set its value.
    pub values: usize,
    /// Files whose code reads it.
    pub code: usize,
}

/// The files that use a key of a schema, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Users {
    /// Files that set its value.
    pub values: Vec<FileId>,
    /// Files whose code reads it.
    pub code: Vec<FileId>,
}

/// The users of all keys of all schemas, by the place of the key in its schema. Useless after cancellation.
pub fn users_of_keys(snapshot: &Snapshot, cancel: &CancelFlag) -> HashMap<Span, Users> {
    let (of_values, of_parts) =
        (UseIndex::<OF_VALUES>::of(snapshot, cancel), UseIndex::<OF_PARTS>::of(snapshot, cancel));
    let mut files: Vec<(&FileId, &Arc<FileUses>)> = of_values.files.iter().chain(&of_parts.files).collect();
    files.sort_by_cached_key(|(file, _)| snapshot.path(**file).to_owned());
    let mut users: HashMap<Span, Users> = HashMap::new();
    for (file, uses) in files {
        for key in &uses.keys {
            let users = users.entry(*key).or_default();
            if uses.is_code { &mut users.code } else { &mut users.values }.push(*file);
        }
    }
    users
}

/// The schemas of data values.
const OF_VALUES: bool = false;

/// The schemas of parts of files. They govern most files of some workspaces, in which few have data values.
const OF_PARTS: bool = true;

/// The uses of all keys of schemas of one sort, by the position of the key in its schema.
#[derive(Default)]
pub(crate) struct UseIndex<const SORT: bool> {
    uses: HashMap<Span, Uses>,
    /// What each file contributes.
    files: HashMap<FileId, Arc<FileUses>>,
}

/// What one file uses.
struct FileUses {
    /// Its inputs: it stays the same as long as these do.
    from: Made,
    keys: Vec<Span>,
    is_code: bool,
}

/// Everything that decides what a file uses.
#[derive(PartialEq)]
struct Made {
    /// The revisions of the file and of those that call its functions.
    revisions: Vec<(FileId, u64)>,
    /// The schemas that it was read by.
    schemas: Vec<SchemaParts>,
}

/// A schema, held so that no other gets its address, and the part of a file that it governs.
struct SchemaParts(Arc<Schema>);

impl PartialEq for SchemaParts {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// How often the key is used that a schema declares at a place. The result is useless after cancellation.
pub(crate) fn uses_of_key(snapshot: &Snapshot, declared: Span, cancel: &CancelFlag) -> Uses {
    let uses = match snapshot.kind(declared.file) {
        FileKind::Schema => UseIndex::<OF_VALUES>::of(snapshot, cancel).uses.get(&declared).copied(),
        _ => UseIndex::<OF_PARTS>::of(snapshot, cancel).uses.get(&declared).copied(),
    };
    uses.unwrap_or_default()
}

impl<const SORT: bool> UseIndex<SORT> {
    /// The index of a state. The result is useless after cancellation.
    fn of(snapshot: &Snapshot, cancel: &CancelFlag) -> Arc<Self> {
        snapshot.derived(|last: Option<Arc<Self>>| {
            let last = last.unwrap_or_default();
            let mut index = Self::default();
            for file in snapshot.files().filter(|file| SORT == OF_PARTS || snapshot.may_use_schema(*file)) {
                if cancel.is_cancelled() {
                    return None;
                }
                if (snapshot.kind(file) == FileKind::Parts) != (SORT == OF_PARTS) {
                    continue;
                }
                let Some(found) = file_uses(snapshot, file, last.files.get(&file)) else { continue };
                for key in &found.keys {
                    let uses = index.uses.entry(*key).or_default();
                    let count = if found.is_code { &mut uses.code } else { &mut uses.values };
                    *count += 1;
                }
                index.files.insert(file, found);
            }
            Some(index)
        })
    }
}

/// What a file uses, or the previous result if that is the same.
fn file_uses(snapshot: &Snapshot, file: FileId, last: Option<&Arc<FileUses>>) -> Option<Arc<FileUses>> {
    let kind = snapshot.kind(file);
    let is_code = matches!(kind, FileKind::Template | FileKind::Library | FileKind::Other);
    let parts = match kind {
        FileKind::Parts => snapshot.governed(file),
        _ => Vec::new(),
    };
    let refs: Vec<SchemaRef> = match kind {
        FileKind::DataValues | FileKind::PlainValues => snapshot.association(file).schemas().cloned().collect(),
        FileKind::Template | FileKind::Library | FileKind::Other => snapshot.reads(file).schemas.clone(),
        FileKind::Schema | FileKind::Configuration | FileKind::Parts => Vec::new(),
    };
    let schemas = refs.iter().map(|schema| &schema.schema).chain(parts.iter().map(|part| &part.schema));
    let schemas: Vec<SchemaParts> = schemas.map(|schema| SchemaParts(schema.clone())).collect();
    if schemas.is_empty() {
        return None;
    }
    let callers = if is_code { callers(snapshot, file) } else { Vec::new() };
    let revisions = iter::once(file).chain(callers).map(|file| (file, snapshot.revision(file))).collect();
    let from = Made { revisions, schemas };
    if let Some(last) = last.filter(|last| last.from == from) {
        return Some(last.clone());
    }
    let mut keys = HashSet::new();
    if is_code {
        let code = code_near(snapshot, file);
        for schema in &refs {
            let places = value_places(&code.values, &schema.schema);
            let used: BTreeSet<_> = code.values.uses.iter().map(|used| used.path).collect();
            for path in used {
                if let Some(ValuePlace::Declared(id)) = places.get(path.0 as usize) {
                    keys.insert(schema.schema.node(*id).declared.name);
                }
            }
        }
    } else {
        let documents = snapshot.lowered(file);
        for schema in &refs {
            let is_values = |document: &&lofting_document::Document| {
                kind == FileKind::PlainValues || document.is_data_values() && !document.notes.has("library/ref")
            };
            for document in documents.documents.iter().filter(is_values) {
                keys_of(&schema.schema, &document.value, schema.schema.root(), &mut keys);
            }
        }
        for part in &parts {
            let value = documents.documents.get(part.document).map(|document| &document.value);
            let value = part.at.iter().try_fold(value?, |value, step| match (&value.value, step) {
                (NodeValue::Map(items), SchemaStep::Key(key)) => items.value(key),
                (NodeValue::Array(items), SchemaStep::Index(index)) => items.get(*index).map(|item| &item.value),
                _ => None,
            });
            if let Some(value) = value {
                keys_of(&part.schema, value, part.node, &mut keys);
            }
        }
    }
    Some(Arc::new(FileUses { from, keys: keys.into_iter().collect(), is_code }))
}

/// The declarations of the keys in a value that a node applies to.
fn keys_of(schema: &Schema, value: &Node, node: SchemaId, found: &mut HashSet<Span>) {
    let mut open = vec![(value, vec![node])];
    while let Some((value, nodes)) = open.pop() {
        lofting_memo::step();
        let below = |step: SchemaStep| -> Vec<SchemaId> {
            let children = nodes.iter().flat_map(|node| schema.children(*node, &step));
            children.flat_map(|child| schema.speaking(child.schema)).collect()
        };
        match &value.value {
            NodeValue::Map(items) => {
                for item in items.iter() {
                    let below = below(SchemaStep::Key(item.key.clone()));
                    found.extend(below.iter().map(|id| schema.node(*id).declared.name));
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
