//! Changes to a text that fix a finding.

use lofting_document::Span;

/// How certain it is that a change is what was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// One way of several, or something gets lost: the user must look at it and choose.
    Possible,
    /// Most likely what was meant.
    Likely,
    /// Nothing else can be meant, and nothing else changes: it may be applied automatically.
    Sure,
}

/// A change that fixes a finding, known when the finding is made. Fixes that need more than the rule looks at, such as
/// the surrounding text or other files, are separate files (`ide/code_actions/fixes`).
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// What it does, as the label of a menu entry.
    pub title: String,
    /// Replacements; spans do not overlap. An empty span inserts.
    pub edits: Vec<(Span, String)>,
    /// How certain it is.
    pub confidence: Confidence,
}

impl Fix {
    /// A likely fix with these replacements.
    pub fn new(title: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        Fix { title: title.into(), edits, confidence: Confidence::Likely }
    }

    /// A likely fix that replaces one range.
    pub fn replace(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Fix::new(title, vec![(span, text.into())])
    }

    /// This fix, offered as certain: nothing else can be meant.
    #[must_use]
    pub fn sure(self) -> Self {
        Fix { confidence: Confidence::Sure, ..self }
    }

    /// This fix, offered as one of several ways.
    #[must_use]
    pub fn possible(self) -> Self {
        Fix { confidence: Confidence::Possible, ..self }
    }
}
