//! # A value that contains itself
//!
//! ## What
//! An alias stands inside the value that its anchor marks.
//!
//! ## Why
//! The value would have no end, and the file can not be read.
//!
//! ## Example
//! ```yaml
//! a: &a
//!   b: *a
//! ```
//!
//! ## How to mend
//! Repeat another value, or write it out.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `yaml/alias-cycle`
pub const RULE: Rule = Rule {
    code: "yaml/alias-cycle",
    stage: Stage::Parse,
    severity: Severity::Error,
    title: "A value that contains itself",
};

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`*{name}` stands inside the value it repeats"))
}
