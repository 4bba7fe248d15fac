//! Mirrors: folders whose files stand for documents on the web.

use crate::association::configurations;
use crate::association::fetched::FetchedDocuments;
use crate::files::disk::Reach;
use crate::files::path::normalise;
use crate::files::uri::path_of_file_uri;
use crate::input_sets::config::FILE_NAME;
use crate::state::State;
use lofting_document::FileId;
use lofting_memo::Stamp;
use lofting_syntax::percent_decoded;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A folder with copies of the documents below a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    /// The URL of the folder, without a slash at its end.
    pub url: String,
    /// The folder.
    pub folder: PathBuf,
}

impl Mirror {
    /// `URL=FOLDER`; the folder is relative to `base`.
    pub fn parse(text: &str, base: &Path) -> Option<Mirror> {
        // The folder's name may contain `=`, and so may a query in the URL.
        let scheme = text.find("://")?;
        let at = scheme + text.get(scheme..)?.find('=')?;
        let (url, folder) = (text.get(..at)?, text.get(at + 1..)?);
        if folder.is_empty() {
            return None;
        }
        let folder = normalise(base, Path::new(folder));
        Some(Mirror { url: url.trim_end_matches('/').to_owned(), folder })
    }

    /// The files that may contain the document of a URL: with the same path, and with the file extension that servers
    /// add.
    pub fn files(&self, url: &str) -> Vec<PathBuf> {
        let rest = url.strip_prefix(&self.url).and_then(|rest| rest.strip_prefix('/'));
        let Some(rest) = rest.map(|rest| rest.split(['?', '#']).next().unwrap_or_default()) else { return Vec::new() };
        let Ok(rest) = String::from_utf8(percent_decoded(rest)) else { return Vec::new() };
        let path = Path::new(&rest);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if rest.is_empty() || !is_inside {
            return Vec::new();
        }
        let own = self.folder.join(path);
        let ending = self.folder.join(format!("{rest}.json"));
        vec![own, ending]
    }
}

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
    /// The nearest `lofting.toml` with mirrors.
    pub config: Option<FileId>,
    /// Change with the mirrors.
    pub stamps: Vec<Stamp>,
}

impl Mirrors {
    /// The mirrors for a path: those of the user, then those of each `lofting.toml` going up. Computed once for each
    /// directory in a state.
    pub fn of(state: &State, path: &Path) -> Arc<Mirrors> {
        let directory = path.parent().unwrap_or(path).to_owned();
        state.shared.mirrors.get(directory, |directory| Arc::new(Mirrors::in_directory(state, directory)))
    }

    fn in_directory(state: &State, directory: &Path) -> Mirrors {
        let of_user = |mirror: &Mirror| (mirror.clone(), Reach::within(&mirror.folder));
        let list = state.settings.mirrors.iter().map(of_user).collect();
        let mut mirrors = Mirrors { list, fetched: state.fetched.clone(), ..Mirrors::default() };
        for config in configurations::going_up(state, &directory.join(FILE_NAME)) {
            let read = config.config();
            if read.mirrors.is_empty() {
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
            return self.fetched.file(url).into_iter().collect();
        }
        found.sort_by_key(|(length, ..)| std::cmp::Reverse(*length));
        found.into_iter().map(|(_, path, reach)| (path, reach)).collect()
    }

    /// The files that may contain the document of a URI, for a schema with this reach.
    pub fn files_of_uri(&self, uri: &str, reach: &Reach) -> Vec<(PathBuf, Reach)> {
        match path_of_file_uri(uri) {
            Some(path) => vec![(path, reach.clone())],
            None => self.files(uri),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_lead_into_the_folder_and_not_out_of_it() {
        let mirror = Mirror::parse("https://a.b/c/=schemas=1", Path::new("/w")).expect("it is one");
        assert_eq!(mirror, Mirror { url: "https://a.b/c".to_owned(), folder: "/w/schemas=1".into() });
        for (url, want) in [
            ("https://a.b/c/d.json", Some("/w/schemas=1/d.json")),
            ("https://a.b/c/d%20e/f.json?x=1", Some("/w/schemas=1/d e/f.json")),
            ("https://a.b/c/../d.json", None),
            ("https://a.b/c/%2E%2E/d.json", None),
            ("https://a.b/c//etc/passwd", None),
            ("https://a.b/cd/e.json", None),
            ("https://a.b/c", None),
        ] {
            assert_eq!(mirror.files(url).first().map(PathBuf::as_path), want.map(Path::new), "{url}");
        }
        assert_eq!(Mirror::parse("schemas", Path::new("/w")), None);
        assert_eq!(Mirror::parse("https://a.b=", Path::new("/w")), None);
    }
}
