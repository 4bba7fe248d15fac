//! # An alias without its anchor
//!
//! ## What
//! `*name` repeats the value that was marked with `&name` further above in the same document, and
//! there is none.
//!
//! ## Why
//! The file can not be read: what the alias stands for is not known.
//!
//! ## Example
//! ```yaml
//! base: &defaults
//!   port: 80
//! web: *default
//! ```
//!
//! ## How to mend
//! Correct the name, or mark the value that is meant with `&name`.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `yaml/unknown-alias`
pub const RULE: Rule = Rule {
    code: "yaml/unknown-alias",
    stage: Stage::Parse,
    severity: Severity::Error,
    title: "An alias without its anchor",
};

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("there is no anchor `&{name}` above this alias"))
        .help("an anchor only reaches to the end of its document")
}
