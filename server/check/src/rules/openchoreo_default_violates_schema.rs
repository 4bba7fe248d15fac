use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # A default that does not fit its own schema
    ///
    /// ## What
    /// The default of a field does not fit the type or the bounds of the field, before other defaults are filled in.
    ///
    /// ## Why
    /// In shorthand the platform refuses the document. In an `openAPIV3Schema` it accepts the document, and refuses
    /// values for which the default is filled in; there the finding is a warning. Kubernetes refuses definitions of
    /// custom resources with such defaults.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | default=0 minimum=1
    /// ```
    ///
    /// ## How to fix
    /// Change the default or the bound.
    pub static RULE: Rule = Rule {
        code: "openchoreo/default-violates-schema",
        stage: Stage::Schema,
        severity: Severity::Error,
        shared: true,
        cause: Cause::RelatedPlace,
    };
}

/// `inner` is the finding from checking the default.
pub(crate) fn finding(argument: Span, inner: &Diagnostic, path: String) -> Diagnostic {
    of(&RULE, argument, inner, path)
}

/// A default or an example that programs accept, although it does not fit.
pub(crate) fn doubtful(what: &str, argument: Span, inner: &Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, stage: Stage::Lint, ..about(&RULE, what, argument, inner) }
}

/// The finding for a default that does not fit.
pub(super) fn of(rule: &'static crate::Rule, argument: Span, inner: &Diagnostic, path: String) -> Diagnostic {
    Diagnostic { path: Some(path), ..about(rule, "default", argument, inner) }
}

/// The finding for a default or an example that does not fit, which is written in the schema itself.
pub(super) fn about(rule: &'static crate::Rule, what: &str, argument: Span, inner: &Diagnostic) -> Diagnostic {
    let given =
        inner.span.file == argument.file && argument.start <= inner.span.start && inner.span.end <= argument.end;
    let span = if given { inner.span } else { argument };
    let mut finding = Diagnostic::new(rule, span, format!("the {what} does not fit: {}", inner.message));
    finding.found.clone_from(&inner.found);
    finding.expected.clone_from(&inner.expected);
    finding.related.clone_from(&inner.related);
    finding.path.clone_from(&inner.path);
    finding
}
