//! Documents to which schemas from the command line refer.

use crate::association::usable;
use crate::command_line::check_error::CheckProblem;
use crate::disk::Reach;
use crate::disk::mirror::Mirror;
use crate::disk::path::normalise;
use crate::disk::uri::{file_uri, path_of_file_uri};
use crate::files::fetched::{Fetch, FetchedDocument, Wish, is_web};
use crate::files::scan::look_at;
use crate::workspace::Workspace;
use lofting_dialect::{Documents, Unread};
use lofting_document::{Document, Options, lower};
use lofting_syntax::resolve::Profile;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads documents into a workspace, so that findings can point into them.
pub(crate) struct GivenDocuments<'w> {
    workspace: RefCell<&'w mut Workspace>,
    mirrors: &'w [Mirror],
    fetch: Option<&'w dyn Fetch>,
    /// What schemas may refer to: files beside them, and files in mirrors.
    reach: Reach,
    profile: Profile,
}

/// A schema named on the command line.
pub(crate) struct NamedSchema {
    pub path: PathBuf,
    /// The URI of its document.
    pub uri: String,
    /// The fragment, which selects a schema inside the document; empty for the whole document.
    pub fragment: String,
    /// It was fetched, so it cannot refer to files.
    pub is_fetched: bool,
    /// Why the copy is outdated, if it is.
    pub outdated: Option<String>,
}

impl<'w> GivenDocuments<'w> {
    /// The documents for a schema. A schema in a file may refer to files beside it.
    pub fn of(
        schema: &NamedSchema,
        mirrors: &'w [Mirror],
        fetch: Option<&'w dyn Fetch>,
        workspace: &'w mut Workspace,
        profile: Profile,
    ) -> Self {
        let beside = schema.path.parent().unwrap_or(&schema.path);
        let reach = if schema.is_fetched { Reach::nowhere() } else { Reach::within(beside) };
        GivenDocuments { workspace: RefCell::new(workspace), mirrors, fetch, reach, profile }
    }

    /// The document in a file within `reach`.
    fn read(&self, path: &Path, reach: &Reach) -> Result<Arc<Document>, Unread> {
        reach.text(path).map_err(|problem| Unread::Because(problem.to_string()))?;
        let mut workspace = self.workspace.borrow_mut();
        let (id, _) = workspace.add_found(look_at(path.to_owned(), reach));
        let snapshot = workspace.snapshot();
        let file = snapshot.state.file(id).ok_or_else(|| Unread::Because("there is no such file".to_owned()))?;
        if let Some(problem) = usable::problem_of_part(file) {
            return Err(Unread::Because(problem));
        }
        let documents = lower(id, file.tree(), self.profile, Options::default());
        let first = documents.documents.into_iter().next();
        first.map(Arc::new).ok_or_else(|| Unread::Because("it contains no document".to_owned()))
    }

    fn mirrored(&self, url: &str) -> Option<(PathBuf, Reach)> {
        mirrored(self.mirrors, url)
    }
}

/// The file for a URL in a mirror.
fn mirrored(mirrors: &[Mirror], url: &str) -> Option<(PathBuf, Reach)> {
    mirrors.iter().find_map(|mirror| {
        let reach = Reach::within(&mirror.folder);
        let path = mirror.files(url).into_iter().find(|path| reach.is_file(path))?;
        Some((path, reach))
    })
}

/// The schema with a path or URL. The error says why it cannot be used.
pub(crate) fn named(
    base: &Path,
    name: &str,
    mirrors: &[Mirror],
    fetch: Option<&dyn Fetch>,
) -> Result<NamedSchema, CheckProblem> {
    let (name, fragment) = name.split_once('#').unwrap_or((name, ""));
    let found = |path, is_fetched, outdated| NamedSchema {
        path,
        uri: name.to_owned(),
        fragment: fragment.to_owned(),
        is_fetched,
        outdated,
    };
    if let Some(path) = path_of_file_uri(name) {
        return Ok(found(path, false, None));
    }
    if !name.contains("://") {
        let path = normalise(base, Path::new(name));
        return Ok(NamedSchema { uri: file_uri(&path), ..found(path, false, None) });
    }
    if let Some((path, _)) = mirrored(mirrors, name) {
        return Ok(found(path, false, None));
    }
    match fetch.map(|fetch| fetch.fetch(&Wish { url: name.to_owned(), is_chosen: false })) {
        Some(Ok(FetchedDocument { path, outdated })) => Ok(found(path, true, outdated)),
        Some(Err(problem)) => Err(CheckProblem::NotFetched(problem)),
        None => Err(CheckProblem::NoMirror),
    }
}

impl Documents for GivenDocuments<'_> {
    fn document(&self, uri: &str) -> Result<Arc<Document>, Unread> {
        if let Some((path, reach)) = self.mirrored(uri) {
            return self.read(&path, &reach);
        }
        if let Some(path) = path_of_file_uri(uri) {
            return self.read(&path, &self.reach);
        }
        let Some(fetch) = self.fetch.filter(|_| is_web(uri)) else {
            return Err(Unread::Because("nothing is fetched, and it has no mirror folder".to_owned()));
        };
        match fetch.fetch(&Wish { url: uri.to_owned(), is_chosen: false }) {
            Ok(document) => {
                let reach = Reach::within(document.path.parent().unwrap_or(&document.path));
                self.read(&document.path, &reach)
            }
            Err(problem) => Err(Unread::Because(problem.why)),
        }
    }
}
