//! `file:` URIs and paths.

use lofting_syntax::percent_decoded;
use std::path::{Path, PathBuf};

/// The path of a `file:` URI; None for other schemes.
pub fn path_of_file_uri(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.get(rest.find('/').unwrap_or(rest.len())..).unwrap_or_default();
    Some(path_of(percent_decoded(path)))
}

/// The `file:` URI of an absolute path.
pub fn file_uri(path: &Path) -> String {
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
    uri
}

/// A text as a part of a URI.
pub fn encoded(text: &str) -> String {
    let mut uri = String::with_capacity(text.len());
    text.bytes().for_each(|byte| push_encoded(&mut uri, byte));
    uri
}

/// Decodes a part of a URI.
pub fn decoded(part: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(part)).into_owned()
}

fn push_encoded(uri: &mut String, byte: u8) {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
        _ => uri.push_str(&format!("%{byte:02X}")),
    }
}

/// File names on Unix are bytes, and need not be valid text.
#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(without_slash_before_drive(&String::from_utf8_lossy(&bytes)))
}

/// A URI writes the path `c:/dir` as `/c:/dir`.
#[cfg(not(unix))]
fn without_slash_before_drive(path: &str) -> &str {
    match path.as_bytes() {
        [b'/', letter, b':', ..] if cfg!(windows) && letter.is_ascii_alphabetic() => &path[1..],
        _ => path,
    }
}
