use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # `$default` that is no map
    ///
    /// ## What
    /// The default of an object is no map, nor a text with a map in JSON.
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
    /// ## How to mend
    /// Write a map; `{}` where the fields have defaults themselves.
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
