//! Splits texts at white space.

pub(super) fn reversed<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut parts: Vec<&str> = parts.collect();
    parts.reverse();
    parts
}

/// The first `most` words, and the rest with the white space after it.
pub(super) fn words(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        match rest.find(char::is_whitespace).filter(|_| parts.len() < most) {
            Some(end) => {
                let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                parts.push(word);
                rest = after.trim_start();
            }
            None => {
                parts.push(rest);
                break;
            }
        }
    }
    parts
}

/// The last `most` words, and the rest with the white space before it.
pub(super) fn words_from_right(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_end();
    while !rest.is_empty() {
        let gap = rest.char_indices().rev().find(|(_, character)| character.is_whitespace());
        match gap.filter(|_| parts.len() < most) {
            Some((at, character)) => {
                let (before, word) = rest.split_at_checked(at + character.len_utf8()).unwrap_or(("", rest));
                parts.push(word);
                rest = before.trim_end();
            }
            None => {
                parts.push(rest);
                break;
            }
        }
    }
    parts.reverse();
    parts
}
