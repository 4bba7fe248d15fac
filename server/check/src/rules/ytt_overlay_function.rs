use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A function of an overlay fails
    ///
    /// ## What
    /// A function given with `by=`, `via=` or `expects=` failed, or `#@overlay/assert` is not satisfied.
    ///
    /// ## Why
    /// ytt stops.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// #@overlay/assert via=lambda old, new: new < old
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the function or the value.
    pub static RULE: Rule = Rule {
        code: "ytt/overlay-function",
        stage: Stage::Overlay,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, annotation: Option<Span>, message: &str) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, message);
    match annotation {
        Some(annotation) => finding.related(annotation, "the function"),
        None => finding,
    }
}
