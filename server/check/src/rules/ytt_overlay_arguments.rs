use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # Wrong overlay annotations
    ///
    /// ## What
    /// An overlay annotation has wrong arguments, is on a node it is not for, or contradicts another one.
    ///
    /// ## Why
    /// ytt stops.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// port: 8080
    /// #! values
    /// #@overlay/replace
    /// #@overlay/remove
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the annotation.
    pub static RULE: Rule = Rule {
        code: "ytt/overlay-arguments",
        stage: Stage::Overlay,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(span: Span, annotation: Option<Span>, message: &str) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, message);
    match annotation {
        Some(annotation) => finding.blames(annotation, "the annotation"),
        None => finding,
    }
}
