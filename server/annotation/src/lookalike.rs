//! Comments that were meant as annotations.

use std::ops::Range;

use crate::catalog;

/// A comment that was meant as an annotation, but that ytt does not read as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// The annotation that was meant.
    pub name: &'static str,
    /// The bytes from the `#` to the name, where `#@` should be.
    pub prefix: Range<usize>,
    /// The name as written.
    pub name_range: Range<usize>,
}

/// Recognises `# @schema/nullable`, `#schema/nullable`, `#@ schema/nullable` and the like. `text` is a comment from its
/// `#` on and starts at `offset` in the file. None for real annotations and for `#!` comments.
pub fn looks_like_annotation(text: &str, offset: usize) -> Option<Lookalike> {
    let text = text.trim_end_matches(['\n', '\r']);
    let name_at = text.find(|c: char| !matches!(c, '#' | '@' | ' ' | '\t'))?;
    let prefix = text.get(..name_at)?;
    if prefix == "#@" || !prefix.starts_with('#') {
        return None;
    }
    let rest = text.get(name_at..)?;
    let len = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_'))).unwrap_or(rest.len());
    let written = rest.get(..len)?;
    // Names without a slash are ordinary words, and a comment with one is too likely to be prose.
    let entry = catalog::find(written).filter(|entry| entry.name.contains('/'))?;
    // Without an `@`, only a name directly after the `#` convinces: prose may begin with such a name.
    if !prefix.contains('@') && !prefix.ends_with('#') {
        return None;
    }
    let name_range = offset + name_at..offset + name_at + len;
    Some(Lookalike { name: entry.name, prefix: offset..offset + name_at, name_range })
}
