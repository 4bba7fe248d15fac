//! A YAML template as a list of statements, as ytt compiles it (docs/ytt.md 7.1), and what it gives.
//!
//! Nodes name their parents, so nodes inside `if`, `for` and `def` find their place without end marks; only a node that
//! a head like `if/end` stands for has one.

use serde::{Deserialize, Serialize};

use crate::data::{Data, Fragment};

/// A YAML file with code, taken apart in document order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TemplateProgram {
    /// The file's path inside ytt (`schema.yml`, `lib/x.lib.yml`): base of relative `load`s, and named in places.
    pub path: String,
    /// Documents and items; a parent stands before its children.
    pub nodes: Vec<TemplateNode>,
    /// All annotations whose arguments are evaluated.
    pub annotations: Vec<TemplateAnnotation>,
    /// What happens, in document order.
    pub statements: Vec<Statement>,
}

/// Text of the file, and the byte at which it starts there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The text, verbatim.
    pub text: String,
    /// Offset of its first byte in the file.
    pub start: u32,
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
    /// Bytes to name in errors about the node: its key, dash or marker.
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
    /// A string key that may hold `(@ @)` templates.
    Text(Source),
}

/// The value of a node as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// A scalar; null if nothing is written.
    Scalar(Data),
    /// A map; its items follow as nodes of their own.
    Map,
    /// An array; its items follow as nodes of their own.
    Array,
    /// `#@ expression`
    Expression(Source),
    /// A string that may hold `(@ @)` templates: its cooked text. Errors inside are exact as long as the text has
    /// no escapes and no folded lines.
    Text(Source),
}

/// An annotation of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateAnnotation {
    /// The node it belongs to; a number that no node has for those behind the last.
    pub node: u32,
    /// Its name, as ytt reads it.
    pub name: String,
    /// The argument text.
    pub arguments: Source,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// `#@ code`: one comment's text behind `#@`.
    Code(Source),
    /// Evaluate the arguments of an annotation; index into [`TemplateProgram::annotations`]. Stands before its node.
    Annotation(u32),
    /// Start a node, after its annotations; index into [`TemplateProgram::nodes`]. Its children follow.
    Node(u32),
    /// A node with all below it is over whose code has a head like `if/end`: the block of that head ends here.
    End,
}

/// Heads of blocks that end with the node below them, with their keywords (docs/ytt.md 7.1).
const NODE_BOUND: [(&str, &str); 5] =
    [("if/end", "if"), ("elif/end", "elif"), ("else/end", "else"), ("for/end", "for"), ("def/end", "def")];

/// The keyword of a code comment that begins with a head like `if/end`.
pub fn node_bound(code: &str) -> Option<&'static str> {
    let code = code.trim_start();
    NODE_BOUND.iter().find(|(head, _)| code.starts_with(head)).map(|(_, keyword)| *keyword)
}

/// What an evaluation gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The documents.
    pub documents: Fragment,
    /// What a text template came to; None for YAML and Starlark.
    pub text: Option<String>,
    /// The names the file defines and loads, with their values as text and type, for hover.
    pub names: Vec<NameValue>,
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
