//! Places of parts of a scalar's text in the file.

use lofting_document::{Node, NodeValue, Span, write};
use lofting_syntax::resolve::{Profile, needs_quotes_in_flow};
use lofting_syntax::{Origins, Tree, Value, ValueKind};
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
        match &node.value {
            NodeValue::String(text) => self.place_at(node.span, text),
            _ => PartSpans { whole: node.span, origins: None },
        }
    }

    /// The places of the parts of a scalar, a key or a value, whose text is `text`.
    pub fn place_at(&self, whole: Span, text: &str) -> PartSpans {
        let origins = || {
            // After anchor and tag.
            let end = whole.range().end.checked_sub(1)?;
            let scalar = self.tree?.scalar_at(end)?;
            (scalar.value_in(self.profile) == text).then(|| scalar.origins(self.profile))
        };
        PartSpans { whole, origins: origins() }
    }

    /// The places of the parts of a scalar in the tree, which stands for `text`.
    pub fn place_of(&self, whole: Span, value: Value<'_>, text: &str) -> PartSpans {
        let scalar = value.scalar().filter(|scalar| scalar.value_in(self.profile) == text);
        PartSpans { whole, origins: scalar.map(|scalar| scalar.origins(self.profile)) }
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

/// How the scalars of a text are written, so that a change of one is written alike.
#[derive(Debug, Clone, Copy)]
pub struct Written<'t>(pub Option<&'t Tree>);

impl Written<'_> {
    /// The first character of a range.
    fn first(&self, span: Span) -> Option<char> {
        let range = span.range();
        self.0?.text(range.start..range.end.min(range.start + 4)).chars().next()
    }

    /// The range of the scalar at the end of a value, without anchor and tag.
    fn scalar(&self, span: Span) -> Option<Span> {
        let scalar = self.0?.scalar_at(span.range().end.checked_sub(1)?)?;
        Some(Span::new(span.file, scalar.range()))
    }

    /// Whether the text is JSON, where all strings are in double quotes.
    fn is_json(&self) -> bool {
        let root = self.0.and_then(|tree| tree.documents().next()).and_then(|document| document.root());
        root.is_some_and(|root| matches!(root.kind(), ValueKind::FlowMap | ValueKind::FlowSeq))
    }

    /// A string as it is written in the place of another scalar.
    pub fn like(&self, span: Span, text: &str) -> String {
        let span = self.scalar(span).unwrap_or(span);
        match self.first(span) {
            Some('\'') if !text.contains('\'') && !text.contains('\n') => format!("'{text}'"),
            Some('"') => write::double_quoted(text),
            _ if self.is_json() || needs_quotes_in_flow(Profile::Core12, text) => write::double_quoted(text),
            _ => text.to_owned(),
        }
    }
}
