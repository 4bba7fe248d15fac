use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An example that is not JSON
    ///
    /// ## What
    /// The value of `example` begins with a bracket and is not valid JSON.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       tags: "[]string | example=[a,b]"
    /// ```
    ///
    /// ## How to fix
    /// Write it as JSON: strings and keys are in double quotes.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-example-literal",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "an example in brackets should be JSON")
        .help("write strings and keys in double quotes")
}
