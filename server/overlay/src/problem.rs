//! The problems of a merge. Rules in `check` word the messages.

use lofting_document::{Key, Node, Span};
use std::sync::Arc;

/// A problem and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The key, dash or marker of the node at which ytt reports the problem.
    pub span: Span,
    /// The annotation or argument that is wrong, if there is one.
    pub annotation: Option<Span>,
    /// What is known of it besides.
    pub trace: Trace,
}

impl Problem {
    /// A problem of which nothing else is known.
    pub fn new(kind: ProblemKind, span: Span, annotation: Option<Span>) -> Problem {
        Problem { kind, span, annotation, trace: Trace::default() }
    }
}

/// How a problem came about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// The value that was there before, if one of several is meant.
    pub left: Option<Span>,
    /// How to fix what failed in a function, if that is known.
    pub hint: Option<String>,
    /// Where a function failed, and where the functions around it were: the innermost first, with its name.
    pub calls: Vec<(Span, String)>,
}

/// What cannot be applied, and how that came about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wrong {
    pub kind: ProblemKind,
    /// The function that failed.
    pub function: Option<Span>,
    pub trace: Trace,
}

impl From<ProblemKind> for Wrong {
    fn from(kind: ProblemKind) -> Self {
        Wrong { kind, function: None, trace: Trace::default() }
    }
}

impl Wrong {
    /// With the value that was looked at.
    pub fn about(mut self, left: &Node) -> Wrong {
        self.trace.left = Some(left.span);
        self
    }
}

/// The kinds of problems.
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemKind {
    /// The key of a map item does not exist on the left side, and no annotation allows a new key.
    MissingKey {
        /// The key.
        key: Key,
        /// The keys of the left side.
        known: Arc<[Key]>,
        /// The map without the key.
        map: Span,
    },
    /// The number of matched nodes is not the expected one.
    MatchCount {
        /// What was expected, in ytt's words: `1`, `>= 1`, `0 or 1`.
        expected: String,
        /// How many nodes matched.
        found: usize,
        /// The matched nodes.
        matched: Vec<Span>,
    },
    /// A map or array is merged with a value of a different kind.
    Kind {
        /// The kind of the right side: `map`, `array`.
        expected: &'static str,
        /// The kind of the existing value; ytt's message says "was".
        existing: &'static str,
        /// The existing value.
        left: Span,
    },
    /// A map or array is merged with a dict or list that a function returned.
    Raw {
        /// The kind of the right side: `map`, `array`.
        expected: &'static str,
        /// The existing value.
        left: Span,
    },
    /// More than one operation on a node.
    SeveralOperations,
    /// The operation is not possible on this kind of node.
    OperationPlace {
        /// The annotation's name.
        annotation: String,
        /// `map item`, `document`.
        place: &'static str,
    },
    /// An argument of an overlay annotation is missing, unknown or of a wrong kind.
    Argument {
        /// ytt's words.
        message: String,
    },
    /// The match of an array item has no `by=`.
    MissingBy,
    /// There is no document that this one could be added to.
    NoDocument,
    /// `by="name"` on a value that is not a map or does not have the key.
    MissingMatchKey {
        /// The key.
        key: String,
    },
    /// A function failed.
    Function {
        /// The function's message.
        message: String,
    },
    /// A function was stopped, so the result is unknown. Not the user's error.
    NotEvaluated {
        /// Why.
        message: String,
    },
    /// `@overlay/assert` does not hold.
    AssertFailed {
        /// The message of the assertion, if it gave one.
        message: Option<String>,
    },
    /// `@overlay/remove` on a whole data values document, which crashes ytt.
    RemoveDocument,
}
