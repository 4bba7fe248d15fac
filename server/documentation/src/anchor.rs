//! Anchors of values: the path itself, so that links stay valid for as long as the key has its name.

use lofting_text::{Breaks, visible};
use std::fmt::Write;

/// The value of `id`: HTML allows everything in it but white space.
pub(crate) fn id(path: &str) -> String {
    let mut id = String::with_capacity(path.len());
    for c in visible(path, Breaks::Shown).chars() {
        if c.is_whitespace() {
            // Writing to a String cannot fail. A backslash of the path is doubled there, so this means nothing else.
            let _ = write!(id, "\\x{:x}", u32::from(c));
        } else {
            id.push(c);
        }
    }
    id
}

/// What a link to it has after the `#`.
pub(crate) fn fragment(path: &str) -> String {
    let mut fragment = String::with_capacity(path.len());
    for byte in id(path).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => fragment.push(char::from(byte)),
            other => drop(write!(fragment, "%{other:02X}")),
        }
    }
    fragment
}
