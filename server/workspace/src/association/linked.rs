//! JSON Schemas that files name: in a modeline, or by their key `$schema`.

use crate::association::parts::PartSchema;
use crate::files::disk::Reach;
use crate::files::file::File;
use crate::files::modeline::Form;
use crate::files::path::normalise;
use crate::files::uri::{file_uri, path_of_file_uri};
use crate::settings::local_path;
use crate::state::State;
use lofting_check::TreeSource;
use lofting_dialect::json_schema::{JsonSchema, documents_named};
use lofting_dialect::{Claim, Dialect, Documents, Part, Role, SchemaName, Unread, WrittenSteps};
use lofting_document::{Document, Options, lower};
use lofting_memo::Stamp;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that one schema leads to, at most.
const FILES: usize = 200;

/// How the key of a document names a schema.
const KEY: &str = "key `$schema`";

/// What a file says about its schema.
pub(crate) struct Naming {
    /// The path or URL, as written.
    pub schema: String,
    /// How it says so.
    by: &'static str,
}

/// What a file names as its schema; none: nothing.
pub(crate) fn naming(file: &File) -> Option<Naming> {
    if !file.facts.modeline || file.facts.ytt {
        return None;
    }
    if let Some(modeline) = file.modeline() {
        let named = || Naming { schema: modeline.schema.clone(), by: "modeline" };
        return (modeline.form == Form::YamlLanguageServer).then(named);
    }
    let root = file.tree().documents().next()?.root()?;
    let schema = WrittenSteps::root(root, JsonSchema.profile()).key("$schema")?.text()?;
    Some(Naming { schema: schema.to_string(), by: KEY })
}

/// The paths that a name in a file may stand for.
pub(crate) fn paths(state: &State, file: &File, schema: &str) -> Vec<PathBuf> {
    let Some(path) = local_path(schema) else { return Vec::new() };
    let beside = file.path.parent().unwrap_or(Path::new("/"));
    [beside, state.root_of(&file.path)].map(|base| normalise(base, &path)).into()
}

/// The schema that a file names, if it is a JSON Schema that the workspace has.
pub(crate) fn named_by(state: &State, file: &File) -> Option<Arc<PartSchema>> {
    let Naming { schema, by } = naming(file)?;
    let reach = state.reach_of(&file.path);
    let is_schema = |found: &&Arc<File>| found.exists() && found.id != file.id && !found.holds().schema;
    let named = |path: &PathBuf| state.file_at(path).filter(is_schema);
    let paths = paths(state, file, &schema);
    let found = paths.iter().filter(|path| reach.names(path)).find_map(named)?;
    Some(schema_in(state, found, by))
}

/// A claim of each document to be governed as a whole.
pub(crate) fn claims(file: &File, name: &SchemaName) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (number, document) in file.tree().documents().enumerate() {
        let root = document.root().map(|root| WrittenSteps::root(root, JsonSchema.profile()));
        claims.extend(root.map(|root| root.claim(number, Role::Instance(name.clone()))));
    }
    claims
}

/// The schema in a file, with all that it refers to.
fn schema_in(state: &State, file: &Arc<File>, by: &'static str) -> Arc<PartSchema> {
    let reach = state.reach_of(&file.path);
    let mut files = vec![file.clone()];
    let mut at = 0;
    while let Some(next) = files.get(at).cloned().filter(|_| files.len() < FILES) {
        for path in next.schema_links().iter().filter_map(|uri| path_of_file_uri(uri)) {
            let linked = state.file_at(&path).filter(|linked| linked.exists() && reach.names(&path));
            files.extend(linked.filter(|linked| !files.iter().any(|known| known.id == linked.id)).cloned());
        }
        at += 1;
    }
    let inputs = state.inputs(files.iter().map(|file| file.revision));
    state.memos.linked.get((file.id, by), &inputs, || read(state, file, reach.clone(), by))
}

fn read(state: &State, file: &File, reach: Reach, by: &'static str) -> PartSchema {
    let document = first_document(file);
    let part = document.as_ref().map(|document| Part { document, claim: None, tree: Some(file.tree()) });
    let documents = Known { state, reach };
    let read = JsonSchema.read_linked(part.as_slice(), &file_uri(&file.path), &documents);
    let source = TreeSource { file: file.id, tree: file.tree() };
    PartSchema {
        name: SchemaName { kind: by.into(), name: "".into(), namespace: None, slot: "" },
        file: file.id,
        claim: (0, 0),
        stamp: Stamp::next(),
        findings: lofting_check::check_schema(&read.schema, &read.faults, &source),
        // The key that names the schema is no part of what it describes.
        schema: Arc::new(read.schema.with_keys(if by == KEY { &["$schema"] } else { &[] })),
        uncertain: !file.tree().errors().is_empty(),
    }
}

/// The first document of a file, as JSON Schema reads it.
fn first_document(file: &File) -> Option<Document> {
    lower(file.id, file.tree(), JsonSchema.profile(), Options::default()).documents.into_iter().next()
}

/// URIs of the documents that the schema in a file refers to.
pub(crate) fn links(file: &File) -> Vec<String> {
    first_document(file).map(|document| documents_named(&file_uri(&file.path), &document.value)).unwrap_or_default()
}

/// The files of the workspace, as far as a schema may name them.
struct Known<'s> {
    state: &'s State,
    reach: Reach,
}

impl Documents for Known<'_> {
    fn document(&self, uri: &str) -> Result<Arc<Document>, Unread> {
        let path = path_of_file_uri(uri).ok_or_else(|| Unread("nothing is fetched".to_owned()))?;
        let file = self.state.file_at(&path).filter(|file| file.exists() && self.reach.names(&path));
        let document = file.and_then(|file| first_document(file));
        document.map(Arc::new).ok_or_else(|| Unread("there is no such file".to_owned()))
    }
}
