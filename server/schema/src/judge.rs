//! Rules about values that only the language of a schema can check, such as expressions.

use lofting_document::{Node, Span};
use smol_str::SmolStr;
use std::fmt::Debug;
use std::sync::Arc;

/// Checks values for the language of a schema.
pub trait Judge: Debug + Send + Sync {
    /// The rules that a value breaks. Nothing is said about what is not known.
    fn broken(&self, value: &Node) -> Vec<BrokenRule>;
}

/// A rule that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    /// What is wrong, in the words of the schema if it has some.
    pub message: String,
    /// The rule in the schema.
    pub rule: Span,
    /// The keys from the value to the part that is wrong.
    pub field: Vec<SmolStr>,
}

/// The rules of a node.
#[derive(Debug, Clone)]
pub struct Judged(pub Arc<dyn Judge>);

/// Rules that were read again may be others.
impl PartialEq for Judged {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
