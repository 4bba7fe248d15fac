//! What comments attach to documents and items.

use crate::{Empty, Seldom, Span};
use lofting_eval::Arguments;
use smol_str::SmolStr;

/// What ytt attaches to a document or item through comments.
pub type Notes = Seldom<Attached>;

/// What is attached.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attached {
    /// Annotations (`#@name args`) in document order, repeated names included.
    pub annotations: Vec<Note>,
    /// `#@ code` comments on lines of their own, without the marker.
    pub code: Vec<Span>,
    /// `key: #@ expression`: the expression that computes the value.
    pub computed: Option<Span>,
}

/// One annotation with its arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The name without `#@`.
    pub name: SmolStr,
    /// The whole comment, from `#` to the line end.
    pub span: Span,
    /// The name only.
    pub name_span: Span,
    /// The arguments as written; spans are byte offsets in the file of `span`.
    pub arguments: Arguments,
}

impl Attached {
    /// The annotation of that name that takes effect: the last one (docs/ytt.md 5.3).
    pub fn get(&self, name: &str) -> Option<&Note> {
        self.annotations.iter().rev().find(|note| note.name == name)
    }

    /// Whether there is an annotation of that name.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

impl Empty for Attached {
    const EMPTY: &'static Self = &Attached { annotations: Vec::new(), code: Vec::new(), computed: None };
}

impl From<Vec<Note>> for Notes {
    fn from(annotations: Vec<Note>) -> Notes {
        Attached { annotations, ..Attached::default() }.into()
    }
}
