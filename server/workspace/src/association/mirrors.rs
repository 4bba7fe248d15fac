//! Mirrors: folders whose files stand for documents on the web.

use crate::association::configurations;
use crate::association::state::AssociationState;
use crate::config::FILE_NAME;
use crate::disk::Reach;
use crate::disk::built_in::BuiltIn;
use crate::disk::mirror::Mirror;
use crate::disk::path::normalise;
use crate::disk::uri::path_of_file_uri;
use crate::files::fetched::FetchedDocuments;
use lofting_document::FileId;
use lofting_memo::Stamp;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files for a URL in the user's own mirrors.
pub(crate) fn mirrored(mirrors: &[Mirror], url: &str) -> impl Iterator<Item = (PathBuf, Reach)> {
    let of_mirror = |mirror: &Mirror| {
        let reach = Reach::within(&mirror.folder);
        mirror.files(url).into_iter().map(move |path| (path, reach.clone())).collect::<Vec<_>>()
    };
    mirrors.iter().flat_map(of_mirror).collect::<Vec<_>>().into_iter()
}

/// The mirrors for the files of one directory.
#[derive(Clone, Default)]
pub(crate) struct Mirrors {
    /// Each with the reach of the text that names it.
    list: Vec<(Mirror, Reach)>,
    /// Fetched documents, for URLs without a mirror.
    fetched: Arc<FetchedDocuments>,
    /// Built-in texts, for URLs without a newer copy.
    built_in: Option<BuiltIn>,
    /// The nearest `lofting.toml` that says something of these.
    pub config: Option<FileId>,
    /// Change with the mirrors.
    pub stamps: Vec<Stamp>,
}

impl Mirrors {
    /// The mirrors for a path: those of the user, then those of each `lofting.toml` going up. Computed once for each
    /// directory in a state.
    pub fn of(state: &AssociationState, path: &Path) -> Arc<Mirrors> {
        let directory = path.parent().unwrap_or(path).to_owned();
        state.shared.mirrors.get(directory, |directory| Arc::new(Mirrors::in_directory(state, directory)))
    }

    fn in_directory(state: &AssociationState, directory: &Path) -> Mirrors {
        let of_user = |mirror: &Mirror| (mirror.clone(), Reach::within(&mirror.folder));
        let list = state.settings.mirrors.iter().map(of_user).collect();
        let built_in = state.settings.built_in.clone();
        let mut mirrors = Mirrors { list, fetched: Arc::clone(&state.fetched), built_in, ..Mirrors::default() };
        let mut decided = false;
        for config in configurations::going_up(state, &directory.join(FILE_NAME)) {
            let read = config.config();
            if let Some(is_on) = read.built_in.filter(|_| !std::mem::replace(&mut decided, true)) {
                mirrors.built_in = mirrors.built_in.filter(|_| is_on);
            } else if read.mirrors.is_empty() {
                continue;
            }
            let (base, reach) = (config.path.parent().unwrap_or(Path::new("/")), state.reach_of(&config.path));
            for mirror in &read.mirrors {
                let folder = normalise(base, Path::new(&mirror.folder));
                let url = mirror.url.trim_end_matches('/').to_owned();
                mirrors.list.push((Mirror { url, folder }, reach.clone()));
            }
            mirrors.config.get_or_insert(config.id);
            mirrors.stamps.push(config.revision);
        }
        mirrors
    }

    /// The files that may contain the document of a URL, the most likely first: mirrors of longer URLs come first.
    pub fn files(&self, url: &str) -> Vec<(PathBuf, Reach)> {
        let mut found: Vec<(usize, PathBuf, Reach)> = Vec::new();
        for (mirror, reach) in &self.list {
            found.extend(mirror.files(url).into_iter().map(|path| (mirror.url.len(), path, reach.clone())));
        }
        if found.is_empty() {
            return match self.fetched.file(url) {
                Some(fetched) => vec![fetched],
                None => self.built_in.iter().flat_map(|built_in| built_in.places(url)).collect(),
            };
        }
        found.sort_by_key(|(length, ..)| std::cmp::Reverse(*length));
        found.into_iter().map(|(_, path, reach)| (path, reach)).collect()
    }

    /// The built-in schemas, where they are used.
    pub fn built_in(&self) -> Option<&BuiltIn> {
        self.built_in.as_ref()
    }

    /// The files that may contain the document of a URI, for a schema with this reach.
    pub fn files_of_uri(&self, uri: &str, reach: &Reach) -> Vec<(PathBuf, Reach)> {
        match path_of_file_uri(uri) {
            Some(path) => vec![(path, reach.clone())],
            None => self.files(uri),
        }
    }
}
