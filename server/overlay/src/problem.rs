//! What can go wrong in a merge. Rules in `check` put these into words.

use lofting_document::{Key, Span};
use std::sync::Arc;

/// A problem and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The key, dash or marker of the node ytt blames.
    pub span: Span,
    /// The annotation or argument that is wrong, where there is one.
    pub annotation: Option<Span>,
}

/// The kinds of problems.
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemKind {
    /// A map item whose key the left side does not have, and nothing allows that.
    MissingKey {
        /// The key.
        key: Key,
        /// Keys the left side has.
        known: Arc<[Key]>,
        /// The map that lacks it.
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
    /// A map or array is laid over something of another kind.
    Kind {
        /// The kind of the right side: `map`, `array`.
        expected: &'static str,
        /// The kind of the existing value, which ytt calls "was".
        existing: &'static str,
        /// The existing value.
        left: Span,
    },
    /// A map or array is laid over a dict or list that a function left as it is.
    Raw {
        /// The kind of the right side: `map`, `array`.
        expected: &'static str,
        /// The existing value.
        left: Span,
    },
    /// More than one operation on a node.
    SeveralOperations,
    /// An operation that is not possible on this kind of node.
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
    /// An array item's match has no `by=`.
    MissingBy,
    /// `by="name"` on a value that is no map or lacks the key.
    MissingMatchKey {
        /// The key.
        key: String,
    },
    /// A function failed.
    Function {
        /// Its words.
        message: String,
    },
    /// A function was not evaluated to its end: what comes out is unknown, and nobody's fault.
    NotEvaluated {
        /// Why.
        message: String,
    },
    /// `@overlay/assert` does not hold.
    AssertFailed {
        /// What was found, in words, if the assertion said.
        message: Option<String>,
    },
    /// `@overlay/remove` on a whole data values document, which crashes ytt.
    RemoveDocument,
}
