//! # A file that can not be read
//!
//! ## What
//! The file is not UTF-8 text, is larger than 50 MB, is a directory, or can not be opened.
//!
//! ## Why
//! Nothing in it is checked, and ytt would stop at it as well.
//!
//! ## Example
//! A `values.yml` that was saved as Latin-1 with a `ü` in it.
//!
//! ## How to mend
//! Save the file as UTF-8, or leave it out of the inputs.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `lofting/unreadable-file`
pub const RULE: Rule = Rule {
    code: "lofting/unreadable-file",
    stage: Stage::Parse,
    severity: Severity::Error,
    title: "A file that can not be read",
};

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
