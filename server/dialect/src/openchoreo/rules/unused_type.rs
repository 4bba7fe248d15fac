use lofting_diagnostic::{Cause, Certainty, Diagnostic, Severity, Stage, Subject, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A custom type that nothing uses
    ///
    /// ## What
    /// Neither a field nor another type that is used has this type. In `openAPIV3Schema`, no `$ref` leads to a definition
    /// below `$defs`.
    ///
    /// ## Why
    /// It has no effect, so mistakes in it stay hidden. It may also be a name that was changed in one place only.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     types:
    ///       Size: integer
    ///     parameters:
    ///       size: integer
    /// ```
    ///
    /// ## How to fix
    /// Use it, or remove it.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unused-type",
        stage: Stage::Lint,
        severity: Severity::Hint,
        subject: Subject::Key,
        cause: Cause::NameGiven,
        certainty: Certainty::NeedsWholeText,
    };
}

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("nothing uses the type `{name}`")).tag(Tag::Unnecessary)
}

/// The finding for a definition below `$defs`.
pub(crate) fn definition(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("nothing refers to the definition `{name}`")).tag(Tag::Unnecessary)
}
