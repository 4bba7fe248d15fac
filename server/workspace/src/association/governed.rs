//! Which parts of a file are governed by schemas in parts of other files, which are found by name.

use crate::association::bundles;
use crate::association::json_schemas::{self, named_by};
use crate::association::matched_kinds::Matched;
use crate::association::meant_names;
use crate::association::naming::NamedBy;
use crate::association::no_data::{self, no_data};
use crate::association::state::AssociationState;
use crate::files::claims::{ClaimedSchema, Claims, PlacedClaim, PlacedPart};
use crate::files::file::File;
use lofting_dialect::kubernetes::Kubernetes;
use lofting_dialect::{Claim, Dialect, Role, SchemaName};
use lofting_document::FileId;
use lofting_memo::Stamp;
use lofting_schema::{Schema, SchemaId, Step};
use lofting_syntax::Document;
use rustc_hash::FxHashMap;
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
    /// It is a schema itself, and the other one says what may be written in it.
    pub is_notation: bool,
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
pub(crate) struct Referring {
    pub claim: Claim,
    pub schema: Option<Arc<ClaimedSchema>>,
    /// Why it is this schema.
    cause: Option<Arc<PartNaming>>,
}

impl Referring {
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
    pub fn part(&self, document: &Document<'_>, number: usize) -> Option<Referring> {
        let claim = json_schemas::claim(document, number, &self.schema.name)?;
        Some(Referring { claim, schema: Some(Arc::clone(&self.schema)), cause: Some(Arc::clone(&self.cause)) })
    }
}

/// The schema that governs every document of a file, if something names one.
pub(crate) fn of_whole(state: &AssociationState, file: &File) -> Option<WholeFile> {
    let (by, schema) = named_by(state, file)?;
    Some(WholeFile { schema, cause: Arc::new(PartNaming::File(by)) })
}

/// All parts of a file that refer to schemas, in the order of the text; in a template, those of what it renders.
pub(crate) fn referring(state: &AssociationState, file: &File) -> Vec<Referring> {
    let mut found = Vec::new();
    // What a file says about itself takes precedence over patterns that it matches.
    if let Some(whole) = of_whole(state, file) {
        let documents = file.tree().documents().enumerate();
        return documents.filter_map(|(number, document)| whole.part(&document, number)).collect();
    }
    for of_claims in claimed_as_written(state, file) {
        let values = of_claims.claims.iter().filter(|claim| claim.role.is_values());
        found.extend(values.map(|claim| of_claims.referring(&claim)));
    }
    if file.facts.overlays() {
        let mut matched = Matched::new(file);
        for document in file.tree().documents().enumerate() {
            found.extend(of_overlay(state, file, document, &mut matched));
        }
    }
    found
}

/// A document that changes resources of a kind, which it names by what it matches.
fn of_overlay(
    state: &AssociationState,
    file: &File,
    (number, document): (usize, Document<'_>),
    matched: &mut Matched<'_>,
) -> Option<Referring> {
    let name = matched.document(state, number)?;
    let claim = json_schemas::claim(&document, number, &name)?;
    let (cause, schema) = schema_of(state, file, &Kubernetes, &Role::Instance(name))?;
    Some(Referring { claim, schema: Some(schema), cause: Some(Arc::new(cause)) })
}

/// The claims of a language in a file, with the schemas that govern its values.
pub(crate) struct GovernedClaims<'f> {
    pub claims: &'f Claims,
    /// By what the values refer to, in the order of the text.
    schemas: Vec<(&'f Role, FoundSchema)>,
    by_role: FxHashMap<&'f Role, usize>,
}

/// A schema with what names it.
type FoundSchema = Option<(Arc<PartNaming>, Arc<ClaimedSchema>)>;

impl<'f> GovernedClaims<'f> {
    fn of(state: &AssociationState, file: &File, claims: &'f Claims) -> Self {
        let values = claims.roles().iter().map(|role| &**role).filter(|role| role.is_values());
        let schema =
            |role| schema_of(state, file, claims.dialect, role).map(|(cause, schema)| (Arc::new(cause), schema));
        let schemas: Vec<(&Role, FoundSchema)> = values.map(|role| (role, schema(role))).collect();
        let by_role = schemas.iter().enumerate().map(|(at, (role, _))| (*role, at)).collect();
        GovernedClaims { claims, schemas, by_role }
    }

    /// The schema of each kind of values in the file, in the order of the text.
    pub fn schemas(&self) -> impl Iterator<Item = Option<&Arc<ClaimedSchema>>> {
        self.schemas.iter().map(|(_, found)| found.as_ref().map(|(_, schema)| schema))
    }

    /// The schema of each kind of values in a part of the file.
    pub fn schemas_in<'p>(
        &self,
        part: &PlacedPart<'p>,
    ) -> impl Iterator<Item = Option<&Arc<ClaimedSchema>>> + use<'_, 'p, 'f> {
        let values = part.roles().iter().filter(|role| role.is_values());
        values.map(|role| self.found(role).map(|(_, schema)| schema))
    }

    fn found(&self, role: &Role) -> Option<&(Arc<PartNaming>, Arc<ClaimedSchema>)> {
        let (_, found) = self.schemas.get(*self.by_role.get(role)?)?;
        found.as_ref()
    }

    /// Values that are claimed, with their schema.
    pub fn referring(&self, claim: &PlacedClaim<'_>) -> Referring {
        let (cause, schema) = self.found(claim.role).cloned().unzip();
        Referring { claim: claim.to_claim(), schema, cause }
    }
}

/// The languages that claim values in a file, unless something else names the schema of the file.
pub(crate) fn claimed<'f>(state: &AssociationState, file: &'f File) -> Vec<GovernedClaims<'f>> {
    if of_whole(state, file).is_some() || json_schemas::has_none(state, file) || no_data(state, file).is_some() {
        return Vec::new();
    }
    with_schemas(state, file, file.claims())
}

/// Like [`claimed`]; in a template, what is claimed in it as it is written, as what it renders is most likely the same.
fn claimed_as_written<'f>(state: &AssociationState, file: &'f File) -> Vec<GovernedClaims<'f>> {
    let is_template = file.facts.only_template();
    if is_template { with_schemas(state, file, file.claims_as_written()) } else { claimed(state, file) }
}

fn with_schemas<'f>(state: &AssociationState, file: &File, claims: &'f [Claims]) -> Vec<GovernedClaims<'f>> {
    claims.iter().map(|claims| GovernedClaims::of(state, file, claims)).collect()
}

/// The schema that governs values of a language; None if there is none or the part does not consist of values.
pub(crate) fn schema_of(
    state: &AssociationState,
    file: &File,
    dialect: &'static dyn Dialect,
    role: &Role,
) -> Option<(PartNaming, Arc<ClaimedSchema>)> {
    let name = match role {
        Role::Instance(name) | Role::Computed(name) | Role::Patched(name) => name,
        Role::Linked(name) => link(state, file, name)?,
        Role::Schema(_) | Role::Template | Role::Name(_) | Role::Link(..) => return None,
        Role::Reference(..) | Role::Mention(_) => return None,
    };
    let named = meant_names::places(state, file, state.shared.schema_names(state), name);
    let in_workspace = named.into_iter().find_map(|place| place.schema(state));
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
fn link<'s>(state: &'s AssociationState, file: &File, asked: &SchemaName) -> Option<&'s SchemaName> {
    let named = meant_names::places(state, file, state.shared.document_names(state), asked);
    named.into_iter().find_map(|place| match place.claim(state)?.role {
        Role::Link(_, to) => Some(to),
        _ => None,
    })
}

/// The schemas that govern a file, or parts of it.
pub(crate) fn schemas(state: &AssociationState, file: &File) -> Vec<Arc<ClaimedSchema>> {
    match of_whole(state, file) {
        Some(whole) => vec![whole.schema],
        None => claimed(state, file).iter().flat_map(GovernedClaims::schemas).flatten().cloned().collect(),
    }
}

/// All governed parts of a file, in the order of the text.
pub(crate) fn governed(state: &AssociationState, file: &File) -> Vec<Governed> {
    referring(state, file).into_iter().filter_map(Governed::by).collect()
}

/// A schema, with the one that it has to fit; None if its language has none.
fn of_notation(dialect: &dyn Dialect, claim: &PlacedClaim<'_>) -> Option<Referring> {
    let claim = claim.to_claim();
    let schema = dialect.notation(&claim.at)?;
    let name = SchemaName { kind: "a schema of".into(), name: dialect.name().into(), namespace: None, slot: "" };
    let schema = Some(Arc::new(ClaimedSchema::built_in(name.clone(), schema)));
    Some(Referring { claim, schema, cause: Some(Arc::new(PartNaming::BuiltIn(name))) })
}

/// All governed parts of the document that begins at an offset, and what is offered in its schemas. If it is a list of resources, those of the last item that
/// begins at or before the other one.
pub(crate) fn governed_at(state: &AssociationState, file: &File, document: usize, offset: usize) -> Vec<Governed> {
    let Some((number, document)) = file.tree().document_at(document) else { return Vec::new() };
    if let Some(whole) = of_whole(state, file) {
        return whole.part(&document, number).and_then(Governed::by).into_iter().collect();
    }
    let claimed = claimed_as_written(state, file);
    let values = claimed.iter().flat_map(|own| {
        let values = own.claims.of_document_at(number, offset).filter(|claim| claim.role.is_values());
        values.map(|claim| own.referring(&claim))
    });
    let of_overlay = || of_overlay(state, file, (number, document), &mut Matched::new(file));
    let mut found: Vec<Governed> = values.filter_map(Governed::by).collect();
    found.extend(claimed.iter().flat_map(|own| {
        let schemas = own.claims.of_document_at(number, offset).filter(|claim| matches!(claim.role, Role::Schema(_)));
        let by_notation = |claim| Governed::by(of_notation(own.claims.dialect, &claim)?);
        schemas.filter_map(by_notation).map(|part| Governed { is_notation: true, ..part })
    }));
    if found.is_empty() { of_overlay().and_then(Governed::by).into_iter().collect() } else { found }
}

impl Governed {
    /// None if there is no schema.
    fn by(part: Referring) -> Option<Governed> {
        let schema = part.schema?;
        Some(Governed {
            document: part.claim.document,
            at: part.claim.at,
            key: part.claim.key,
            node: schema.schema.root(),
            schema: schema.schema.clone(),
            reason: GovernedBy { cause: part.cause?.as_ref().clone(), file: schema.file },
            is_notation: false,
        })
    }
}

/// The stamps on which findings in governed parts depend.
pub(crate) fn stamps(state: &AssociationState, file: &File) -> Vec<Stamp> {
    let own = json_schemas::own(state, file).map(|schema| schema.stamp);
    // One that cannot be used may be another one that cannot either.
    let named = json_schemas::named(state, file).map(|named| named.stamp);
    let mut stamps: Vec<Stamp> = match of_whole(state, file) {
        Some(whole) => vec![whole.schema.stamp],
        None => of_parts(&claimed(state, file)),
    };
    stamps.extend(own.into_iter().chain(named).chain(no_data::stamps(state, file)));
    stamps
}

/// The stamps of the schemas of parts: one for each kind of values, as the text says which parts are of it.
fn of_parts(claimed: &[GovernedClaims<'_>]) -> Vec<Stamp> {
    let schemas = claimed.iter().flat_map(GovernedClaims::schemas);
    schemas.map(|schema| schema.map_or(Stamp::default(), |schema| schema.stamp)).collect()
}
