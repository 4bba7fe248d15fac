//! Classes and cases of characters, as in Go.

use std::sync::LazyLock;

use regex::Regex;

/// The upper case of the character, if that is a single character.
pub(super) fn upper(character: char) -> char {
    let mut all = character.to_uppercase();
    match (all.next(), all.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

/// The lower case of the character, if that is a single character.
pub(super) fn lower(character: char) -> char {
    let mut all = character.to_lowercase();
    match (all.next(), all.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

pub(super) fn lowered(text: &str) -> String {
    text.chars().map(lower).collect()
}

pub(super) fn uppered(text: &str) -> String {
    text.chars().map(upper).collect()
}

pub(super) fn is_cased(character: char) -> bool {
    character.is_ascii_alphabetic() || upper(character) != character || lower(character) != character
}

/// For ytt, upper-case letters outside ASCII do not start a title.
pub(super) fn is_title(text: &str) -> bool {
    let (mut cased, mut follows) = (false, false);
    for character in text.chars() {
        let (first, later) = (character.is_ascii_uppercase(), character.is_lowercase());
        if first && follows || later && !follows || !first && character.is_uppercase() {
            return false;
        }
        follows = first || later;
        cased |= follows;
    }
    cased
}

static LETTERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{L}+$").ok());
static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{Nd}+$").ok());
static BOTH: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{Nd}]+$").ok());

/// Whether a text is not empty and consists of characters of the class that a method asks for.
pub(super) fn has_only(method: &str, text: &str) -> bool {
    let (ascii, all): (fn(&u8) -> bool, _) = match method {
        "isalpha" => (u8::is_ascii_alphabetic, &LETTERS),
        "isdigit" => (u8::is_ascii_digit, &DIGITS),
        _ => (u8::is_ascii_alphanumeric, &BOTH),
    };
    if text.is_ascii() {
        return !text.is_empty() && text.bytes().all(|byte| ascii(&byte));
    }
    all.as_ref().is_some_and(|class| class.is_match(text))
}
