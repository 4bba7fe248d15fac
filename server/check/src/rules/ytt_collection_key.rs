//! # A map or an array as a key
//!
//! ## What
//! YAML allows any value as a key, but ytt only scalars.
//!
//! ## Why
//! ytt fails with "hash of unhashable type" and names no place.
//!
//! ## Example
//! ```yaml
//! ? [a, b]
//! : 1
//! ```
//!
//! ## How to mend
//! Use text as the key.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `ytt/collection-key`
pub const RULE: Rule = Rule {
    code: "ytt/collection-key",
    stage: Stage::Template,
    severity: Severity::Error,
    title: "A map or an array as a key",
};

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a key has to be a scalar, not a map or an array")
}
