//! A template as a program, and what running it gives: the data that goes between the crate that
//! knows YAML and the one that runs Starlark, also across a process boundary.
//!
//! A YAML template becomes a list of lines in document order, as in ytt (reference 7.1): code as
//! written, and between it the nodes. Nodes name their parents, so that nodes inside `if`, `for` and
//! `def` find their place without end marks.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A node of the template text. Numbers are given by whoever makes the program, from 0, and mean
/// nothing else than identity; it keeps their spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// One file as a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The file's name inside ytt; `load` and messages use it.
    pub file: String,
    /// What kind of file it is.
    pub kind: ProgramKind,
    /// In document order.
    pub lines: Vec<Line>,
}

/// The kinds of files that hold code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProgramKind {
    /// YAML with code in comments.
    Yaml,
    /// `*.star`: `lines` are its lines.
    Starlark,
    /// `*.txt` with `(@ @)`: `lines` are its text and code pieces.
    Text,
}

/// One line of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What it does.
    pub kind: LineKind,
    /// Bytes in the file: of the code, of the arguments, of the node's first line. Errors in the line
    /// are reported inside this range, byte for byte where `kind` holds source text.
    pub range: Range<usize>,
}

/// What a line does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LineKind {
    /// Starlark as written behind `#@`, leading blanks kept, without a line break.
    Code(String),
    /// An annotation of the node that starts next with this id. `arguments` is the text of a call's
    /// arguments.
    Annotation {
        /// The node it belongs to.
        node: NodeId,
        /// Without `#@`.
        name: String,
        /// As written.
        arguments: String,
    },
    /// A node begins; its annotations are the lines before.
    Start {
        /// The node.
        node: NodeId,
        /// The node it lies in; `None` for documents.
        parent: Option<NodeId>,
        /// What it is.
        kind: NodeKind,
    },
    /// The value of the node begun last is this scalar or empty collection.
    Literal(Value),
    /// The value of the node begun last is this expression (`key: #@ expr`).
    Expression(String),
    /// The value of the node begun last is text with `(@ @)` in it (`@yaml/text-templated-strings`).
    TextTemplate(Vec<TextPiece>),
}

/// The kinds of nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NodeKind {
    /// A document.
    Document,
    /// A map item with its key (a scalar).
    MapItem {
        /// The key's value.
        key: Value,
        /// The key is text with `(@ @)` in it.
        templated: bool,
    },
    /// An array item.
    ArrayItem,
}

/// A piece of a text template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextPiece {
    /// Plain text, inserted expression or code.
    pub kind: TextPieceKind,
    /// Its text; of code what stands between the marks.
    pub text: String,
    /// Bytes of `text` in the file.
    pub range: Range<usize>,
}

/// The kinds of pieces of a text template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextPieceKind {
    /// Stands for itself.
    Text,
    /// `(@= expr @)`
    Expression,
    /// `(@ code @)`
    Code,
}

/// A value of the language, in both directions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// `None`, null.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
    /// Text.
    String(String),
    /// A list, set or range.
    List(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A dict, in insertion order.
    Dict(Vec<(Value, Value)>),
    /// A struct.
    Struct(Vec<(String, Value)>),
    /// YAML nodes made by a function or handed to one.
    Fragment(Box<Fragment>),
    /// A function, or an object with `check`, that can be called later; see [`Callable`].
    Callable(Callable),
    /// Something that is no data, with the name of its type.
    Opaque(String),
}

/// A handle of a function. Valid as long as the evaluation it came from is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Callable {
    /// Its number in that evaluation.
    pub handle: u32,
    /// `function`, `builtin_function_or_method`, or the type of an object that has `check`.
    pub type_name: String,
    /// Number of parameters, if that can be told.
    pub parameters: Option<u32>,
    /// The handle is that of an object's `check`.
    pub is_check: bool,
    /// ytt's words for what a ready-made assertion wants, such as `length >= 1`.
    pub description: Option<String>,
}

/// YAML nodes as a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fragment {
    /// Nothing was reached.
    Empty,
    /// Map items.
    Map(Vec<Output>),
    /// Array items.
    Array(Vec<Output>),
    /// Documents.
    Documents(Vec<Output>),
}

/// A node that was produced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Which node of which program made it; `None` for nodes made of plain values (dict items).
    pub origin: Option<Origin>,
    /// The key of a map item.
    pub key: Option<Value>,
    /// Evaluated annotations, in order.
    pub annotations: Vec<EvaluatedAnnotation>,
    /// The value. Maps and arrays written as YAML are fragments.
    pub value: Value,
}

/// Where an output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Index of the program among those of the run.
    pub program: u32,
    /// The node in it.
    pub node: NodeId,
}

/// An annotation with its arguments' values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluatedAnnotation {
    /// Index of the program and of the line in it.
    pub line: (u32, u32),
    /// The name.
    pub name: String,
    /// Positional arguments.
    pub positional: Vec<Value>,
    /// Keyword arguments.
    pub keywords: Vec<(String, Value)>,
}

/// What is run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// All programs that can be reached by `load`; those of the set's library.
    pub programs: Vec<Program>,
    /// Files that are no programs, for `data.read` and `data.list`: name and text.
    pub data_files: Vec<(String, String)>,
    /// Index of the program to run.
    pub main: u32,
    /// `data.values`: an empty struct while schema and values are evaluated.
    pub data_values: Value,
    /// `--implicit-map-key-overrides`
    pub implicit_map_key_overrides: bool,
}

/// What a run gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Number of the evaluation, for calls of its functions.
    pub evaluation: u64,
    /// The documents, as far as they were made.
    pub documents: Vec<Output>,
    /// The result of a text template.
    pub text: Option<String>,
    /// Why it ended early.
    pub error: Option<EvaluationError>,
    /// What `print` wrote.
    pub printed: Vec<String>,
}

/// Why an evaluation or call ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluationError {
    /// What kind of ending.
    pub kind: ErrorKind,
    /// ytt's words.
    pub message: String,
    /// ytt's hint, if it has one.
    pub hint: Option<String>,
    /// Innermost first.
    pub frames: Vec<Frame>,
}

/// Kinds of endings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorKind {
    /// ytt fails as well: syntax, names, types, `fail`.
    Error,
    /// A limit of ours was reached, or the worker died.
    Limit,
    /// This evaluator can not do it, ytt can. Never an error for the user.
    Unsupported,
}

/// A place on the call stack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Index of the program.
    pub program: u32,
    /// Bytes in that file.
    pub range: Range<usize>,
    /// The function, `<toplevel>` outside of functions.
    pub function: String,
}

/// Runs programs and calls their functions. Implementations bound time and memory.
pub trait Evaluator: Send + Sync {
    /// Runs one program.
    fn run(&self, run: &Run) -> Outcome;

    /// Calls functions of an earlier evaluation; one answer for each call, in order. An evaluation
    /// that is no longer kept answers [`ErrorKind::Limit`], after which it has to be run again.
    fn call(&self, evaluation: u64, calls: &[Call]) -> Vec<Result<Value, EvaluationError>>;
}

/// A call of a function by its handle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// See [`Callable::handle`].
    pub handle: u32,
    /// Positional arguments.
    pub arguments: Vec<Value>,
}
