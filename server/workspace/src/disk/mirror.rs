//! Folders whose files stand for documents on the web.

use crate::disk::Reach;
use crate::disk::path::normalise;
use lofting_syntax::percent_decoded;
use std::path::{Component, Path, PathBuf};

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

    /// Whether its folder exists.
    pub fn is_there(&self) -> bool {
        Reach::within(&self.folder).is_directory(&self.folder)
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
