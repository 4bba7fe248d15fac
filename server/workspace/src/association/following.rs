//! Follows the references of JSON Schemas to other documents.

use crate::association::mirrors::Mirrors;
use crate::association::naming::SchemaProblem;
use crate::association::schema_links::{known_links, links};
use crate::association::state::AssociationState;
use crate::disk::Reach;
use crate::disk::path::normalise;
use crate::files::file::File;
use lofting_dialect::json_schema::JsonSchema;
use lofting_dialect::{Dialect, WrittenSteps};
use lofting_document::FileId;
use lofting_syntax::percent_decoded;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A schema in a file.
#[derive(Clone)]
pub(crate) struct LinkedFile {
    pub file: Arc<File>,
    /// The URI by which it is referred to.
    pub uri: Arc<str>,
    /// The folders that stand for URLs in the file that names the first schema.
    mirrors: Arc<Mirrors>,
}

/// A document that a schema refers to.
pub(crate) struct LinkedDocument {
    pub uri: Arc<str>,
    /// Possible paths, each with the reach of the file that refers to it, the most likely first. Empty if no folder serves
    /// its URL and it was not fetched.
    pub places: Vec<(PathBuf, Reach)>,
    /// The file, if it is known and the reference may lead to it.
    pub file: Option<Arc<File>>,
}

impl LinkedDocument {
    /// Its file, or why there is none.
    pub fn found(self, state: &AssociationState) -> Result<Arc<File>, SchemaProblem> {
        self.file.ok_or_else(|| match self.places.as_slice() {
            [] => SchemaProblem::of_url(&state.fetched, &self.uri),
            places if !places.iter().any(|(path, reach)| reach.names(path)) => SchemaProblem::OutOfReach,
            _ if !state.pending_schemas.is_empty() => SchemaProblem::Awaited,
            _ => SchemaProblem::NotFound,
        })
    }
}

/// Follows references breadth-first and visits each schema once: first the references of schemas, then those at places that
/// are schemas only because another document leads there.
pub(crate) struct Following<'s> {
    state: &'s AssociationState,
    /// Maximum number of schemas.
    most: usize,
    /// How many more bytes may be read and parsed; `None` if there is no limit.
    bytes_left: Option<usize>,
    /// The limit was reached, so that the result is not complete.
    pub exceeded: bool,
    todo: VecDeque<LinkedFile>,
    /// What is referred to elsewhere than in a schema; `None` if such references are not followed.
    later: Option<VecDeque<LinkedFile>>,
    seen: FxHashSet<(FileId, Arc<str>, Option<FileId>)>,
}

impl<'s> Following<'s> {
    pub fn new(state: &'s AssociationState, most: usize) -> Following<'s> {
        Following {
            state,
            most,
            bytes_left: None,
            exceeded: false,
            todo: VecDeque::new(),
            later: None,
            seen: FxHashSet::default(),
        }
    }

    /// Also follows references elsewhere than in schemas: all that reading a schema may ask for.
    pub fn everywhere(self) -> Following<'s> {
        Following { later: Some(VecDeque::new()), ..self }
    }

    /// Stops when more than this many bytes have to be read and parsed.
    pub fn within(self, bytes: usize) -> Following<'s> {
        Following { bytes_left: Some(bytes), ..self }
    }

    /// Adds a schema to be visited, unless it was added before.
    pub fn begin(&mut self, file: Arc<File>, uri: Arc<str>, mirrors: &Arc<Mirrors>) {
        let schema = LinkedFile { file, uri, mirrors: mirrors.clone() };
        if self.is_new(&schema) {
            self.todo.push_back(schema);
        }
    }

    /// Whether a schema is visited for the first time. It is not any more once this was asked.
    fn is_new(&mut self, schema: &LinkedFile) -> bool {
        let LinkedFile { file, uri, mirrors } = schema;
        self.seen.len() < self.most && self.seen.insert((file.id, uri.clone(), mirrors.config))
    }

    fn pop(&mut self) -> Option<LinkedFile> {
        if let Some(next) = self.todo.pop_front() {
            return Some(next);
        }
        while let Some(next) = self.later.as_mut()?.pop_front() {
            if self.is_new(&next) {
                return Some(next);
            }
        }
        None
    }

    /// Takes the size of a file off the limit, unless the file is parsed already. Returns whether the limit still holds.
    pub fn takes(&mut self, file: &File) -> bool {
        self.takes_bytes(if file.is_parsed() { 0 } else { file.size() })
    }

    fn takes_bytes(&mut self, bytes: usize) -> bool {
        if let Some(bytes_left) = &mut self.bytes_left {
            self.exceeded |= bytes > *bytes_left;
            *bytes_left = bytes_left.saturating_sub(bytes);
        }
        !self.exceeded
    }

    /// What aliases repeat is read again with each of them, so that a few lines can mean as much as a long file: such a
    /// schema is left to those that have no limit.
    fn takes_aliases(&mut self, file: &File) -> bool {
        self.exceeded |= self.bytes_left.is_some() && file.tree().root().has_names();
        !self.exceeded
    }

    /// The next schema, and the documents that it refers to directly. Those that are known are visited later.
    pub fn next(&mut self) -> Option<(LinkedFile, Vec<LinkedDocument>)> {
        let from = self.pop()?;
        let known = known_links(self.state, &from.file, &from.uri);
        if known.is_none() && !(self.takes_bytes(from.file.size()) && self.takes_aliases(&from.file)) {
            return None;
        }
        let links = known.unwrap_or_else(|| links(self.state, &from.file, &from.uri));
        let reach = self.state.reach_of(&from.file.path);
        let mut documents = Vec::new();
        for uri in links.by_schema() {
            let document = self.document(&from, uri, &reach);
            if let Some(file) = &document.file {
                self.begin(file.clone(), document.uri.clone(), &from.mirrors);
            }
            documents.push(document);
        }
        if let Some(mut later) = self.later.take() {
            for uri in links.elsewhere() {
                let document = self.document(&from, uri, &reach);
                later.extend(document.file.clone().map(|file| {
                    let uri = document.uri.clone();
                    LinkedFile { file, uri, mirrors: from.mirrors.clone() }
                }));
                documents.push(document);
            }
            self.later = Some(later);
        }
        Some((from, documents))
    }

    fn document(&self, from: &LinkedFile, uri: &str, reach: &Reach) -> LinkedDocument {
        let mut places = from.mirrors.files_of_uri(uri, reach);
        if places.is_empty() {
            let is_there = |path: &PathBuf| reach.names(path) && (self.is_known(path) || reach.look(path).is_ok());
            places.extend(beside(&from.file, uri).filter(is_there).map(|path| (path, reach.clone())));
        }
        let named = places.iter().filter(|(path, reach)| reach.names(path));
        let file = named.filter_map(|(path, _)| self.state.file_at(path)).find(|file| file.exists()).cloned();
        LinkedDocument { uri: Arc::from(uri), places, file }
    }

    fn is_known(&self, path: &Path) -> bool {
        self.state.file_at(path).is_some_and(|file| file.exists())
    }
}

/// The path of a document whose URI differs from the one that a schema gives itself (`$id`) as their paths do.
fn beside(schema: &File, uri: &str) -> Option<PathBuf> {
    let root = schema.tree().documents().next()?.root()?;
    let root = WrittenSteps::root(root, JsonSchema.profile());
    let own = root.key("$id").or_else(|| root.key("id"))?.text()?;
    let host = own.find("://")? + "://".len();
    let mut folder = schema.path.parent()?;
    let mut above = own.get(..=own.rfind('/').filter(|at| *at >= host)?)?;
    loop {
        if let Some(way) = uri.strip_prefix(above).filter(|way| !way.is_empty()) {
            let way = String::from_utf8(percent_decoded(way)).ok()?;
            return Some(normalise(folder, Path::new(&way)));
        }
        let end = above.trim_end_matches('/').rfind('/').filter(|at| *at >= host)?;
        (folder, above) = (folder.parent()?, above.get(..=end)?);
    }
}
