//! The door to functions that stand in annotations.

use lofting_document::{Key, Node, Span};

/// What a function of an overlay annotation is called with.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'a> {
    /// A value of one of the documents.
    Node(&'a Node),
    /// The key of a map item.
    Key(&'a Key),
    /// The index of an array item or document, or a number of matches.
    Number(usize),
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Called {
    /// With a value.
    Value(Node),
    /// It can not be told without an evaluator, or a limit was reached. Never an error.
    Unknown,
    /// With an error of the function itself, in ytt's words.
    Failed(String),
}

/// Calls functions written in annotations.
pub trait Functions {
    /// Calls the function whose expression stands at `function`.
    fn call(&self, function: Span, arguments: &[Argument<'_>]) -> Called;

    /// The text at `span`, so that ready-made matchers (`overlay.all` ...) are understood without
    /// an evaluator.
    fn source(&self, span: Span) -> Option<String>;
}

/// Knows no function: every result is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFunctions;

impl Functions for NoFunctions {
    fn call(&self, _function: Span, _arguments: &[Argument<'_>]) -> Called {
        Called::Unknown
    }

    fn source(&self, _span: Span) -> Option<String> {
        None
    }
}
