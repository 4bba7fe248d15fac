use crate::expression::refused;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;
use lofting_schema::re2::PatternError;

rule! {
    /// # A regular expression that cannot be read
    ///
    /// ## What
    /// `pattern` is not a regular expression of RE2, which has no look-around and no back-references, and counts of at most
    /// 1000.
    ///
    /// ## Why
    /// Every value of the field is refused.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: string | pattern="(?=a)"
    /// ```
    ///
    /// ## How to fix
    /// Write it without look-around and back-references.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-pattern",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, why: &PatternError) -> Diagnostic {
    let finding = |span, message| Diagnostic::new(&RULE, span, message);
    refused(finding, span, ", so that every value is refused", why)
}
