//! The node tree.

use crate::{Integer, Key, Map, Note, Notes, Span};
use smol_str::SmolStr;
use std::sync::Arc;

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: NodeValue,
    /// The byte range of the value, including anchor and tag. For a missing value, an empty span after the indicator
    /// (`:` or `-`).
    pub span: Span,
    /// Nothing is written; YAML reads that as null.
    pub missing: bool,
    /// Code or half-typed text may add items to this map or array, so nothing may be concluded from the absence of a
    /// key.
    pub partial: bool,
    /// A dict or list that an overlay's function returned. ytt does not convert it: for types and merges it is neither a map
    /// nor an array (docs/ytt.md 14.2).
    pub raw: bool,
    /// After a merge: the value that this one replaced, which may have replaced another one itself.
    pub replaced: Option<Arc<Node>>,
}

impl Node {
    /// A complete value that is written out.
    pub fn new(value: NodeValue, span: Span) -> Self {
        Node { value, span, missing: false, partial: false, raw: false, replaced: None }
    }

    /// Whether anything in the value has an annotation.
    pub fn has_annotations(&self) -> bool {
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            let found = match &node.value {
                NodeValue::Map(items) => {
                    open.extend(items.iter().map(|item| &item.value));
                    items.iter().any(|item| !item.notes.annotations.is_empty())
                }
                NodeValue::Array(items) => {
                    open.extend(items.iter().map(|item| &item.value));
                    items.iter().any(|item| !item.notes.annotations.is_empty())
                }
                _ => false,
            };
            if found {
                return true;
            }
        }
        false
    }

    /// A value that only evaluation can tell.
    pub fn unknown(span: Span) -> Self {
        Node::new(NodeValue::Unknown, span)
    }

    /// Null, because nothing is written.
    pub fn missing(span: Span) -> Self {
        Node { value: NodeValue::Null, span, missing: true, partial: false, raw: false, replaced: None }
    }

    /// The value of a key of a map; the last one if the key is repeated.
    pub fn get(&self, key: &Key) -> Option<&Node> {
        match &self.value {
            NodeValue::Map(items) => items.value(key),
            _ => None,
        }
    }

    /// Converts what overlay functions returned into ordinary nodes, throughout the value. Document trees have bounded
    /// depth, and so has this recursion.
    pub fn make_nodes(&mut self) {
        self.raw = false;
        match &mut self.value {
            NodeValue::Map(items) => items.values_mut().for_each(Node::make_nodes),
            NodeValue::Array(items) => items.iter_mut().for_each(|item| item.value.make_nodes()),
            _ => {}
        }
    }

    /// Whether the whole value is known, including everything inside it.
    pub fn is_known(&self) -> bool {
        self.first_unknown().is_none()
    }

    /// The first place in the value that is unknown without evaluation. Document trees have bounded depth, and so has
    /// this recursion.
    pub fn first_unknown(&self) -> Option<Span> {
        match &self.value {
            _ if self.partial => Some(self.span),
            NodeValue::Unknown => Some(self.span),
            NodeValue::Map(items) => items.iter().find_map(|item| item.value.first_unknown()),
            NodeValue::Array(items) => items.iter().find_map(|item| item.value.first_unknown()),
            _ => None,
        }
    }
}

/// The value of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue {
    /// `null`, `~`, nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A float. `2.0` is a float although it prints as `2`.
    Float(f64),
    /// Text.
    String(SmolStr),
    /// A map, in the order written, merge keys (`<<`) expanded, duplicates kept.
    Map(Map),
    /// An array.
    Array(Vec<ArrayItem>),
    /// Unknown before evaluation, or broken text. Never a reason for an error.
    Unknown,
}

impl NodeValue {
    /// An integer.
    pub fn int(number: impl Into<Integer>) -> NodeValue {
        NodeValue::Int(number.into())
    }
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
    /// Annotations and code that belong to this item.
    pub notes: Notes,
    /// The item was added by a merge key (`<<: *anchor`).
    pub merged: bool,
    /// The item is inside `#@ if`, `#@ for` or the like: it may be present once, several times or not at all, and
    /// another branch may have the same key with a different value.
    pub conditional: bool,
}

/// `- value` with what is attached to it.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayItem {
    /// The dash (block) or the value (flow).
    pub span: Span,
    /// The value.
    pub value: Node,
    /// Annotations and code that belong to this item.
    pub notes: Notes,
    /// See [`MapItem::conditional`].
    pub conditional: bool,
}

/// One document of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// From its first owned comment or marker to its end.
    pub span: Span,
    /// The `---` line's marker, if written.
    pub marker: Option<Span>,
    /// Annotations and code that belong to the document.
    pub notes: Notes,
    /// The content.
    pub value: Node,
    /// See [`MapItem::conditional`].
    pub conditional: bool,
}

/// The annotations that make a document a schema of data values: ytt's own, and those of its design proposals.
pub const SCHEMA_HEADS: [&str; 5] =
    ["data/values-schema", "schema/match", "schema/definition", "schema", "schema/amend"];

impl Document {
    /// Whether the document or anything in it has an annotation.
    pub fn has_annotations(&self) -> bool {
        !self.notes.annotations.is_empty() || self.value.has_annotations()
    }

    /// Whether this is a schema of data values.
    pub fn is_schema(&self) -> bool {
        self.heads().next().is_some()
    }

    /// The annotations among [`SCHEMA_HEADS`] in document order.
    pub fn heads(&self) -> impl Iterator<Item = &Note> {
        self.notes.annotations.iter().filter(|note| SCHEMA_HEADS.contains(&note.name.as_str()))
    }

    /// Whether this is a `#@data/values` document.
    pub fn is_data_values(&self) -> bool {
        self.notes.has("data/values")
    }

    /// Whether ytt drops it silently: null, or a collection without items (docs/ytt.md 3.3).
    pub fn is_empty(&self) -> bool {
        match &self.value.value {
            NodeValue::Null => true,
            NodeValue::Map(items) => items.is_empty() && !self.value.partial,
            NodeValue::Array(items) => items.is_empty() && !self.value.partial,
            _ => false,
        }
    }

    /// Whether ytt prints nothing of it: it is empty, and not a collection that code made, of which ytt does not look whether
    /// it is.
    pub fn is_unprinted(&self) -> bool {
        self.is_empty() && self.notes.computed.is_none()
    }
}

/// All documents of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentSet {
    /// In the order written.
    pub documents: Vec<Document>,
    /// At least one comment is an annotation or code: ytt treats the file as a template.
    pub is_template: bool,
    /// Some key contains code, so its item is not among the documents before evaluation.
    pub templated_keys: bool,
    /// Something is not among the documents before evaluation because it seems to be in the body of a function.
    pub in_functions: bool,
    /// Errors beyond syntax.
    pub issues: Vec<Issue>,
    /// Comments after the last node, which belong to ytt's invisible end document.
    pub tail: Notes,
}

/// Errors that lowering finds. Rules in `check` turn them into findings.
#[derive(Debug, Clone, PartialEq)]
pub enum Issue {
    /// An ordinary comment in a template (docs/ytt.md 5.1).
    OrdinaryComment {
        /// The comment.
        span: Span,
    },
    /// A key that is written twice in one map of a template: an error unless the later one is
    /// annotated `#@yaml/map-key-override` (docs/ytt.md 4.3).
    DuplicateKey {
        /// The later key.
        span: Span,
        /// The earlier key.
        first: Span,
        /// The key.
        key: Key,
    },
    /// A key that is written twice in one map of a file without ytt code: the last one counts.
    RepeatedKey {
        /// The later key.
        span: Span,
        /// The earlier key.
        first: Span,
        /// The key.
        key: Key,
    },
    /// A tag that does not fit its value, `!!int hello` (docs/ytt.md 4.1).
    Tag {
        /// The scalar with its tag.
        span: Span,
        /// The explanation for the user.
        message: String,
    },
    /// Unquoted text that `--strict` refuses (docs/ytt.md 4.6).
    Strict {
        /// The scalar.
        span: Span,
        /// Its text.
        text: String,
        /// The tag of what the text is read as without `--strict`, if that is not a string.
        reading: Option<&'static str>,
    },
    /// `*x` without `&x` before it (docs/ytt.md 4.4).
    UnknownAlias {
        /// The alias.
        span: Span,
        /// Its name.
        name: String,
    },
    /// `<<:` with a value that is not a map (docs/ytt.md 4.4).
    MergeValue {
        /// The value as it is written, or the item of an array.
        span: Span,
        /// An array of maps is merged as well.
        lists: bool,
    },
    /// Aliases expand to more nodes than allowed ("billion laughs" attack).
    AliasLimit {
        /// The alias at which expansion stopped.
        span: Span,
    },
    /// `: value` in a block or a flow map, without `?` and without anything before the colon (docs/ytt.md 4.5).
    NoKey {
        /// The colon.
        span: Span,
    },
    /// A tab on an otherwise blank line that yaml.v2 refuses (docs/ytt.md 4.5).
    BlankTab {
        /// The white space from the tab on.
        span: Span,
    },
    /// YAML that ytt's library refuses (docs/ytt.md 4.5).
    Refused {
        /// The place.
        span: Span,
        /// What is refused.
        what: Refused,
    },
    /// A map or array used as a key (docs/ytt.md 4.2). YAML allows it outside ytt.
    CollectionKey {
        /// The key.
        span: Span,
    },
    /// The arguments of an annotation cannot be read.
    Arguments {
        /// The place.
        span: Span,
        /// The explanation for the user.
        message: String,
    },
    /// A computed value (`key: #@ expression`) is not valid Starlark.
    Code {
        /// The place.
        span: Span,
        /// The explanation for the user.
        message: String,
    },
    /// A node that has both a YAML value and one from code or an annotation (docs/ytt.md 5.4).
    CodeAndValue {
        /// The code comment.
        span: Span,
        /// The value.
        value: Span,
    },
    /// `a: &x [*x]`: the anchored value contains itself.
    AliasCycle {
        /// The alias.
        span: Span,
        /// Its name.
        name: String,
    },
    /// Nesting beyond the limit; the value at this place is unknown.
    DepthLimit {
        /// The value.
        span: Span,
    },
    /// ytt does not understand a byte order mark: it corrupts the first token, and silently disables an annotation or
    /// marker on the first line (docs/ytt.md 4.5).
    ByteOrderMark {
        /// The mark.
        span: Span,
        /// The comment after it that has no effect.
        comment: Option<Span>,
    },
    /// A directive that ytt refuses: `%YAML` with a version other than 1.1, or one it does not know.
    Directive {
        /// The line.
        span: Span,
        /// It is `%YAML`.
        version: bool,
    },
    /// `#@ if`, `#@ for`, `#@ def` ... without its `#@ end` (docs/ytt.md 18).
    UnclosedBlock {
        /// The opening line.
        span: Span,
    },
    /// `#@ if x`: the head of a block without its colon.
    HalfOpenBlock {
        /// The line.
        span: Span,
        /// There is an `#@ end` for it, so it is a block. Otherwise it has only just been typed.
        closed: bool,
    },
    /// `#@ end` (or `#@ else:`) with no open block.
    UnexpectedEnd {
        /// The line.
        span: Span,
    },
    /// `#@if x:` or `#@end` without a space: ytt takes it as an annotation, where the blocks need a line of code.
    CodeWithoutSpace {
        /// The comment.
        span: Span,
        /// The head of the block that lacks this `end`.
        unclosed: Option<Span>,
    },
    /// Code between `#@ if/end` and the node it stands for (docs/ytt.md 7.1).
    CodeAfterSlashEnd {
        /// The misplaced line of code.
        span: Span,
        /// The `/end` line.
        opening: Span,
    },
}

/// YAML that yaml.v2 refuses, with which ytt and Kubernetes read, and that other libraries read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// `\/` in double quotes.
    Slash,
    /// A character in double quotes that is written as two escapes, as JSON does.
    Pair,
    /// Between brackets, text that begins with a colon.
    Colon,
    /// Between brackets, text with a question mark.
    Question,
    /// Between brackets, a bracket directly after the colon of an unquoted key.
    Bracket,
    /// Between brackets, a key that is not on the line of its colon.
    KeyLines,
    /// A tag with `#`, or between brackets one without a blank after it.
    Tag,
    /// The name of an anchor or alias with characters other than letters, digits, `-` and `_`.
    Name,
    /// A key of more than 1024 characters.
    LongKey,
    /// A block scalar as a document, with text at the left margin.
    Margin,
    /// A document without `---` after `...`.
    NoMarker,
    /// A `---` or comment after a byte order mark, which makes YAML read it as text.
    Mark,
}

impl Issue {
    /// Whether ytt's YAML library cannot read the text because of it.
    pub fn ends_reading(&self) -> bool {
        matches!(
            self,
            Issue::Tag { .. }
                | Issue::UnknownAlias { .. }
                | Issue::MergeValue { .. }
                | Issue::NoKey { .. }
                | Issue::BlankTab { .. }
                | Issue::Refused { .. }
                | Issue::AliasCycle { .. }
                | Issue::Directive { .. }
        )
    }

    /// Where to report it.
    pub fn span(&self) -> Span {
        match self {
            Issue::OrdinaryComment { span }
            | Issue::DuplicateKey { span, .. }
            | Issue::RepeatedKey { span, .. }
            | Issue::Tag { span, .. }
            | Issue::Strict { span, .. }
            | Issue::UnknownAlias { span, .. }
            | Issue::MergeValue { span, .. }
            | Issue::AliasLimit { span }
            | Issue::Refused { span, .. }
            | Issue::CollectionKey { span }
            | Issue::NoKey { span }
            | Issue::BlankTab { span }
            | Issue::Arguments { span, .. }
            | Issue::Code { span, .. }
            | Issue::CodeAndValue { span, .. }
            | Issue::AliasCycle { span, .. }
            | Issue::DepthLimit { span }
            | Issue::ByteOrderMark { span, .. }
            | Issue::Directive { span, .. }
            | Issue::UnclosedBlock { span }
            | Issue::HalfOpenBlock { span, .. }
            | Issue::UnexpectedEnd { span }
            | Issue::CodeWithoutSpace { span, .. }
            | Issue::CodeAfterSlashEnd { span, .. } => *span,
        }
    }
}
