use super::openchoreo_default_violates_schema;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # An object's default that does not fit its fields
    ///
    /// ## What
    /// `$default` does not fit the fields next to it. Nothing is filled in first: it must have every field without a
    /// default, even one whose own fields all have defaults.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: stored}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       database:
    ///         $default: {}
    ///         host: string
    /// ```
    ///
    /// ## How to fix
    /// Add what is missing, or give that field a default.
    pub static RULE: Rule = Rule {
        code: "openchoreo/object-default-violates-schema",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

/// `inner` is the finding from checking the default.
pub(crate) fn finding(argument: Span, inner: &Diagnostic, path: String) -> Diagnostic {
    openchoreo_default_violates_schema::of(&RULE, argument, inner, path)
}
