//! `file:` URIs and paths.
//!
//! Clients escape differently (VS Code sends `%3A` for the colon of a drive), so URIs are never compared: a path is the
//! identity of a file, and an open document keeps the URI its client gave it.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;

/// The path of a `file:` URI. Other schemes, such as `untitled:`, get a path that cannot exist on any disk, so unsaved
/// documents work like files that have not been written yet.
pub(crate) fn to_path(uri: &Uri) -> PathBuf {
    let text = uri.as_ref();
    lofting_workspace::path_of_file_uri(text).unwrap_or_else(|| PathBuf::from(format!("/\u{0}{text}")))
}

/// The `file:` URI of an absolute path.
pub(crate) fn from_path(path: &Path) -> Uri {
    if let Some(other) = path.to_string_lossy().strip_prefix("/\u{0}") {
        return Uri(other.to_owned());
    }
    Uri(lofting_workspace::file_uri(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_whoever_wrote_them() {
        assert_eq!(to_path(&"file:///a/b%20c/%C3%A4%3A.yml".into()), Path::new("/a/b c/ä:.yml"));
        assert_eq!(to_path(&"file:///a/100%/x%zz.yml".into()), Path::new("/a/100%/x%zz.yml"));
        assert_eq!(to_path(&"file://localhost/a.yml".into()), Path::new("/a.yml"));
        assert_eq!(to_path(&"file://".into()), Path::new(""));
    }

    #[test]
    fn paths_survive_the_way_there_and_back() {
        for path in ["/a/b c/ä😀.yml", "/a%20b/#1?.yml", "/"] {
            assert_eq!(to_path(&from_path(Path::new(path))), Path::new(path));
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_survive_too() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a/\xff-\xc3.yml"));
        assert_eq!(from_path(path).as_ref(), "file:///a/%FF-%C3.yml");
        assert_eq!(to_path(&from_path(path)), path);
    }

    #[test]
    fn unsaved_documents_keep_their_uri() {
        let uri = Uri::from("untitled:Untitled-1");
        assert_eq!(from_path(&to_path(&uri)), uri);
    }
}
