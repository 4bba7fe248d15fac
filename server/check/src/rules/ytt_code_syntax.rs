//! # Code that can not be read
//!
//! ## What
//! What follows `#@ ` is Starlark, and this is not.
//!
//! ## Why
//! ytt can not compile the file.
//!
//! ## Example
//! ```yaml
//! port: #@ 8080 +
//! ```
//!
//! ## How to mend
//! Correct the code. Starlark writes `True`, `False`, `None`, `and`, `or`, `not`.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `ytt/code-syntax`
pub const RULE: Rule = Rule {
    code: "ytt/code-syntax",
    stage: Stage::Template,
    severity: Severity::Error,
    title: "Code that can not be read",
};

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
