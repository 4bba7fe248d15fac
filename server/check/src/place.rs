//! The places of documents and schemas that rules look at.
//!
//! A rule that compares nothing with a schema says in its own file what it looks at: [`Looks`]. [`crate::visit`] calls it
//! at each of these places, whether the document is read in its tree or as data.

use crate::view::{Scalar, Source, TreeView, View};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Document, FileId, Issue, Key, Node, Note, Notes, Span};
use lofting_eval::code::{Binding, BindingKind, Code, ScopeId, TermKind};
use lofting_overlay::Problem;
use lofting_schema::{Schema, SchemaId, SchemaNode};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::ops::Range;

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
    /// What reading a text noticed, in its tree or by lowering it.
    Issue(fn(&IssuePlace<'_>, &mut Vec<Diagnostic>)),
    /// The code of a file.
    Code(fn(&CodePlace<'_>, &mut Vec<Diagnostic>)),
    /// What could not be merged.
    Merge(fn(&MergePlace<'_>, &mut Vec<Diagnostic>)),
    /// A schema as a whole, of any language.
    Schema(fn(&WholeSchema<'_>, &mut Vec<Diagnostic>)),
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
        self.written_if(|text| text.starts_with(begin))
    }

    /// The text of a string as it is written, if it and the string that it stands for may be meant. Cheap for all others.
    pub fn written_if(&self, may_be: impl Fn(&str) -> bool) -> Option<Cow<'_, str>> {
        if matches!(self.content, Content::String(text) if !may_be(text)) {
            return None;
        }
        let written = self.source.text(self.span).filter(|text| may_be(text))?;
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

/// What reading a text noticed.
pub(crate) struct IssuePlace<'p> {
    pub issue: &'p Issue,
    pub source: &'p dyn Source,
}

/// The code of a file, with the names that it uses.
pub(crate) struct CodePlace<'p> {
    pub file: FileId,
    pub code: &'p Code,
    /// Other files may load what it defines, except names that begin with `_` (docs/ytt.md 7.5).
    pub is_library: bool,
    /// By the scope that binds them.
    used: FxHashSet<(ScopeId, &'p str)>,
}

impl<'p> CodePlace<'p> {
    pub fn new(file: FileId, code: &'p Code, is_library: bool) -> Self {
        // The target of an assignment is an expression as well.
        let bound: FxHashSet<usize> = code.bindings.iter().map(|binding| binding.range.start).collect();
        let uses = code.terms.iter().filter_map(|term| match &term.kind {
            TermKind::Name(name) if !bound.contains(&term.range.start) => {
                Some((code.owner(term.scope, name)?, name.as_str()))
            }
            _ => None,
        });
        // `name += 1` reads it, too.
        let changed = code.bindings.iter().filter(|binding| binding.kind == BindingKind::Other);
        let used = uses.chain(changed.map(|binding| (binding.scope, binding.name.as_str()))).collect();
        CodePlace { file, code, is_library, used }
    }

    /// What it binds and never uses.
    pub fn unused(&self) -> impl Iterator<Item = &'p Binding> {
        self.code.bindings.iter().filter(|binding| !self.used.contains(&(binding.scope, binding.name.as_str())))
    }

    /// Whether another file can load a name.
    pub fn can_be_loaded(&self, binding: &Binding) -> bool {
        binding.scope == ScopeId(0) && self.is_library && !binding.name.starts_with('_')
    }

    pub fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.file, range.clone())
    }
}

/// What could not be merged.
pub(crate) struct MergePlace<'p> {
    pub problem: &'p Problem,
    /// Whether to search for the name that was probably meant.
    pub suggests: bool,
}

/// A schema as a whole.
pub(crate) struct WholeSchema<'p> {
    pub schema: &'p Schema,
    pub source: &'p dyn Source,
    pub compare: &'p dyn Compare,
}

impl WholeSchema<'_> {
    /// What is wrong with the type of a value in the schema (docs/ytt.md 10.2).
    pub fn wrong_types(&self, id: SchemaId, value: &Node, span: Span) -> Vec<Diagnostic> {
        self.compare.wrong(self, id, (value, span), Aspects::Types)
    }

    /// The rules that a value in the schema breaks, as far as they can be checked without running code.
    pub fn broken_rules(&self, id: SchemaId, value: &Node, span: Span) -> Vec<Diagnostic> {
        self.compare.wrong(self, id, (value, span), Aspects::Rules)
    }

    /// Everything that is wrong with a value in the schema.
    pub fn wrong(&self, id: SchemaId, value: &Node, span: Span) -> Vec<Diagnostic> {
        self.compare.wrong(self, id, (value, span), Aspects::Everything)
    }
}

/// Compares values with nodes of a schema, for rules about schemas.
pub(crate) trait Compare {
    /// What is wrong with a value, and where to report what is wrong with the whole of it.
    fn wrong(&self, of: &WholeSchema<'_>, id: SchemaId, value: (&Node, Span), asked: Aspects) -> Vec<Diagnostic>;
}

/// What is asked about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aspects {
    Types,
    /// Rules that need no code.
    Rules,
    Everything,
}

/// A node of a schema.
pub(crate) struct SchemaPlace<'p> {
    pub whole: &'p WholeSchema<'p>,
    pub id: SchemaId,
    pub node: &'p SchemaNode,
}

impl SchemaPlace<'_> {
    /// What is wrong with the type of a value.
    pub fn wrong_types(&self, value: &Node) -> Vec<Diagnostic> {
        self.whole.wrong_types(self.id, value, value.span)
    }

    /// Whether a value satisfies all rules of the node, as far as they can be checked without running code.
    pub fn keeps_rules(&self, value: &Node) -> bool {
        self.whole.compare.wrong(self.whole, self.id, (value, value.span), Aspects::Rules).is_empty()
    }
}
