use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A comma in single quotes that separates
    ///
    /// ## What
    /// A value of `enum` is in single quotes and contains a comma.
    ///
    /// ## Why
    /// Single quotes do not keep a value together: it is split into several.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: "string | enum='a,b',c"
    /// ```
    ///
    /// ## How to fix
    /// Use double quotes.
    pub static RULE: Rule = Rule {
        code: "openchoreo/comma-in-quotes",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a comma separates in single quotes, too").help("double quotes keep a value together")
}
