//! Which parts of a file are governed by schemas in parts of other files, which are found by name.

use crate::association::bundles;
use crate::association::json_schemas::{self, named_by};
use crate::association::naming::NamedBy;
use crate::association::no_data::{self, no_data};
use crate::association::state::AssociationState;
use crate::files::claims::{ClaimedSchema, Claims};
use crate::files::file::File;
use lofting_dialect::{Claim, Dialect, Role, SchemaName};
use lofting_document::FileId;
use lofting_memo::Stamp;
use lofting_schema::{Schema, SchemaId, Step};
use lofting_syntax::Document;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A part of a document, with the schema that governs it.
#[derive(Debug, Clone)]
pub struct Governed {
    /// The index of the document in the file.
    pub document: usize,
    /// The path to the part from the document's root; empty for the whole document.
    pub at: Vec<Step>,
    /// The key that holds the part.
    pub key: Range<usize>,
    /// The schema.
    pub schema: Arc<Schema>,
    /// The node of the schema that the part has to fit.
    pub node: SchemaId,
    /// Why this schema governs it.
    pub reason: GovernedBy,
}

/// Why a schema governs a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GovernedBy {
    /// What names the schema.
    pub cause: PartNaming,
    /// The file of the schema.
    pub file: FileId,
}

/// What names the schema of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartNaming {
    /// The part itself: it refers to a document that holds the schema.
    Part(SchemaName),
    /// The part itself: a bundle that something names has the schema of what it is.
    Bundle(NamedBy, String),
    /// The part itself, whose schema is built in.
    BuiltIn(SchemaName),
    /// The naming that applies to the whole file.
    File(NamedBy),
}

impl GovernedBy {
    /// What the schema is called, in a few words, if it has no file that is called so.
    pub fn name(&self) -> Option<String> {
        match &self.cause {
            PartNaming::File(named) | PartNaming::Bundle(named, _) => named.name().map(str::to_owned),
            PartNaming::BuiltIn(SchemaName { kind, name, .. }) | PartNaming::Part(SchemaName { kind, name, .. }) => {
                Some(format!("{kind} {name}"))
            }
        }
    }

    /// One sentence; `shown` is the name of the file.
    pub fn words(&self, shown: &str) -> String {
        match &self.cause {
            PartNaming::File(named) => named.words(shown),
            PartNaming::Bundle(named, schema) => named.words(schema),
            PartNaming::BuiltIn(SchemaName { kind, name, .. }) => {
                format!("It says that it is {kind} {name}, whose schema is part of the program.")
            }
            PartNaming::Part(SchemaName { kind, name, slot, .. }) => {
                format!("It belongs to the {kind} `{name}` (its `{slot}`) in `{shown}`.")
            }
        }
    }
}

/// A part of a file with the schema it refers to; None if there is no such schema.
pub(crate) struct Referring<'f> {
    pub claim: Cow<'f, Claim>,
    pub schema: Option<Arc<ClaimedSchema>>,
    /// Why it is this schema.
    cause: Option<Arc<PartNaming>>,
}

impl Referring<'_> {
    /// Whether others may give values that are missing: Helm compares the values that it has merged.
    pub fn is_merged_later(&self) -> bool {
        matches!(self.cause.as_deref(), Some(PartNaming::File(NamedBy::Chart)))
    }

    /// Whether the schema is one of those that are part of the program, and only the name of the file leads to it.
    pub fn is_built_in_for_name(&self) -> bool {
        matches!(self.cause.as_deref(), Some(PartNaming::File(NamedBy::BuiltIn { .. })))
    }

    /// Whether only the name of the file, which a catalogue knows, leads to the schema.
    pub fn is_by_file_name(&self) -> bool {
        matches!(self.cause.as_deref(), Some(PartNaming::File(by)) if by.pattern_of_catalogue().is_some())
    }
}

/// A schema that governs every document of a file.
pub(crate) struct WholeFile {
    pub schema: Arc<ClaimedSchema>,
    cause: Arc<PartNaming>,
}

impl WholeFile {
    /// A document as a part of the file. None if it has no content.
    pub fn part(&self, document: &Document<'_>, number: usize) -> Option<Referring<'static>> {
        let claim = json_schemas::claim(document, number, &self.schema.name)?;
        Some(Referring {
            claim: Cow::Owned(claim),
            schema: Some(Arc::clone(&self.schema)),
            cause: Some(Arc::clone(&self.cause)),
        })
    }
}

/// The schema that governs every document of a file, if something names one.
pub(crate) fn of_whole(state: &AssociationState, file: &File) -> Option<WholeFile> {
    let (by, schema) = named_by(state, file)?;
    Some(WholeFile { schema, cause: Arc::new(PartNaming::File(by)) })
}

/// All parts of a file that refer to schemas, in the order of the text.
pub(crate) fn referring<'f>(state: &AssociationState, file: &'f File) -> Vec<Referring<'f>> {
    let mut found = Vec::new();
    // What a file says about itself takes precedence over patterns that it matches.
    if let Some(whole) = of_whole(state, file) {
        let documents = file.tree().documents().enumerate();
        return documents.filter_map(|(number, document)| whole.part(&document, number)).collect();
    }
    if json_schemas::has_none(state, file) || no_data(state, file).is_some() {
        return found;
    }
    for Claims { dialect, claims } in file.claims() {
        let mut asked = AskedSchema::default();
        for claim in claims.iter().filter(|claim| claim.role.is_values()) {
            let (cause, schema) = asked.schema_of(state, file, *dialect, &claim.role).unzip();
            found.push(Referring { claim: Cow::Borrowed(claim), schema, cause });
        }
    }
    found
}

/// The schema that was asked for last: a stream has many documents of one kind.
#[derive(Default)]
pub(crate) struct AskedSchema<'f>(Option<(&'f Role, FoundSchema)>);

/// A schema with what names it.
type FoundSchema = Option<(Arc<PartNaming>, Arc<ClaimedSchema>)>;

impl<'f> AskedSchema<'f> {
    /// As [`schema_of`] says, for values of the same file and language at each call.
    pub fn schema_of(
        &mut self,
        state: &AssociationState,
        file: &File,
        dialect: &'static dyn Dialect,
        role: &'f Role,
    ) -> FoundSchema {
        match &self.0 {
            Some((last, found)) if *last == role => found.clone(),
            _ => {
                let found = schema_of(state, file, dialect, role);
                self.0.insert((role, found.map(|(cause, schema)| (Arc::new(cause), schema)))).1.clone()
            }
        }
    }
}

/// The schema that governs values of a language; None if there is none or the part does not consist of values.
pub(crate) fn schema_of(
    state: &AssociationState,
    file: &File,
    dialect: &'static dyn Dialect,
    role: &Role,
) -> Option<(PartNaming, Arc<ClaimedSchema>)> {
    let name = match role {
        Role::Instance(name) | Role::Computed(name) => name,
        Role::Linked(name) => link(state, name)?,
        Role::Schema(_) | Role::Template | Role::Name(_) | Role::Reference(..) | Role::Link(..) => return None,
    };
    let in_workspace = state.shared.schema_names(state).places(name).find_map(|place| place.schema(state));
    if let Some(schema) = in_workspace {
        return Some((PartNaming::Part(schema.name.clone()), schema.clone()));
    }
    let bundled = bundles::schema_of(state, file, dialect, name);
    // What a language itself knows of a kind is more than the built-in definitions of Kubernetes say: those of custom
    // resources are schemas. Only what the user names takes precedence.
    let is_chosen = bundled.as_ref().is_some_and(|(naming, _)| !matches!(naming.by, NamedBy::BuiltInKind { .. }));
    if !is_chosen && let Some(schema) = dialect.built_in(name) {
        let schema = ClaimedSchema::built_in(name.clone(), schema);
        return Some((PartNaming::BuiltIn(name.clone()), Arc::new(schema)));
    }
    bundled.map(|(naming, schema)| (PartNaming::Bundle(naming.by, naming.schema), schema))
}

/// The schema name to which a link with this name leads; the first if there are several.
fn link<'s>(state: &'s AssociationState, asked: &SchemaName) -> Option<&'s SchemaName> {
    state.shared.document_names(state).places(asked).find_map(|place| match &place.claim(state)?.role {
        Role::Link(_, to) => Some(to),
        _ => None,
    })
}

/// All governed parts of a file, in the order of the text.
pub(crate) fn governed(state: &AssociationState, file: &File) -> Vec<Governed> {
    let with_schema = |part: Referring<'_>| {
        let schema = part.schema?;
        Some(Governed {
            document: part.claim.document,
            at: part.claim.at.clone(),
            key: part.claim.key.clone(),
            node: schema.schema.root(),
            schema: schema.schema.clone(),
            reason: GovernedBy { cause: part.cause?.as_ref().clone(), file: schema.file },
        })
    };
    referring(state, file).into_iter().filter_map(with_schema).collect()
}

/// The stamps on which findings in governed parts depend.
pub(crate) fn stamps(state: &AssociationState, file: &File) -> Vec<Stamp> {
    let own = json_schemas::own(state, file).map(|schema| schema.stamp);
    // One that cannot be used may be another one that cannot either.
    let named = json_schemas::named(state, file).map(|named| named.stamp);
    let mut stamps: Vec<Stamp> = match of_whole(state, file) {
        Some(whole) => vec![whole.schema.stamp],
        None => of_parts(&referring(state, file)),
    };
    stamps.extend(own.into_iter().chain(named).chain(no_data::stamps(state, file)));
    stamps
}

/// The stamps of schemas of parts. Of those after each other that refer to the same, which follows from the text, one.
fn of_parts(parts: &[Referring<'_>]) -> Vec<Stamp> {
    let runs = parts.chunk_by(|one, other| one.claim.role == other.claim.role);
    let stamp = |part: &Referring<'_>| part.schema.as_ref().map_or(Stamp::default(), |schema| schema.stamp);
    runs.filter_map(|run| run.first().map(stamp)).collect()
}
