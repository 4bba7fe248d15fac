//! The findings of a check of values.

use crate::path::Step;
use lofting_diagnostic::Diagnostic;
use lofting_schema::Kinds;

/// A finding with the path of its value as steps, for comparing documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The value it is about.
    pub steps: Vec<Step>,
    /// The kinds of the value, or those that a missing one may have; all of them if that is not known.
    pub(crate) kinds: Kinds,
}

impl Finding {
    /// A finding about a value of unknown kind.
    pub fn new(diagnostic: Diagnostic, steps: Vec<Step>) -> Self {
        Finding { diagnostic, steps, kinds: Kinds::ANY }
    }
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// The findings, in no particular order; see [`crate::limit`].
    pub findings: Vec<Finding>,
    /// How many further findings were only counted.
    pub more: usize,
    /// Something was met that only the merged values tell.
    pub needs_merging: bool,
}
