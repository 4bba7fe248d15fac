//! Spaces of Unicode that YAML reads as text.

use std::ops::Range;

/// Whether a character is a space of Unicode that YAML reads as text: it takes only the space and the tab for blanks.
pub fn is_foreign_space(c: char) -> bool {
    c.is_whitespace() && !c.is_ascii() && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Where such spaces follow a dash at the start of a text, or the first colon after a word.
pub fn foreign_space(text: &[u8]) -> Option<Range<usize>> {
    let text = std::str::from_utf8(text).ok().filter(|text| !text.is_ascii())?;
    let follows = |at: usize| {
        let rest = text.get(at..)?;
        let len = rest.find(|c| !is_foreign_space(c)).unwrap_or(rest.len());
        (len > 0).then_some(at..at + len)
    };
    let colon = text.find(':').filter(|at| !text[..*at].contains(' '));
    colon.and_then(|at| follows(at + 1)).or_else(|| follows(text.starts_with('-').then_some(1)?))
}
