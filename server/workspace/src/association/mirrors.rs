//! Folders that stand for places of the web: a schema of such a place is read from disk.

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

/// A folder that holds what a URL stands for.
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
        // A folder may be named with `=`, and a URL may end in a query.
        let scheme = text.find("://")?;
        let at = scheme + text.get(scheme..)?.find('=')?;
        let (url, folder) = (text.get(..at)?, text.get(at + 1..)?);
        if folder.is_empty() {
            return None;
        }
        let folder = normalise(base, Path::new(folder));
        Some(Mirror { url: url.trim_end_matches('/').to_owned(), folder })
    }

    /// The files that may hold what a URL names: as it is named, and with the ending that servers add.
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

/// The files that the user's own folders may have for a URL.
pub(crate) fn mirrored(mirrors: &[Mirror], url: &str) -> impl Iterator<Item = (PathBuf, Reach)> {
    let of_mirror = |mirror: &Mirror| {
        let reach = Reach::within(&mirror.folder);
        mirror.files(url).into_iter().map(move |path| (path, reach.clone())).collect::<Vec<_>>()
    };
    mirrors.iter().flat_map(of_mirror).collect::<Vec<_>>().into_iter()
}

/// The folders that stand for URLs in the files of one directory.
#[derive(Clone, Default)]
pub(crate) struct Mirrors {
    /// Each with how far who names it leads.
    list: Vec<(Mirror, Reach)>,
    /// What was fetched, for URLs for which no folder stands.
    fetched: Arc<FetchedDocuments>,
    /// The nearest `lofting.toml` that names some.
    pub config: Option<FileId>,
    /// Change with what is named.
    pub stamps: Vec<Stamp>,
}

impl Mirrors {
    /// Those of a path: of the user, then of each `lofting.toml` going up. Found once for each directory of a state.
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

    /// The files that a URL may stand for, the most likely first: of several folders that of the longest URL.
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

    /// The files that a URI may stand for, in a schema that may name what `reach` says.
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
