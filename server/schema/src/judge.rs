//! Rules about values that only the language of a schema can check, such as expressions.

use crate::Step;
use lofting_document::{Key, Node, Span};
use std::fmt::Debug;
use std::sync::Arc;

/// Checks values for the language of a schema.
pub trait Judge: Debug + Send + Sync {
    /// The rules that a value breaks. A rule whose answer is not known is left out.
    fn broken(&self, value: &Node) -> Vec<BrokenRule>;

    /// The rules that a value breaks to which no defaults are added.
    fn broken_as_written(&self, value: &Node) -> Vec<BrokenRule> {
        self.broken(value)
    }
}

/// A rule that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    /// What is wrong, in the words of the schema if it has some.
    pub message: String,
    /// The kind of the rule.
    pub breach: Breach,
    /// The way from the value to the part that is wrong.
    pub at: Vec<Step>,
    /// The key of this part is wrong, not its value.
    pub is_key: bool,
}

/// The kind of a rule that is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breach {
    /// An expression.
    Expression {
        /// Where it is written.
        rule: Span,
        /// The keys of the value that it reads; empty if it reads the value in another way.
        reads: Vec<Key>,
    },
    /// The item repeats an earlier one, at this place, and each may be there only once.
    Repeated(Span),
    /// The item repeats an earlier one, at this place. Programs accept that, and keep only one of the two.
    Merged(Span),
    /// A name or label of a resource does not follow the conventions; the text that was most likely meant.
    Identity(Option<String>),
}

/// The rules of a node.
#[derive(Debug, Clone)]
pub struct Judged(pub Arc<dyn Judge>);

impl Judged {
    /// These findings, followed by further ones.
    #[must_use]
    pub fn and(self, more: Judged) -> Judged {
        Judged(Arc::new(Both(self, more)))
    }
}

/// Rules that were read again may be others.
impl PartialEq for Judged {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The rules of two judges.
#[derive(Debug)]
struct Both(Judged, Judged);

impl Judge for Both {
    fn broken(&self, value: &Node) -> Vec<BrokenRule> {
        let Both(first, second) = self;
        first.0.broken(value).into_iter().chain(second.0.broken(value)).collect()
    }

    fn broken_as_written(&self, value: &Node) -> Vec<BrokenRule> {
        let Both(first, second) = self;
        first.0.broken_as_written(value).into_iter().chain(second.0.broken_as_written(value)).collect()
    }
}
