//! Comments that were meant to be annotations, and names that swallowed their arguments.

use std::ops::Range;

use crate::catalog;
use crate::comment::Annotation;

/// A comment ytt does not take for the annotation its author meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// The annotation that was meant.
    pub name: &'static str,
    /// The bytes in front of the name, from the `#` on; `#@` belongs there.
    pub prefix: Range<usize>,
    /// The name as written.
    pub name_range: Range<usize>,
}

/// Recognises `# @schema/nullable`, `#schema/nullable`, `#@ schema/nullable` and the like. `text` is a comment
/// from its `#` on and starts at `offset`. None for real annotations and for `#!` comments.
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
    // The long forms and plain words are too likely to be prose.
    let entry = catalog::find(written).filter(|entry| entry.name.contains('/'))?;
    // Without an `@` anywhere only the bare name is convincing: prose may begin with one.
    if !prefix.contains('@') && !prefix.trim_end().ends_with('#') {
        return None;
    }
    let name_range = offset + name_at..offset + name_at + len;
    Some(Lookalike { name: entry.name, prefix: offset..offset + name_at, name_range })
}

/// A name that goes on into its arguments because no space ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameSlip {
    /// The annotation that was meant.
    pub name: &'static str,
    /// The character that should have been a space or nothing: a tab, `(`, `:`, `=`, ...
    pub separator: char,
    /// From the separator to the end of what ytt takes for the name.
    pub range: Range<usize>,
}

impl Annotation {
    /// Recognises `#@schema/type<TAB>any=True`, `#@schema/nullable:` and `#@schema/title("x")`: ytt takes all of it
    /// for one unknown name.
    pub fn name_slip(&self) -> Option<NameSlip> {
        let len = self.name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_')))?;
        let entry = catalog::find(self.name.get(..len)?)?;
        let separator = self.name.get(len..)?.chars().next()?;
        Some(NameSlip { name: entry.name, separator, range: self.name_range.start + len..self.name_range.end })
    }
}
