//! Changes to a text that mend a finding.

use lofting_document::Span;

/// A change that mends a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// What it does, as the label of a menu entry.
    pub title: String,
    /// Replacements; spans do not overlap. An empty span inserts.
    pub edits: Vec<(Span, String)>,
}

impl Fix {
    /// A fix that replaces one range.
    pub fn replace(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Fix { title: title.into(), edits: vec![(span, text.into())] }
    }
}
