use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # The description of another key
    ///
    /// ## What
    /// Two keys of a map have the same `#@schema/desc`.
    ///
    /// ## Why
    /// Most often one was copied with its annotation, and the text is still about the other.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/desc "Where the service listens."
    /// port: 80
    /// #@schema/desc "Where the service listens."
    /// timeout: 30
    /// ```
    ///
    /// ## How to mend
    /// Say what this value is for.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-repeated-description",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
        cause: Cause::RelatedPlace,
    };
}

/// `first`: where the same text stands before.
pub(crate) fn finding(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "another key is described in the same words").related(first, "described here")
}
