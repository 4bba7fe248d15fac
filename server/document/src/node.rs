//! The node tree.

use crate::{Key, Span};
use lofting_eval::Arguments;
use smol_str::SmolStr;

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: NodeValue,
    /// Where the value is written, properties (anchor, tag) included. For a missing value an empty
    /// span behind the indicator (`:` or `-`).
    pub span: Span,
    /// Nothing is written; YAML reads that as null.
    pub missing: bool,
}

/// The value of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue {
    /// `null`, `~`, nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer; wider than ytt's 64 bits so that nothing is lost before a rule has spoken.
    Int(i128),
    /// A float. `2.0` is a float although it prints as `2`.
    Float(f64),
    /// Text.
    String(SmolStr),
    /// A map, in the order written, merge keys (`<<`) expanded, duplicates kept.
    Map(Vec<MapItem>),
    /// An array.
    Array(Vec<ArrayItem>),
    /// Not known before evaluation, or broken text. Never a reason for an error.
    Unknown,
}

/// `key: value` with what is attached to it.
#[derive(Debug, Clone, PartialEq)]
pub struct MapItem {
    /// The key.
    pub key: Key,
    /// Where the key is written.
    pub key_span: Span,
    /// The whole item: key to end of value.
    pub span: Span,
    /// The value.
    pub value: Node,
    /// Annotations and code owned by this item.
    pub notes: Notes,
    /// The item came in through a merge key (`<<: *anchor`).
    pub merged: bool,
}

/// `- value` with what is attached to it.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayItem {
    /// The dash (block) or the value (flow).
    pub span: Span,
    /// The value.
    pub value: Node,
    /// Annotations and code owned by this item.
    pub notes: Notes,
}

/// What ytt attaches to a document or item through comments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes {
    /// Annotations (`#@name args`) in document order, repeated names included.
    pub annotations: Vec<Note>,
    /// `#@ code` comments, without the marker.
    pub code: Vec<Span>,
}

impl Notes {
    /// The annotation of that name that counts: the last one (ytt reference 5.3).
    pub fn get(&self, name: &str) -> Option<&Note> {
        self.annotations.iter().rev().find(|note| note.name == name)
    }

    /// Whether there is an annotation of that name.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
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

/// One document of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// From its first owned comment or marker to its end.
    pub span: Span,
    /// The `---` line's marker, if written.
    pub marker: Option<Span>,
    /// Annotations and code owned by the document.
    pub notes: Notes,
    /// The content.
    pub value: Node,
}

impl Document {
    /// Whether this is a `#@data/values-schema` document.
    pub fn is_schema(&self) -> bool {
        self.notes.has("data/values-schema")
    }

    /// Whether this is a `#@data/values` document.
    pub fn is_data_values(&self) -> bool {
        self.notes.has("data/values")
    }

    /// Whether ytt drops it without a word: null, or a collection with no items (reference 3.3).
    pub fn is_empty(&self) -> bool {
        match &self.value.value {
            NodeValue::Null => true,
            NodeValue::Map(items) => items.is_empty(),
            NodeValue::Array(items) => items.is_empty(),
            _ => false,
        }
    }
}

/// All documents of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentSet {
    /// In the order written.
    pub documents: Vec<Document>,
    /// At least one comment is an annotation or code: ytt treats the file as a template.
    pub is_template: bool,
    /// What is certainly wrong in the text beyond its syntax.
    pub issues: Vec<Issue>,
}

/// Findings of lowering; rules in `check` give them their words.
#[derive(Debug, Clone, PartialEq)]
pub enum Issue {
    /// An ordinary comment in a template (reference 5.1).
    OrdinaryComment {
        /// The comment.
        span: Span,
    },
    /// A key that is written twice in one map (reference 4.3).
    DuplicateKey {
        /// The later key.
        span: Span,
        /// The earlier key.
        first: Span,
        /// The key.
        key: Key,
    },
    /// A tag that can not apply, `!!int hello` (reference 4.1).
    Tag {
        /// The scalar with its tag.
        span: Span,
        /// Plain words.
        message: String,
    },
    /// `*x` without `&x` before it (reference 4.4).
    UnknownAlias {
        /// The alias.
        span: Span,
        /// Its name.
        name: String,
    },
    /// `<<:` with something that is no map (reference 4.4).
    MergeValue {
        /// The value.
        span: Span,
    },
    /// Aliases expand to more nodes than allowed ("billion laughs").
    AliasLimit {
        /// The alias at which expansion stopped.
        span: Span,
    },
    /// A map or array used as a key (reference 4.2).
    CollectionKey {
        /// The key.
        span: Span,
    },
    /// The arguments of an annotation can not be read.
    Arguments {
        /// The place.
        span: Span,
        /// Plain words.
        message: String,
    },
    /// Annotation or code on a node that also has a YAML value (reference 5.4).
    CodeAndValue {
        /// The code comment.
        span: Span,
        /// The value.
        value: Span,
    },
}
