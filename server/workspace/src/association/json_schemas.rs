//! JSON Schemas that are named somewhere, each with the documents that it refers to.

use crate::association::associate::associate;
use crate::association::catalogue;
use crate::association::catalogue_match::may_govern;
use crate::association::following::Following;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, NamedBy, Naming, SchemaProblem};
use crate::association::no_data::no_data;
use crate::association::schema_links::first_document;
use crate::association::state::AssociationState;
use crate::association::usable;
use crate::disk::Reach;
use crate::disk::uri::file_uri;
use crate::files::claims::ClaimedSchema;
use crate::files::file::File;
use crate::files::modeline;
use crate::settings::local_path;
use lofting_check::TreeSource;
use lofting_dialect::json_schema::{self, JsonSchema};
use lofting_dialect::{Claim, Dialect, Documents, Role, SchemaName, SchemaPart, Unread, WrittenSteps};
use lofting_document::{Document, FileId, Key};
use lofting_memo::Stamp;
use lofting_schema::Schema;
use lofting_syntax::resolve::Profile;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// How many files one schema may lead to.
const FILES: usize = 200;

/// The schema that is named for a file.
pub(crate) struct Named {
    pub naming: Naming,
    /// The schema, or why it cannot be used.
    pub schema: Result<Arc<ClaimedSchema>, SchemaProblem>,
    /// Changes with the file that is named, if there is one.
    pub stamp: Stamp,
}

/// Identifies a schema that is read from a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct LinkedId {
    file: FileId,
    uri: Arc<str>,
    /// The `lofting.toml` whose mirrors apply.
    mirrors: Option<FileId>,
    /// Documents may have the key `$schema` to name it.
    with_key: bool,
    /// The language that it is read in.
    language: &'static str,
    /// Read as its author sees it, not as the values that it governs need it.
    is_whole: bool,
}

/// How a schema is read.
#[derive(Clone, Copy)]
struct Reading {
    dialect: &'static dyn Dialect,
    with_key: bool,
    is_whole: bool,
}

impl Reading {
    /// For the values that a schema governs.
    fn of(dialect: &'static dyn Dialect) -> Reading {
        Reading { dialect, with_key: false, is_whole: false }
    }
}

/// The schema that is named for a file; None if there is none or it is a ytt schema. Computed once for each state.
pub(crate) fn named(state: &AssociationState, file: &File) -> Option<Arc<Named>> {
    state.shared.named.get(file.id, |_| first_named(state, file).map(Arc::new))
}

/// The schema that is named for a file, if it is usable.
pub(crate) fn named_by(state: &AssociationState, file: &File) -> Option<(NamedBy, Arc<ClaimedSchema>)> {
    let named = named(state, file)?;
    Some((named.naming.by.clone(), named.schema.as_ref().ok()?.clone()))
}

/// How the scalars of a file with parts are read: by the rules of its schema's language.
pub(crate) fn profile(state: &AssociationState, file: &File) -> Profile {
    let own = || if file.claims().is_empty() { file.profile() } else { file.read_as() };
    named_by(state, file).map_or_else(own, |(_, schema)| schema.schema.semantics().profile)
}

fn first_named(state: &AssociationState, file: &File) -> Option<Named> {
    // Schemas that are named by pattern do not apply to ytt's own files.
    if file.facts.ytt || no_data(state, file).is_some() {
        return None;
    }
    match naming::in_file(state, file).filter(is_meta_schema) {
        Some(naming) => Some(Named { schema: Ok(meta_schema(&naming)?), naming, stamp: Stamp::default() }),
        None => first_of(state, file, namings(state, file)).or_else(|| of_its_use(state, file)),
    }
}

/// The meta-schema of the usual draft, for a file that is a schema by its name or its use and names no draft.
fn of_its_use(state: &AssociationState, file: &File) -> Option<Named> {
    let is_by_name = is_named_as_schema(&file.path);
    let is_one =
        || is_by_name || state.shared.named_schemas(state).contains(&file.id) && json_schema::is_schema(file.tree());
    if !is_one() {
        return None;
    }
    let naming = Naming::of_schema(if is_by_name { NamedBy::OwnName } else { NamedBy::Use });
    Some(Named { schema: Ok(meta_schema(&naming)?), naming, stamp: Stamp::default() })
}

/// The meta-schema that a schema names.
fn meta_schema(naming: &Naming) -> Option<Arc<ClaimedSchema>> {
    let schema = json_schema::meta_schema(&naming.schema)?;
    Some(Arc::new(ClaimedSchema {
        is_meta_schema: true,
        ..ClaimedSchema::built_in(json_schema_named(&naming.schema), schema)
    }))
}

/// The name of a schema by its URI.
fn json_schema_named(uri: &str) -> SchemaName {
    SchemaName { kind: "JSON Schema".into(), name: uri.into(), namespace: None, slot: "" }
}

/// Whether a comment at the top of the file says that it has no schema.
pub(crate) fn has_none(state: &AssociationState, file: &File) -> bool {
    naming::in_file(state, file).as_ref().is_some_and(is_none)
}

fn is_none(naming: &Naming) -> bool {
    naming.by == NamedBy::Modeline && naming.schema == modeline::NONE
}

/// Everything that names a schema for a file, in order of precedence.
pub(crate) fn namings(state: &AssociationState, file: &File) -> Vec<Naming> {
    match naming::in_file(state, file) {
        Some(own) if is_meta_schema(&own) || is_none(&own) => Vec::new(),
        Some(own) => vec![own],
        None => {
            let configured = naming::configured(state, file);
            let given = configured.into_iter().chain(naming::of_chart(state, file));
            given.chain(catalogue::namings(state, file)).collect()
        }
    }
}

/// The JSON Schema that `lofting.toml` or a setting names for data values that have no ytt schema.
pub(crate) fn for_data_values(state: &AssociationState, file: &File) -> Option<Arc<ClaimedSchema>> {
    if !file.holds().values || associate(state, file).schema.is_some() {
        return None;
    }
    first_of(state, file, naming::configured(state, file))?.schema.ok()
}

/// The naming that would apply if its schema could be read. It is shown only to users who ask which schema applies, or
/// what was not checked: a setting or catalogue that leads nowhere is not an error in the file.
pub(crate) fn lost(state: &AssociationState, file: &File) -> Option<(Naming, SchemaProblem)> {
    if file.facts.ytt || no_data(state, file).is_some() {
        return None;
    }
    let mirrors = Mirrors::of(state, &file.path);
    namings(state, file).into_iter().find_map(|naming| match naming.find(state, file.id, &mirrors) {
        Ok(_) | Err(SchemaProblem::Ytt) => None,
        // A setting may be meant for another folder or another server.
        Err(SchemaProblem::NotFound | SchemaProblem::NoFolder) if matches!(naming.by, NamedBy::Setting { .. }) => None,
        Err(problem) => Some((naming, problem)),
    })
}

/// The schema that something names, or why it cannot be used.
pub(crate) fn schema_of_naming(
    state: &AssociationState,
    naming: &Naming,
    own: FileId,
    mirrors: &Arc<Mirrors>,
) -> Result<Arc<ClaimedSchema>, SchemaProblem> {
    let found = naming.find(state, own, mirrors)?;
    read_named(state, naming, &found, mirrors)
}

fn read_named(
    state: &AssociationState,
    naming: &Naming,
    found: &Arc<File>,
    mirrors: &Arc<Mirrors>,
) -> Result<Arc<ClaimedSchema>, SchemaProblem> {
    if let Some(problem) = usable::problem_of_whole(found) {
        return Err(SchemaProblem::Unreadable(problem));
    }
    if let Some(problem) = usable::problem_of_schema(found).filter(|_| naming.fragment().is_empty()) {
        return Err(SchemaProblem::Unreadable(problem));
    }
    let place = (uri_of(naming, found), naming.fragment());
    let reading = Reading { with_key: naming.by == NamedBy::Key, ..Reading::of(&JsonSchema) };
    let schema = schema_in(state, found, place, reading, mirrors);
    place_is_there(naming, &schema).map(|()| schema)
}

/// The first naming that is usable, or that should be.
fn first_of(state: &AssociationState, file: &File, all: Vec<Naming>) -> Option<Named> {
    let mirrors = Mirrors::of(state, &file.path);
    for naming in all {
        match naming.find(state, file.id, &mirrors) {
            Ok(found) => {
                let schema = read_named(state, &naming, &found, &mirrors);
                if let (Some(pattern), Ok(schema)) = (naming.by.pattern_of_catalogue(), &schema)
                    && !(is_of_kind(file, &schema.schema) && may_govern(file, pattern, &schema.schema))
                {
                    continue;
                }
                return Some(Named { schema, naming, stamp: found.revision });
            }
            Err(SchemaProblem::Ytt) => return None,
            Err(_) if naming.is_optional() => {}
            Err(problem) => return Some(Named { naming, schema: Err(problem), stamp: Stamp::default() }),
        }
    }
    None
}

/// Whether a schema may be meant for the documents of a file, by what these say about themselves: one that has a version
/// and a kind has a schema that declares both, and that accepts them. A catalogue knows only the names of files.
fn is_of_kind(file: &File, schema: &Schema) -> bool {
    let roots = file.tree().documents().filter_map(|document| document.root());
    roots.take(DOCUMENTS).all(|root| {
        let root = WrittenSteps::root(root, JsonSchema.profile());
        let said = |key: &str| root.key(key).and_then(|value| value.text());
        let (Some(version), Some(kind)) = (said("apiVersion"), said("kind")) else { return true };
        schema.may_have(&Key::from("apiVersion"), &version) && schema.may_have(&Key::from("kind"), &kind)
    })
}

/// How many documents of a file are examined for what they are.
const DOCUMENTS: usize = 20;

/// The schema that a bundle has for documents of a language; None if there is none at its place.
pub(crate) fn bundled_schema(
    state: &AssociationState,
    found: &Arc<File>,
    naming: &Naming,
    dialect: &'static dyn Dialect,
    mirrors: &Arc<Mirrors>,
) -> Option<Arc<ClaimedSchema>> {
    if usable::problem_of_part(found).is_some() {
        return None;
    }
    let place = (uri_of(naming, found), naming.fragment());
    let schema = schema_in(state, found, place, Reading::of(dialect), mirrors);
    (!schema.schema.is_unknown()).then_some(schema)
}

/// The schemas in a document of a bundle.
pub(crate) fn definitions(state: &AssociationState, file: &File, dialect: &dyn Dialect) -> Vec<(SchemaName, String)> {
    let found = first_document(state, file).zip(dialect.bundles());
    found.map(|(document, bundles)| bundles.definitions(&document.value)).unwrap_or_default()
}

/// Checks that the fragment of a name selects a schema.
fn place_is_there(naming: &Naming, schema: &ClaimedSchema) -> Result<(), SchemaProblem> {
    match naming.fragment() {
        fragment if !fragment.is_empty() && schema.schema.is_unknown() => {
            Err(SchemaProblem::Unreadable(format!("there is no schema at `#{fragment}` in it")))
        }
        _ => Ok(()),
    }
}

/// Whether naming this schema in a file makes the file itself a schema.
pub(crate) fn is_meta_schema(naming: &Naming) -> bool {
    matches!(naming.by, NamedBy::Key | NamedBy::Modeline) && json_schema::is_meta_schema(&naming.schema)
}

/// The JSON Schema in a file, or all of them: its key `$schema` names a draft, something names the file as a schema, or it
/// is a document of a language with such schemas.
pub(crate) fn own(state: &AssociationState, file: &File) -> Option<Arc<ClaimedSchema>> {
    Some(read_as_own(state, with_own(state, file)?))
}

/// The JSON Schema that a file seems to be by its keys, if nothing says what it is.
pub(crate) fn seeming(state: &AssociationState, file: FileId) -> Option<Arc<ClaimedSchema>> {
    let file = state.file(file).filter(|file| !file.facts.ytt && json_schema::is_schema(file.tree()))?;
    Some(read_as_own(state, file))
}

fn read_as_own(state: &AssociationState, file: &Arc<File>) -> Arc<ClaimedSchema> {
    let mirrors = Mirrors::of(state, &file.path);
    let reading = Reading { is_whole: true, ..Reading::of(&JsonSchema) };
    schema_in(state, file, (file_uri(&file.path).into(), ""), reading, &mirrors)
}

/// The file itself, if it is a JSON Schema or holds some.
pub(crate) fn with_own<'s>(state: &'s AssociationState, file: &File) -> Option<&'s Arc<File>> {
    if file.facts.ytt {
        return None;
    }
    let is_schema = || naming::in_file(state, file).as_ref().is_some_and(is_meta_schema);
    let holds_schemas = || file.claims().iter().any(|claims| claims.dialect.has_linked_schemas());
    let is_named = |file: &File| state.shared.named_schemas(state).contains(&file.id);
    let is_called_one = || is_named_as_schema(&file.path) && naming::in_file(state, file).is_none();
    state.file(file.id).filter(|file| is_named(file) || is_schema() || is_called_one() || holds_schemas())
}

/// Whether the name of a file says that it is a JSON Schema: `app.schema.json`, `app.schema.yaml`.
pub(crate) fn is_named_as_schema(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    [".schema.json", ".schema.yaml", ".schema.yml"].iter().any(|end| name.len() > end.len() && name.ends_with(end))
}

/// The claim for a document of a file, to be governed as a whole. None if it has no content.
pub(crate) fn claim(document: &lofting_syntax::Document<'_>, number: usize, name: &SchemaName) -> Option<Claim> {
    let root = WrittenSteps::root(document.root()?, JsonSchema.profile());
    Some(root.claim(number, Role::Instance(name.clone())))
}

/// The URI of the document of a named schema.
pub(crate) fn uri_of(naming: &Naming, file: &File) -> Arc<str> {
    match local_path(&naming.schema) {
        Some(_) => file_uri(&file.path).into(),
        None => naming.document().into(),
    }
}

/// The schema in a file, or at a fragment of its URI, with everything it refers to. Found once per state, because many files
/// name the same schema.
fn schema_in(
    state: &AssociationState,
    file: &Arc<File>,
    (uri, fragment): (Arc<str>, &str),
    reading: Reading,
    mirrors: &Arc<Mirrors>,
) -> Arc<ClaimedSchema> {
    let Reading { dialect, with_key, is_whole } = reading;
    let whole = uri.clone();
    let uri: Arc<str> = if fragment.is_empty() { uri } else { format!("{uri}#{fragment}").into() };
    let id = LinkedId { file: file.id, uri, mirrors: mirrors.config, with_key, language: dialect.name(), is_whole };
    state.shared.linked.get(id, |id| {
        let mut following = Following::new(state, FILES).everywhere();
        following.begin(file.clone(), whole, mirrors);
        let mut known = Known { state, mirrors, files: FxHashMap::default() };
        let mut files: Vec<Arc<File>> = Vec::new();
        while let Some((from, documents)) = following.next() {
            if !files.iter().any(|file| file.id == from.file.id) {
                files.push(from.file);
            }
            known.files.extend(documents.into_iter().map(|document| (document.uri.clone(), document.found(state))));
        }
        let lacks = known.files.values().any(Result::is_err);
        let stamps = files.iter().map(|file| file.revision).chain(mirrors.stamps.iter().copied());
        // The reasons for missing documents are reported.
        let inputs = state.inputs(
            stamps.chain(lacks.then_some(state.fetched.stamp)).chain(lacks.then_some(state.pending_schemas.stamp)),
        );
        let ids = || files.iter().map(|file| file.id).collect();
        state.memos.linked.get(id.clone(), &inputs, || read(file, reading, &id.uri, &known, ids()))
    })
}

fn read(
    file: &File,
    Reading { dialect, with_key, is_whole }: Reading,
    uri: &str,
    documents: &Known<'_>,
    files: Vec<FileId>,
) -> ClaimedSchema {
    let document = first_document(documents.state, file);
    let part = document.as_deref().map(|document| SchemaPart { document, claim: None, tree: Some(file.tree()) });
    let read = if is_whole {
        dialect.read_whole(part.as_slice(), uri, documents)
    } else {
        dialect.read_linked(part.as_slice(), uri, documents)
    };
    let source = TreeSource { file: file.id, tree: file.tree() };
    let mut findings = lofting_check::check_schema(&read.schema, &read.faults, &source);
    if is_whole {
        findings.extend(lofting_check::check_documented_values(&read.schema, &source));
        findings.extend(lofting_check::check_impossible_rules(&read.schema, &source, &findings));
    }
    let (findings, elsewhere) = findings.into_iter().partition(|finding| finding.span.file == file.id);
    ClaimedSchema {
        name: json_schema_named(uri),
        file: file.id,
        claim: (0, 0),
        files,
        stamp: Stamp::next(),
        is_meta_schema: false,
        findings,
        elsewhere,
        // The key that names the schema is not part of the described data.
        schema: Arc::new(read.schema.with_keys(if with_key { &["$schema"] } else { &[] })).into(),
        uncertain: !file.errors().is_empty(),
    }
}

/// The documents that a schema refers to, directly and indirectly.
struct Known<'s> {
    state: &'s AssociationState,
    mirrors: &'s Mirrors,
    /// Their files by URI, or why there are none.
    files: FxHashMap<Arc<str>, Result<Arc<File>, SchemaProblem>>,
}

impl Known<'_> {
    fn file(&self, uri: &str) -> Result<Arc<File>, SchemaProblem> {
        if let Some(found) = self.files.get(uri) {
            return found.clone();
        }
        // All that a reference may name was followed, up to the limit of files.
        match self.mirrors.files_of_uri(uri, &Reach::nowhere()).as_slice() {
            [] => Err(SchemaProblem::of_url(&self.state.fetched, uri)),
            _ => Err(SchemaProblem::NotFound),
        }
    }
}

impl Documents for Known<'_> {
    fn document(&self, uri: &str) -> Result<Arc<Document>, Unread> {
        let read = self.file(uri).and_then(|file| match usable::problem_of_part(&file) {
            Some(problem) => Err(SchemaProblem::Unreadable(problem)),
            None => first_document(self.state, &file).ok_or(SchemaProblem::NotFound),
        });
        read.map_err(|problem| match problem {
            SchemaProblem::Awaited => Unread::Awaited,
            problem => Unread::Because(problem.to_string()),
        })
    }

    /// The authors of built-in schemas rely on it.
    fn joins_references(&self, uri: &str) -> bool {
        self.mirrors.built_in().is_some_and(|built_in| built_in.origin(uri).is_some())
    }
}
