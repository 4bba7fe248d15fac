//! JSON Schemas that are named somewhere, each with the documents that it refers to.

use crate::association::associate::associate;
use crate::association::catalogue;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, NamedBy, Naming, SchemaProblem};
use crate::association::parts::PartSchema;
use crate::files::disk::Reach;
use crate::files::file::File;
use crate::files::uri::file_uri;
use crate::settings::local_path;
use crate::state::State;
use lofting_check::TreeSource;
use lofting_dialect::json_schema::{self, JsonSchema, documents_named};
use lofting_dialect::{Claim, Dialect, Documents, Part, Role, SchemaName, Unread, WrittenSteps};
use lofting_document::{Document, FileId, Options, lower};
use lofting_memo::{Stamp, Weigh};
use std::sync::Arc;

/// How many files one schema may lead to.
const FILES: usize = 200;

/// What a modeline names to give a file no schema.
const NONE: &str = "none";

/// The schema that is named for a file.
pub(crate) struct Named {
    pub naming: Naming,
    /// The schema, or why it cannot be used.
    pub schema: Result<Arc<PartSchema>, SchemaProblem>,
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
}

/// The URIs of the documents that a file refers to.
pub(crate) struct SchemaLinks(Vec<String>);

impl Weigh for SchemaLinks {
    fn weight(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }
}

/// The schema that is named for a file; None if there is none or it is a ytt schema. Computed once for each state.
pub(crate) fn named(state: &State, file: &File) -> Option<Arc<Named>> {
    state.shared.named.get(file.id, |_| first_named(state, file).map(Arc::new))
}

/// The schema that is named for a file, if it is usable.
pub(crate) fn named_by(state: &State, file: &File) -> Option<(NamedBy, Arc<PartSchema>)> {
    let named = named(state, file)?;
    Some((named.naming.by.clone(), named.schema.as_ref().ok()?.clone()))
}

fn first_named(state: &State, file: &File) -> Option<Named> {
    // Schemas that are named by pattern do not apply to ytt's own files.
    if file.facts.ytt {
        return None;
    }
    match naming::in_file(state, file).filter(is_meta_schema) {
        Some(naming) => Some(Named { schema: Ok(meta_schema(&naming)?), naming }),
        None => first_of(state, file, namings(state, file)),
    }
}

/// The meta-schema that a schema names.
fn meta_schema(naming: &Naming) -> Option<Arc<PartSchema>> {
    let schema = json_schema::meta_schema(&naming.schema)?;
    Some(Arc::new(PartSchema {
        is_meta_schema: true,
        ..PartSchema::built_in(json_schema_named(&naming.schema), schema)
    }))
}

/// The name of a schema by its URI.
fn json_schema_named(uri: &str) -> SchemaName {
    SchemaName { kind: "JSON Schema".into(), name: uri.into(), namespace: None, slot: "" }
}

/// Whether a comment at the top of the file says that it has no schema.
pub(crate) fn has_none(state: &State, file: &File) -> bool {
    naming::in_file(state, file).as_ref().is_some_and(is_none)
}

fn is_none(naming: &Naming) -> bool {
    naming.by == NamedBy::Modeline && naming.schema == NONE
}

/// Everything that names a schema for a file, in order of precedence.
pub(crate) fn namings(state: &State, file: &File) -> Vec<Naming> {
    match naming::in_file(state, file) {
        Some(own) if is_meta_schema(&own) || is_none(&own) => Vec::new(),
        Some(own) => vec![own],
        None => {
            let configured = naming::configured(state, file);
            configured.into_iter().chain(catalogue::naming(state, file)).collect()
        }
    }
}

/// The JSON Schema that `lofting.toml` or a setting names for data values that have no ytt schema.
pub(crate) fn for_data_values(state: &State, file: &File) -> Option<Arc<PartSchema>> {
    if !file.holds().values || associate(state, file).schema.is_some() {
        return None;
    }
    first_of(state, file, naming::configured(state, file))?.schema.ok()
}

/// The naming that would apply if its schema could be fetched. It is shown only to users who ask which schema applies:
/// a setting or catalogue that leads nowhere is no error in the file.
pub(crate) fn not_fetched(state: &State, file: &File) -> Option<(Naming, SchemaProblem)> {
    if file.facts.ytt {
        return None;
    }
    let mirrors = Mirrors::of(state, &file.path);
    namings(state, file).into_iter().find_map(|naming| match naming.find(state, file.id, &mirrors) {
        Err(problem @ (SchemaProblem::NotFetched(_) | SchemaProblem::Awaited)) => Some((naming, problem)),
        _ => None,
    })
}

/// The first naming that is usable, or that should be.
fn first_of(state: &State, file: &File, all: Vec<Naming>) -> Option<Named> {
    let mirrors = Mirrors::of(state, &file.path);
    for naming in all {
        match naming.find(state, file.id, &mirrors) {
            Ok(found) => {
                let place = (uri_of(&naming, &found), naming.fragment());
                let schema = schema_in(state, &found, place, naming.by == NamedBy::Key, &mirrors);
                let is_there = place_is_there(&naming, &schema);
                return Some(Named { schema: is_there.map(|()| schema), naming });
            }
            Err(SchemaProblem::Ytt) => return None,
            Err(_) if naming.is_optional() => {}
            Err(problem) => return Some(Named { naming, schema: Err(problem) }),
        }
    }
    None
}

/// Checks that the fragment of a name selects a schema.
fn place_is_there(naming: &Naming, schema: &PartSchema) -> Result<(), SchemaProblem> {
    match naming.fragment() {
        fragment if !fragment.is_empty() && schema.schema.is_unknown() => {
            Err(SchemaProblem::Unreadable(format!("there is no schema at `#{fragment}` in it")))
        }
        _ => Ok(()),
    }
}

/// Whether naming this schema makes the file itself a schema.
fn is_meta_schema(naming: &Naming) -> bool {
    naming.by == NamedBy::Key && json_schema::is_meta_schema(&naming.schema)
}

/// The JSON Schema in a file, or all of them: its key `$schema` names a draft, something names the file as a schema, or it
/// is a document of a language with such schemas.
pub(crate) fn own(state: &State, file: &File) -> Option<Arc<PartSchema>> {
    if file.facts.ytt {
        return None;
    }
    let is_schema = || naming::in_file(state, file).as_ref().is_some_and(is_meta_schema);
    let holds_schemas = || file.claims().iter().any(|claims| claims.dialect.has_linked_schemas());
    let is_named = |file: &File| state.shared.named_schemas(state).contains(&file.id);
    let file = state.file(file.id).filter(|file| is_named(file) || is_schema() || holds_schemas())?;
    let mirrors = Mirrors::of(state, &file.path);
    Some(schema_in(state, file, (file_uri(&file.path).into(), ""), false, &mirrors))
}

/// Claims for every document of a file, to be governed as a whole.
pub(crate) fn claims(file: &File, name: &SchemaName) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (number, document) in file.tree().documents().enumerate() {
        let root = document.root().map(|root| WrittenSteps::root(root, JsonSchema.profile()));
        claims.extend(root.map(|root| root.claim(number, Role::Instance(name.clone()))));
    }
    claims
}

/// The URI of the document of a named schema.
pub(crate) fn uri_of(naming: &Naming, file: &File) -> Arc<str> {
    match local_path(&naming.schema) {
        Some(_) => file_uri(&file.path).into(),
        None => naming.document().into(),
    }
}

/// The documents to which the schema in a file refers directly, by URI.
pub(crate) fn links(state: &State, file: &File, uri: &Arc<str>) -> Arc<SchemaLinks> {
    let inputs = state.inputs([file.revision]);
    let named = |document: Document| documents_named(uri, &document.value);
    let links = || SchemaLinks(first_document(file).map(named).unwrap_or_default());
    state.memos.schema_links.get((file.id, uri.clone()), &inputs, links)
}

impl SchemaLinks {
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The schema in a file, or at a fragment of its URI, with everything it refers to.
fn schema_in(
    state: &State,
    file: &Arc<File>,
    (uri, fragment): (Arc<str>, &str),
    with_key: bool,
    mirrors: &Mirrors,
) -> Arc<PartSchema> {
    let known = Known { state, reach: state.reach_of(&file.path), mirrors };
    let mut files = vec![(file.clone(), uri.clone())];
    let (mut at, mut lacks) = (0, false);
    while let Some((next, base)) = files.get(at).cloned().filter(|_| files.len() < FILES) {
        for link in links(state, &next, &base).iter() {
            let found = known.file(link);
            lacks |= found.is_none();
            let found = found.filter(|found| !files.iter().any(|(file, _)| file.id == found.id));
            files.extend(found.map(|found| (found.clone(), Arc::from(link))));
        }
        at += 1;
    }
    let uri = if fragment.is_empty() { uri } else { format!("{uri}#{fragment}").into() };
    let id = LinkedId { file: file.id, uri: uri.clone(), mirrors: mirrors.config, with_key };
    let stamps = files.iter().map(|(file, _)| file.revision).chain(mirrors.stamps.iter().copied());
    // The answer depends on what was fetched, because the reasons for missing documents are reported.
    let inputs = state.inputs(stamps.chain(lacks.then_some(state.fetched.stamp)));
    let ids = || files.iter().map(|(file, _)| file.id).collect();
    state.memos.linked.get(id, &inputs, || read(file, &uri, &known, ids(), with_key))
}

fn read(file: &File, uri: &str, documents: &Known<'_>, files: Vec<FileId>, with_key: bool) -> PartSchema {
    let document = first_document(file);
    let part = document.as_ref().map(|document| Part { document, claim: None, tree: Some(file.tree()) });
    let read = JsonSchema.read_linked(part.as_slice(), uri, documents);
    let source = TreeSource { file: file.id, tree: file.tree() };
    let mut findings = lofting_check::check_schema(&read.schema, &read.faults, &source);
    // Findings in other documents are reported there.
    findings.retain(|finding| finding.span.file == file.id);
    PartSchema {
        name: json_schema_named(uri),
        file: file.id,
        claim: (0, 0),
        files,
        stamp: Stamp::next(),
        is_meta_schema: false,
        findings,
        // The key that names the schema is not part of the described data.
        schema: Arc::new(read.schema.with_keys(if with_key { &["$schema"] } else { &[] })),
        uncertain: !file.tree().errors().is_empty(),
    }
}

/// The first document of a file, as JSON Schema reads it.
fn first_document(file: &File) -> Option<Document> {
    lower(file.id, file.tree(), JsonSchema.profile(), Options::default()).documents.into_iter().next()
}

/// The files of the workspace, as far as a schema may refer to them.
struct Known<'s> {
    state: &'s State,
    reach: Reach,
    mirrors: &'s Mirrors,
}

impl<'s> Known<'s> {
    fn file(&self, uri: &str) -> Option<&'s Arc<File>> {
        let mut paths = self.mirrors.files_of_uri(uri, &self.reach).into_iter();
        paths.find_map(|(path, reach)| self.state.file_at(&path).filter(|file| file.exists() && reach.names(&path)))
    }
}

impl Documents for Known<'_> {
    fn document(&self, uri: &str) -> Result<Arc<Document>, Unread> {
        let document = self.file(uri).and_then(|file| first_document(file));
        let why = || match self.mirrors.files_of_uri(uri, &self.reach).is_empty() {
            true => self.state.fetched.problem(uri),
            false => SchemaProblem::NotFound,
        };
        document.map(Arc::new).ok_or_else(|| Unread(why().to_string()))
    }
}
