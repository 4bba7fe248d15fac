//! Places of parts of a scalar's text in the file.

use lofting_document::{Node, NodeValue, Span};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Origins, Tree};
use std::ops::Range;

/// The source of a document.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'t> {
    /// The tree; None if the document was not read from a text.
    pub tree: Option<&'t Tree>,
    /// How scalars were read.
    pub profile: Profile,
}

/// The places of a scalar's parts.
#[derive(Debug, Clone)]
pub struct PartSpans {
    whole: Span,
    /// None if the scalar's text is not available; then the whole scalar is the place.
    origins: Option<Origins>,
}

impl Texts<'_> {
    /// The places of the parts of a scalar.
    pub fn place(&self, node: &Node) -> PartSpans {
        let origins = || {
            let NodeValue::String(text) = &node.value else { return None };
            // After anchor and tag.
            let end = node.span.range().end.checked_sub(1)?;
            let scalar = self.tree?.scalar_at(end)?;
            (scalar.value_in(self.profile) == text.as_str()).then(|| scalar.origins(self.profile))
        };
        PartSpans { whole: node.span, origins: origins() }
    }
}

impl PartSpans {
    /// The place of the whole scalar.
    pub fn whole(&self) -> Span {
        self.whole
    }

    /// Where a range of the text is written.
    pub fn span(&self, range: Range<usize>) -> Span {
        match &self.origins {
            Some(origins) => Span::new(self.whole.file, origins.written(range)),
            None => self.whole,
        }
    }
}
