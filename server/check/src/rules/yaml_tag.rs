//! # A tag that does not fit its value
//!
//! ## What
//! A tag such as `!!int` asks for a type that the text can not be read as.
//!
//! ## Why
//! ytt can not read the file.
//!
//! ## Example
//! ```yaml
//! port: !!int eighty
//! ```
//!
//! ## How to mend
//! Remove the tag, or write a value that fits it.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `yaml/tag`
pub const RULE: Rule = Rule {
    code: "yaml/tag",
    stage: Stage::Parse,
    severity: Severity::Error,
    title: "A tag that does not fit its value",
};

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
