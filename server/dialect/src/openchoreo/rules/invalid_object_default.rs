use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # `$default` that is not a map
    ///
    /// ## What
    /// The default of an object is neither a map nor a string that contains a map in JSON.
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
    ///       database:
    ///         $default: none
    ///         host: string | default=db
    /// ```
    ///
    /// ## How to fix
    /// Write a map, or `{}` if all fields have defaults themselves.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-object-default",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::ValueBelow,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`$default` should be a map")
        .help("write `{}` where all fields have defaults of their own")
}
