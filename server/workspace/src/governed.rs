//! Which parts of a file are governed by schemas that are parts of other files, found by name.

use crate::file::File;
use crate::parts::{Claims, PartSchema};
use crate::stamp::Stamp;
use crate::state::State;
use lofting_dialect::{Role, SchemaName};
use lofting_document::FileId;
use lofting_schema::{Schema, SchemaId, Step};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A part of a document with the schema that governs it.
#[derive(Debug, Clone)]
pub struct Governed {
    /// The document's number in the file.
    pub document: usize,
    /// The way to the part from the document's root; empty: the whole document.
    pub at: Vec<Step>,
    /// The key that holds the part.
    pub key: Range<usize>,
    /// The schema.
    pub schema: Arc<Schema>,
    /// The node that the part has to fit.
    pub node: SchemaId,
    /// Why it is this schema.
    pub reason: GovernedBy,
}

/// The document that a part of another refers to. `Display` is one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GovernedBy {
    /// What the part refers to.
    pub name: SchemaName,
    /// The file of the schema.
    pub file: FileId,
    /// The same, as shown to the user.
    pub shown: String,
}

impl fmt::Display for GovernedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GovernedBy { name: SchemaName { kind, name, slot, .. }, shown, .. } = self;
        write!(f, "It belongs to the {kind} `{name}` (its `{slot}`) in `{shown}`.")
    }
}

/// What a name is looked up by; namespaces are compared among those that are found.
type Key = (SmolStr, SmolStr, &'static str);

/// Schemas that are parts of files, by name.
#[derive(Default)]
pub(crate) struct PartIndex(FxHashMap<Key, Vec<Arc<PartSchema>>>);

impl PartIndex {
    /// Of all files of a state.
    pub fn of(state: &State) -> PartIndex {
        let mut index = PartIndex::default();
        let files = state.index.part_schemas().filter_map(|id| state.file(id));
        for schema in files.flat_map(|file| file.part_schemas()) {
            index.0.entry(key(&schema.name)).or_default().push(schema.clone());
        }
        index
    }

    /// The schema that a name refers to. Of several the one that gives the namespace, then the first.
    fn find(&self, asked: &SchemaName) -> Option<&Arc<PartSchema>> {
        let found = self.0.get(&key(asked))?;
        let answers = || found.iter().filter(|schema| schema.name.answers(asked));
        answers().find(|schema| schema.name.namespace == asked.namespace).or_else(|| answers().next())
    }
}

fn key(name: &SchemaName) -> Key {
    (name.kind.clone(), name.name.clone(), name.slot)
}

/// A part of a file and the schema it refers to; none: there is no such schema.
pub(crate) struct Referring<'f> {
    pub claim: &'f lofting_dialect::Claim,
    pub schema: Option<Arc<PartSchema>>,
}

/// All parts of a file that refer to schemas, in the order of the text.
pub(crate) fn referring<'f>(state: &State, file: &'f File) -> Vec<Referring<'f>> {
    let mut found = Vec::new();
    for Claims { claims, .. } in file.claims() {
        for claim in claims {
            let Role::Instance(name) = &claim.role else { continue };
            found.push(Referring { claim, schema: state.shared.parts(state).find(name).cloned() });
        }
    }
    found
}

/// All governed parts of a file, in the order of the text.
pub(crate) fn governed(state: &State, file: &File) -> Vec<Governed> {
    let with_schema = |part: Referring<'_>| {
        let schema = part.schema?;
        let shown = state.file(schema.file).map(|file| state.shown(&file.path)).unwrap_or_default();
        Some(Governed {
            document: part.claim.document,
            at: part.claim.at.clone(),
            key: part.claim.key.clone(),
            node: schema.schema.root(),
            schema: schema.schema.clone(),
            reason: GovernedBy { name: schema.name.clone(), file: schema.file, shown },
        })
    };
    referring(state, file).into_iter().filter_map(with_schema).collect()
}

/// What findings in governed parts depend on.
pub(crate) fn stamps(state: &State, file: &File) -> Vec<Stamp> {
    let stamp = |part: &Referring<'_>| part.schema.as_ref().map_or(Stamp::default(), |schema| schema.revision);
    referring(state, file).iter().map(stamp).collect()
}
