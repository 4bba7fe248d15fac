//! The interface through which functions in annotations are called.

use lofting_document::{Key, Node, Span};
use lofting_eval::Callable;

use crate::problem::{ProblemKind, Trace, Wrong};

/// A function in an overlay annotation.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its expression.
    pub span: Span,
    /// The evaluated expression; `None` before evaluation.
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
    /// No value: `via=` of a node that is added.
    None,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    /// The value.
    pub node: Node,
    /// What Starlark's `type()` says about it.
    pub type_name: String,
}

impl Returned {
    /// The value as a boolean, if it is one.
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
    /// Unknown, because there is no evaluator. Never an error.
    Unknown,
    /// The evaluation was stopped, for this reason. Not the user's error, but to be reported.
    Stopped(String),
    /// With an error of the function itself, in ytt's words.
    Failed(Fault),
}

/// How a function failed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fault {
    /// In ytt's words.
    pub message: String,
    /// How to fix it, if that is known.
    pub hint: Option<String>,
    /// Where it failed, and where the functions around it were: the innermost first, with its name.
    pub calls: Vec<(Span, String)>,
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Fault { message, ..Fault::default() }
    }
}

impl Fault {
    /// The problem that a function fails.
    pub(crate) fn of(self, function: &Function) -> Wrong {
        let Fault { message, hint, calls } = self;
        let trace = Trace { left: None, hint, calls };
        Wrong { kind: ProblemKind::Function { message }, function: Some(function.span), trace }
    }
}

/// Calls the functions in annotations.
pub trait Functions {
    /// Calls the function once for each list of arguments, and returns the answers in the same order.
    fn call(&self, function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called>;

    /// The text at `span`, by which ready-made matchers (`overlay.all` ...) are recognised without an evaluator.
    fn source(&self, span: Span) -> Option<String>;
}

/// One call of a function.
pub(crate) fn call(functions: &dyn Functions, function: &Function, arguments: &[Argument<'_>]) -> Called {
    functions.call(function, &[arguments.to_vec()]).pop().unwrap_or(Called::Unknown)
}

/// Calls nothing: every result is unknown.
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
