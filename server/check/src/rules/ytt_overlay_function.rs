//! # A function of an overlay fails
//!
//! ## What
//! A function given with `by=`, `via=` or `expects=` ended with an error, or `#@overlay/assert`
//! does not hold.
//!
//! ## Why
//! ytt stops.
//!
//! ## Example
//! ```yaml
//! #@data/values
//! ---
//! #@overlay/assert via=lambda old, new: new < old
//! port: 80
//! ```
//!
//! ## How to mend
//! Correct the function or the value.

use super::Rule;
use crate::{Diagnostic, Severity, Stage};
use lofting_document::Span;

/// `ytt/overlay-function`
pub const RULE: Rule = Rule {
    code: "ytt/overlay-function",
    stage: Stage::Overlay,
    severity: Severity::Error,
    title: "A function of an overlay fails",
};

pub(crate) fn finding(span: Span, annotation: Option<Span>, message: &str) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, message);
    match annotation {
        Some(annotation) => finding.related(annotation, "the function"),
        None => finding,
    }
}
