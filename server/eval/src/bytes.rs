//! Strings as sequences of bytes.
//!
//! ytt's strings are bytes: an index, a slice, a decoder or a `!!binary` value can give a part of a character. Rust's strings
//! consist of whole characters, so a byte that is not a complete character is represented by a character from a range that
//! no script uses.

use std::borrow::Cow;

/// The character that would stand for byte 0; only those for 128 and above are used.
const BASE: u32 = 0x10_ff00;

/// The byte that a character represents, if it represents one.
pub fn byte_of(character: char) -> Option<u8> {
    let byte = u8::try_from((character as u32).checked_sub(BASE)?).ok()?;
    (byte >= 0x80).then_some(byte)
}

/// Whether the string contains bytes that are not a complete character.
pub fn has_parts(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(|character| byte_of(character).is_some())
}

/// The bytes of a string.
pub fn of(text: &str) -> Cow<'_, [u8]> {
    if !has_parts(text) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match byte_of(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(bytes)
}

/// The string for these bytes.
pub fn text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(BASE + u32::from(*byte))));
    }
    out
}

/// A string after concatenation: parts of a character that are adjacent now become the character.
pub fn joined(text: String) -> String {
    if has_parts(&text) { self::text(&of(&text)) } else { text }
}

/// How many bytes a string has.
pub fn length(text: &str) -> usize {
    if has_parts(text) { of(text).len() } else { text.len() }
}

#[cfg(test)]
mod tests {
    use super::{has_parts, joined, length, of, text};

    #[test]
    fn parts_of_characters_meet_again() {
        let whole = "aé€";
        let bytes = whole.as_bytes();
        let (left, right) = (text(&bytes[..2]), text(&bytes[2..]));
        assert_eq!((length(&left), length(&right)), (2, 4));
        assert!(has_parts(&left) && has_parts(&right) && !has_parts(whole));
        assert_eq!(of(&left).as_ref(), &bytes[..2]);
        assert_eq!(joined(left + &right), whole);
    }
}
