//! # A merge key with something that is no map
//!
//! ## What
//! `<<:` puts the items of a map in its place, so its value has to be an alias of one map.
//!
//! ## Why
//! ytt can not read the file. A list of maps, which YAML 1.1 allows, is not understood by ytt.
//!
//! ## Example
//! ```yaml
//! a: &a {x: 1}
//! b: &b {y: 2}
//! c:
//!   <<: [*a, *b]
//! ```
//!
//! ## How to mend
//! Use one `<<: *name` with one map, and write the other items out.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `yaml/merge-value`
pub const RULE: Rule = Rule {
    code: "yaml/merge-value",
    stage: Stage::Parse,
    severity: Severity::Error,
    title: "A merge key with something that is no map",
};

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`<<` takes the alias of one map")
}
