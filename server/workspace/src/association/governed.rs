//! Which parts of a file are governed by schemas that are parts of other files, found by name.

use crate::association::linked::{self, named_by};
use crate::association::parts::{Claims, PartSchema};
use crate::files::file::File;
use crate::state::State;
use lofting_dialect::{Claim, Role, SchemaName};
use lofting_document::{FileId, Span};
use lofting_memo::Stamp;
use lofting_schema::{Schema, SchemaId, Step};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::borrow::Cow;
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

/// The document that a part of another refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GovernedBy {
    /// What the part refers to.
    pub name: SchemaName,
    /// The file of the schema.
    pub file: FileId,
}

impl GovernedBy {
    /// One sentence; `shown` is the name of the file.
    pub fn words(&self, shown: &str) -> String {
        let SchemaName { kind, name, slot, .. } = &self.name;
        if slot.is_empty() {
            return format!("Its {kind} names the JSON Schema `{shown}`.");
        }
        format!("It belongs to the {kind} `{name}` (its `{slot}`) in `{shown}`.")
    }
}

/// What a name is looked up by; namespaces are compared among those that are found.
type Key = (SmolStr, SmolStr, &'static str);

/// Schemas that are parts of files, by name.
#[derive(Default)]
pub(crate) struct PartIndex(FxHashMap<Key, Named>);

/// Schemas of one name.
struct Named {
    first: Arc<PartSchema>,
    /// The first of each namespace, and of those that give none.
    by_namespace: FxHashMap<Option<SmolStr>, Arc<PartSchema>>,
}

impl PartIndex {
    /// Of all files of a state.
    pub fn of(state: &State) -> PartIndex {
        let mut index = PartIndex::default();
        let files = state.index.part_schemas().filter_map(|id| state.file(id));
        for schema in files.flat_map(|file| file.part_schemas()) {
            let none = || Named { first: schema.clone(), by_namespace: FxHashMap::default() };
            let named = index.0.entry(key(&schema.name)).or_insert_with(none);
            named.by_namespace.entry(schema.name.namespace.clone()).or_insert_with(|| schema.clone());
        }
        index
    }

    /// The schema that a name refers to: the one of its namespace, then one that gives none; for a name without
    /// namespace the first.
    fn find(&self, asked: &SchemaName) -> Option<&Arc<PartSchema>> {
        let named = self.0.get(&key(asked))?;
        let own = named.by_namespace.get(&asked.namespace).or_else(|| named.by_namespace.get(&None));
        own.or_else(|| asked.namespace.is_none().then_some(&named.first))
    }
}

fn key(name: &SchemaName) -> Key {
    (name.kind.clone(), name.name.clone(), name.slot)
}

/// Where names lead whose document names a schema of another one.
#[derive(Default)]
pub(crate) struct Links(FxHashMap<Key, Vec<(FileId, usize, usize)>>);

impl Links {
    /// Of all files of a state. Every file with parts is looked at: only who meets a name that is none of a schema asks.
    pub fn of(state: &State) -> Links {
        let mut links = Links::default();
        for file in state.files.iter().filter(|file| file.facts.parts && file.exists()) {
            for (language, claims) in file.claims().iter().enumerate() {
                for (number, claim) in claims.claims.iter().enumerate() {
                    if let Role::Link(name, _) = &claim.role {
                        links.0.entry(key(name)).or_default().push((file.id, language, number));
                    }
                }
            }
        }
        links
    }

    /// What a name leads to; of several the first.
    fn find<'s>(&self, state: &'s State, asked: &SchemaName) -> Option<&'s SchemaName> {
        self.0.get(&key(asked))?.iter().find_map(|(file, language, number)| {
            match &state.file(*file)?.claims().get(*language)?.claims.get(*number)?.role {
                Role::Link(name, to) if name.answers(asked) => Some(to),
                _ => None,
            }
        })
    }
}

/// A part of a file and the schema it refers to; none: there is no such schema.
pub(crate) struct Referring<'f> {
    pub claim: Cow<'f, Claim>,
    pub schema: Option<Arc<PartSchema>>,
}

/// All parts of a file that refer to schemas, in the order of the text.
pub(crate) fn referring<'f>(state: &State, file: &'f File) -> Vec<Referring<'f>> {
    let mut found = Vec::new();
    // What a file says about itself goes before what it is like.
    if let Some(schema) = named_by(state, file) {
        let claims = linked::claims(file, &schema.name).into_iter();
        return claims.map(|claim| Referring { claim: Cow::Owned(claim), schema: Some(schema.clone()) }).collect();
    }
    for Claims { claims, .. } in file.claims() {
        for claim in claims.iter().filter(|claim| claim.role.is_values()) {
            let schema = schema_of(state, &claim.role).cloned();
            found.push(Referring { claim: Cow::Borrowed(claim), schema });
        }
    }
    found
}

/// The schema that governs values; none: there is none, or the part is something else.
pub(crate) fn schema_of<'s>(state: &'s State, role: &'s Role) -> Option<&'s Arc<PartSchema>> {
    let name = match role {
        Role::Instance(name) | Role::Computed(name) => name,
        Role::Linked(name) => state.shared.links(state).find(state, name)?,
        Role::Schema(_) | Role::Template | Role::Name(_) | Role::Reference(_) | Role::Link(..) => return None,
    };
    state.shared.parts(state).find(name)
}

/// All governed parts of a file, in the order of the text.
pub(crate) fn governed(state: &State, file: &File) -> Vec<Governed> {
    let with_schema = |part: Referring<'_>| {
        let schema = part.schema?;
        Some(Governed {
            document: part.claim.document,
            at: part.claim.at.clone(),
            key: part.claim.key.clone(),
            node: schema.schema.root(),
            schema: schema.schema.clone(),
            reason: GovernedBy { name: schema.name.clone(), file: schema.file },
        })
    };
    referring(state, file).into_iter().filter_map(with_schema).collect()
}

/// The name of another document at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Referent {
    /// The bytes of the name in the reference.
    pub origin: Range<usize>,
    /// The name in the document itself; of several documents all.
    pub names: Vec<Span>,
}

/// The documents that the reference at an offset leads to; none where no reference stands.
pub(crate) fn referent(state: &State, file: &File, offset: usize) -> Option<Referent> {
    let holds = |claim: &&Claim| claim.key.start <= offset && offset <= claim.key.end;
    let (asked, origin) =
        file.claims().iter().flat_map(|claims| &claims.claims).filter(holds).find_map(|claim| match &claim.role {
            Role::Reference(name) => Some((name, claim.key.clone())),
            _ => None,
        })?;
    let mut names = Vec::new();
    for other in state.files.iter().filter(|file| file.facts.parts && file.exists()) {
        for claim in other.claims().iter().flat_map(|claims| &claims.claims) {
            if matches!(&claim.role, Role::Name(name) if name.answers(asked)) {
                names.push(Span::new(other.id, claim.key.clone()));
            }
        }
    }
    Some(Referent { origin, names })
}

/// What findings in governed parts depend on.
pub(crate) fn stamps(state: &State, file: &File) -> Vec<Stamp> {
    let stamp = |part: &Referring<'_>| part.schema.as_ref().map_or(Stamp::default(), |schema| schema.stamp);
    referring(state, file).iter().map(stamp).collect()
}
