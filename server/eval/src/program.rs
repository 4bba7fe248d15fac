//! A YAML template as a list of statements, as ytt compiles it (docs/ytt.md 7.1), and the result of evaluating it.
//!
//! Nodes name their parents, so nodes inside `if`, `for` and `def` find their place without end marks; only a node
//! below a head like `if/end` has one.

use serde::{Deserialize, Serialize};
use std::ops::Range;

use crate::data::{Data, Fragment};

/// A YAML file with code, in document order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TemplateProgram {
    /// The file's path inside ytt (`schema.yml`, `lib/x.lib.yml`): the base of relative `load`s, and the name in error
    /// places.
    pub path: String,
    /// Documents and items; a parent comes before its children.
    pub nodes: Vec<TemplateNode>,
    /// All annotations whose arguments are evaluated.
    pub annotations: Vec<TemplateAnnotation>,
    /// What is executed, in document order.
    pub statements: Vec<Statement>,
}

/// Code and where it starts in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The text, verbatim.
    pub text: String,
    /// Offset of its first byte in the file.
    pub start: u32,
}

/// The text that a scalar stands for, with code in it, and where its parts are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScalarText {
    /// The text.
    pub text: String,
    /// In order, without gaps in the text.
    pub parts: Vec<TextPart>,
}

/// A part of the text of a scalar, with the bytes of the file that stand for it: the same bytes, or a whole escape, or
/// the end of a line with the indentation of the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPart {
    /// In the text.
    pub meant: Range<u32>,
    /// In the file.
    pub written: Range<u32>,
}

impl ScalarText {
    /// A text that is written as it is from a place on.
    pub fn verbatim(text: &str, start: u32) -> ScalarText {
        let part = TextPart { meant: 0..text.len() as u32, written: start..start + text.len() as u32 };
        ScalarText { text: text.to_owned(), parts: vec![part] }
    }
}

/// A document or item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateNode {
    /// What it is.
    pub kind: NodeKind,
    /// The node whose value holds this one; None for documents.
    pub parent: Option<u32>,
    /// The key of a map item.
    pub key: Option<TemplateKey>,
    /// The value as written.
    pub body: Body,
    /// The bytes that errors about the node point to: its key, dash or marker.
    pub range: (u32, u32),
}

/// The kind of a [`TemplateNode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeKind {
    /// `---`
    Document,
    /// `key: value`
    MapItem,
    /// `- value`
    ArrayItem,
}

/// The key of a map item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TemplateKey {
    /// A plain key.
    Data(Data),
    /// A string key that may contain `(@ @)` templates.
    Text(ScalarText),
    /// A map or an array, with which evaluation fails.
    Collection,
}

/// The value of a node as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// A scalar; null if nothing was written.
    Scalar(Data),
    /// A map; its items follow as nodes of their own.
    Map,
    /// An array; its items follow as nodes of their own.
    Array,
    /// `#@ expression`
    Expression(Source),
    /// A string that may contain `(@ @)` templates.
    Text(ScalarText),
}

/// An annotation of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateAnnotation {
    /// The node it belongs to; beyond the last node for annotations at the end of the file.
    pub node: u32,
    /// Its name, as ytt reads it.
    pub name: String,
    /// The argument text.
    pub arguments: Source,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// Run code: the text of one comment after `#@`.
    Code(Source),
    /// Evaluate the arguments of an annotation; index into [`TemplateProgram::annotations`]. It comes before its node.
    Annotation(u32),
    /// Start a node, after its annotations; index into [`TemplateProgram::nodes`]. Its children follow.
    Node(u32),
    /// Ends the block of a head like `if/end`, after the node below that head.
    End,
}

/// Block heads that end with the node below them, with their keywords (docs/ytt.md 7.1).
const NODE_BOUND: [(&str, &str); 5] =
    [("if/end", "if"), ("elif/end", "elif"), ("else/end", "else"), ("for/end", "for"), ("def/end", "def")];

/// The keyword, if a code comment begins with a head like `if/end`.
pub fn node_bound(code: &str) -> Option<&'static str> {
    let code = code.trim_start();
    NODE_BOUND.iter().find(|(head, _)| code.starts_with(head)).map(|(_, keyword)| *keyword)
}

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The documents.
    pub documents: Fragment,
    /// The text that a text template produced; None for YAML and Starlark.
    pub text: Option<String>,
    /// The names that the file defines and loads, with their values, for hover.
    pub names: Vec<NameValue>,
    /// The paths of the library files that it loaded, and of those that these loaded, sorted: their code ran without an
    /// error. None where this code printed something.
    pub loaded: Vec<String>,
}

/// A global name at the end of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameValue {
    /// The name.
    pub name: String,
    /// What `type()` says of its value.
    pub type_name: String,
    /// The value as it prints, cut to a few hundred bytes.
    pub text: String,
}
