//! # An end without its block
//!
//! ## What
//! `#@ end` closes a block opened by `#@ if`, `#@ for` or `#@ def`, and none is open here.
//!
//! ## Why
//! ytt can not compile the file.
//!
//! ## Example
//! ```yaml
//! port: 80
//! #@ end
//! ```
//!
//! ## How to mend
//! Remove it, or open the block.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `ytt/unexpected-end`
pub const RULE: Rule = Rule {
    code: "ytt/unexpected-end",
    stage: Stage::Template,
    severity: Severity::Error,
    title: "An end without its block",
};

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "no block is open here")
}
