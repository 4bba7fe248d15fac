//! # A key that templates can not read
//!
//! ## What
//! A key of the final data values is a number, a truth value or null. Found by `lofting check --render`.
//!
//! ## Why
//! Templates read data values as structs, whose fields have names. ytt crashes as soon as it evaluates a
//! template with such values.
//!
//! ## Example
//! ```yaml
//! #@data/values-schema
//! ---
//! ports:
//!   80: http
//! ```
//!
//! ## How to mend
//! Put the key into quotes.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `ytt/data-values-key`
pub const RULE: Rule = Rule {
    code: "ytt/data-values-key",
    stage: Stage::Template,
    severity: Severity::Error,
    title: "A key that templates can not read",
};

pub(crate) fn finding(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("templates can not read the key {key}: ytt crashes unless keys are text"))
        .help("put the key into quotes")
}
