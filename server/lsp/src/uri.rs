//! `file:` URIs and paths.
//!
//! Clients escape differently (VS Code sends `%3A` for the colon of a drive), so URIs are never compared: a path is the
//! identity of a file, and an open document keeps the URI its client gave it.

use std::path::{Path, PathBuf};

use tower_lsp_server::gen_lsp_types::Uri;

/// The path of a `file:` URI. Other schemes, such as `untitled:`, give a path that can not exist on any disk, so that
/// unsaved documents work like files that have not been written yet.
pub(crate) fn to_path(uri: &Uri) -> PathBuf {
    let text = uri.as_ref();
    let Some(rest) = text.strip_prefix("file://") else {
        return PathBuf::from(format!("/\u{0}{text}"));
    };
    let path = &rest[rest.find('/').unwrap_or(rest.len())..];
    path_of(percent_decoded(path))
}

/// Names of files are bytes on Unix, and need not be text.
#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(without_slash_before_drive(&String::from_utf8_lossy(&bytes)))
}

/// The `file:` URI of an absolute path.
pub(crate) fn from_path(path: &Path) -> Uri {
    if let Some(other) = path.to_string_lossy().strip_prefix("/\u{0}") {
        return Uri(other.to_owned());
    }
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut uri = String::from("file://");
    if !bytes.starts_with(b"/") {
        uri.push('/');
    }
    for &byte in bytes {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => push_encoded(&mut uri, byte),
        }
    }
    Uri(uri)
}

/// A text as a part of a URI.
pub(crate) fn encoded(text: &str) -> String {
    let mut uri = String::with_capacity(text.len());
    text.bytes().for_each(|byte| push_encoded(&mut uri, byte));
    uri
}

/// A text that was a part of a URI.
pub(crate) fn decoded(part: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(part)).into_owned()
}

fn push_encoded(uri: &mut String, byte: u8) {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
        _ => uri.push_str(&format!("%{byte:02X}")),
    }
}

/// `/c:/dir` is how a URI writes the path `c:/dir`.
#[cfg(not(unix))]
fn without_slash_before_drive(path: &str) -> &str {
    match path.as_bytes() {
        [b'/', letter, b':', ..] if cfg!(windows) && letter.is_ascii_alphabetic() => &path[1..],
        _ => path,
    }
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex = |at: usize| {
            text.as_bytes().get(text.len() - rest.len() + at).and_then(|digit| char::from(*digit).to_digit(16))
        };
        match (byte, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest.nth(1);
            }
            _ => bytes.push(byte),
        }
    }
    bytes
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
