//! # An annotation in a plain values file
//!
//! ## What
//! A file given with `--data-values-file` has a comment that begins with `#@`.
//!
//! ## Why
//! Such files are plain YAML. ytt refuses the whole file: an annotation in it would have no effect.
//!
//! ## Example
//! ```yaml
//! #@data/values
//! ---
//! port: 80
//! ```
//! given as `--data-values-file values.yml`.
//!
//! ## How to mend
//! Remove the comments that begin with `#@`, or give the file with `-f` if it is a
//! `#@data/values` document.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `ytt/annotation-in-plain-values`
pub const RULE: Rule = Rule {
    code: "ytt/annotation-in-plain-values",
    stage: Stage::Template,
    severity: Severity::Error,
    title: "An annotation in a plain values file",
};

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "plain values files can not have `#@` comments")
        .help("remove the comment, or give the file with `-f` if it is a `#@data/values` document")
}
