//! The places of documents and schemas that rules look at.
//!
//! A rule that compares nothing with a schema says in its own file what it looks at: [`Looks`]. [`crate::visit`] calls it
//! at each of these places, whether the document is read in its tree or as data.

use crate::view::{Scalar, Source, TreeView, View};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Document, Key, Node, Note, Notes, Span};
use lofting_schema::{Schema, SchemaId, SchemaNode};
use std::borrow::Cow;

/// What a rule looks at, each with the function that is called there.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    /// The documents of a file, together.
    Documents(fn(&[Document], &mut Vec<Diagnostic>)),
    /// A document, with what is above it.
    Document(fn(&Document, &mut Vec<Diagnostic>)),
    /// An entry of a map.
    Entry(fn(&EntryPlace<'_>, &mut Vec<Diagnostic>)),
    /// An item of an array.
    Item(fn(&ItemPlace<'_>, &mut Vec<Diagnostic>)),
    /// A scalar that is the value of an entry or item, or of a whole document.
    Scalar(fn(&ScalarPlace<'_>, &mut Vec<Diagnostic>)),
    /// An annotation.
    Annotation(fn(&AnnotationPlace<'_>, &mut Vec<Diagnostic>)),
    /// A comment that ytt does not read.
    Comment(fn(&CommentPlace<'_>, &mut Vec<Diagnostic>)),
    /// A node of a schema that gives types by defaults.
    SchemaNode(fn(&SchemaPlace<'_>, &mut Vec<Diagnostic>)),
}

/// What a rule looks at, and in which files.
#[derive(Clone, Copy)]
pub(crate) struct Looks {
    pub files: Files,
    pub at: &'static [Look],
}

/// The files in which a rule looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Files {
    /// Files with annotations or code of ytt.
    Templates,
    /// Files without.
    Plain,
    /// All files.
    All,
}

impl Looks {
    pub const fn in_templates(at: &'static [Look]) -> Self {
        Looks { files: Files::Templates, at }
    }

    pub const fn in_plain_files(at: &'static [Look]) -> Self {
        Looks { files: Files::Plain, at }
    }

    pub const fn everywhere(at: &'static [Look]) -> Self {
        Looks { files: Files::All, at }
    }
}

/// An entry of a map.
pub(crate) struct EntryPlace<'p> {
    pub key: &'p Key,
    /// Where the key is written.
    pub span: Span,
    /// The annotations of the entry, if it has any.
    pub notes: Option<&'p Notes>,
    /// A merge key has brought it: it is written elsewhere.
    pub merged: bool,
    pub source: &'p dyn Source,
}

/// An item of an array.
pub(crate) struct ItemPlace<'p> {
    /// The dash, or the value in flow style.
    pub span: Span,
    /// The annotations of the item, if it has any.
    pub notes: Option<&'p Notes>,
}

/// A scalar.
pub(crate) struct ScalarPlace<'p> {
    pub span: Span,
    pub content: Content<'p>,
    pub source: &'p dyn Source,
}

/// The content of a scalar.
#[derive(Clone, Copy)]
pub(crate) enum Content<'p> {
    /// A string.
    String(&'p str),
    /// A number, a boolean or null.
    Other,
    /// It was not read yet.
    Tree(TreeView<'p>),
}

impl ScalarPlace<'_> {
    /// The string that it stands for, if it is one.
    pub fn string(&self) -> Option<Cow<'_, str>> {
        match self.content {
            Content::String(text) => Some(Cow::Borrowed(text)),
            Content::Other => None,
            Content::Tree(view) => match view.scalar() {
                Some(Scalar::String(text)) => Some(Cow::Owned(text.to_string())),
                _ => None,
            },
        }
    }

    /// The text of a string without quotes that begins like this, as it is written. Cheap for all others.
    pub fn written_as(&self, begin: &str) -> Option<Cow<'_, str>> {
        if matches!(self.content, Content::String(text) if !text.starts_with(begin)) {
            return None;
        }
        let written = self.source.text(self.span).filter(|text| text.starts_with(begin))?;
        self.string().map(|_| written)
    }
}

/// An annotation.
pub(crate) struct AnnotationPlace<'p> {
    pub note: &'p Note,
    /// It is in a document of a design proposal, whose annotations ytt does not know.
    pub in_proposal: bool,
    /// It is where the value of its item is missing, and was probably meant to compute it.
    pub is_value: bool,
}

/// A comment.
pub(crate) struct CommentPlace<'p> {
    pub span: Span,
    /// The text with its `#`.
    pub text: &'p str,
}

/// A node of a schema.
pub(crate) struct SchemaPlace<'p> {
    pub schema: &'p Schema,
    pub id: SchemaId,
    pub node: &'p SchemaNode,
    pub source: &'p dyn Source,
    pub compare: &'p dyn Compare,
}

/// Compares values with nodes of a schema, for rules about schemas.
pub(crate) trait Compare {
    /// What is wrong with the type of a value.
    fn wrong_types(&self, id: SchemaId, value: &Node) -> Vec<Diagnostic>;
    /// Whether a value keeps all rules of a node, as far as they can be asked without running code.
    fn keeps_rules(&self, id: SchemaId, value: &Node) -> bool;
}
