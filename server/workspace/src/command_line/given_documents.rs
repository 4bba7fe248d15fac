//! Documents that schemas refer to which the user named.

use crate::association::mirrors::Mirror;
use crate::files::disk::Reach;
use crate::files::path::normalise;
use crate::files::scan::look_at;
use crate::files::uri::{file_uri, path_of_file_uri};
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
    /// What schemas may name: what lies beside them, and what mirrors hold.
    reach: Reach,
    profile: Profile,
}

impl<'w> GivenDocuments<'w> {
    /// For a schema at a path.
    pub fn beside(schema: &Path, mirrors: &'w [Mirror], workspace: &'w mut Workspace, profile: Profile) -> Self {
        let reach = Reach::within(schema.parent().unwrap_or(schema));
        GivenDocuments { workspace: RefCell::new(workspace), mirrors, reach, profile }
    }

    /// The document of a file, as far as `reach` leads.
    fn read(&self, path: &Path, reach: &Reach) -> Result<Arc<Document>, Unread> {
        reach.text(path).map_err(|problem| Unread(problem.to_string()))?;
        let mut workspace = self.workspace.borrow_mut();
        let (id, _) = workspace.add_found(look_at(path.to_owned(), reach));
        let snapshot = workspace.snapshot();
        let file = snapshot.state.file(id).ok_or_else(|| Unread("there is no such file".to_owned()))?;
        let documents = lower(id, file.tree(), self.profile, Options::default());
        let first = documents.documents.into_iter().next();
        first.map(Arc::new).ok_or_else(|| Unread("there is no document in it".to_owned()))
    }

    fn mirrored(&self, url: &str) -> Option<(PathBuf, Reach)> {
        mirrored(self.mirrors, url)
    }
}

/// The file that a mirror has for a URL.
fn mirrored(mirrors: &[Mirror], url: &str) -> Option<(PathBuf, Reach)> {
    mirrors.iter().find_map(|mirror| {
        let reach = Reach::within(&mirror.folder);
        let path = mirror.files(url).into_iter().find(|path| reach.is_file(path))?;
        Some((path, reach))
    })
}

/// The schema that the user names by a path or a URL: its file and its URI. An error says why there is none.
pub(crate) fn named(base: &Path, name: &str, mirrors: &[Mirror]) -> Result<(PathBuf, String), String> {
    if let Some(path) = path_of_file_uri(name) {
        return Ok((path, name.to_owned()));
    }
    if name.contains("://") {
        let found = mirrored(mirrors, name).map(|(path, _)| (path, name.to_owned()));
        return found.ok_or_else(|| "no folder holds it: name one with `--schema-dir URL=FOLDER`".to_owned());
    }
    let path = normalise(base, Path::new(name));
    let uri = file_uri(&path);
    Ok((path, uri))
}

impl Documents for GivenDocuments<'_> {
    fn document(&self, uri: &str) -> Result<Arc<Document>, Unread> {
        if let Some((path, reach)) = self.mirrored(uri) {
            return self.read(&path, &reach);
        }
        match path_of_file_uri(uri) {
            Some(path) => self.read(&path, &self.reach),
            None => Err(Unread("nothing is fetched, and no folder holds it".to_owned())),
        }
    }
}
