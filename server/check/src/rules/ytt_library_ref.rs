//! # An address of a library that leads nowhere
//!
//! ## What
//! `#@library/ref` takes one string: `"@path"`, `"@~alias"`, `"@path~alias"`, or nested `"@a@b"`.
//!
//! ## Why
//! ytt refuses the file.
//!
//! ## Example
//! ```yaml
//! #@library/ref "frontend"
//! #@data/values
//! ---
//! port: 80
//! ```
//!
//! ## How to mend
//! Start the name with `@`: `#@library/ref "@frontend"`.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `ytt/library-ref`
pub const RULE: Rule = Rule {
    code: "ytt/library-ref",
    stage: Stage::Overlay,
    severity: Severity::Error,
    title: "An address of a library that leads nowhere",
};

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`@library/ref`: {message}"))
        .help("write it as `#@library/ref \"@path\"`, `\"@~alias\"` or `\"@path~alias\"`")
}
