//! The door to functions that stand in annotations.

use lofting_document::{Key, Node, Span};
use lofting_eval::Callable;

/// A function given to an overlay annotation.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its expression.
    pub span: Span,
    /// What evaluating the expression gave; `None` before that.
    pub callable: Option<Callable>,
}

/// What a function of an overlay annotation is called with.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'a> {
    /// A value of one of the documents.
    Node(&'a Node),
    /// The key of a map item.
    Key(&'a Key),
    /// The index of an array item or document, or a number of matches.
    Number(usize),
    /// There is nothing: `via=` of a node that is added.
    None,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    /// The value.
    pub node: Node,
    /// What Starlark's `type()` says of it.
    pub type_name: String,
}

impl Returned {
    /// The value as a truth value, if it is exactly that.
    pub(crate) fn bool(&self) -> Option<bool> {
        match self.node.value {
            lofting_document::NodeValue::Bool(value) => Some(value),
            _ => None,
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Called {
    /// With a value.
    Value(Returned),
    /// It cannot be told without an evaluator. Never an error.
    Unknown,
    /// It was not evaluated to its end, for this reason; nobody's fault, but to be told.
    Stopped(String),
    /// With an error of the function itself, in ytt's words.
    Failed(String),
}

/// Calls functions written in annotations.
pub trait Functions {
    /// Calls the function once with each of the lists of arguments: one answer for each, in order.
    fn call(&self, function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called>;

    /// The text at `span`, so that ready-made matchers (`overlay.all` ...) are understood without
    /// an evaluator.
    fn source(&self, span: Span) -> Option<String>;
}

/// One call of a function.
pub(crate) fn call(functions: &dyn Functions, function: &Function, arguments: &[Argument<'_>]) -> Called {
    functions.call(function, &[arguments.to_vec()]).pop().unwrap_or(Called::Unknown)
}

/// Knows no function: every result is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFunctions;

impl Functions for NoFunctions {
    fn call(&self, _function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called> {
        vec![Called::Unknown; calls.len()]
    }

    fn source(&self, _span: Span) -> Option<String> {
        None
    }
}
