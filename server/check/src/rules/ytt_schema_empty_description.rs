use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Tag, rule};
use lofting_document::Span;

rule! {
    /// # A description without words
    ///
    /// ## What
    /// The text of `#@schema/desc`, `#@schema/title` or `#@schema/deprecated` is empty.
    ///
    /// ## Why
    /// Whoever asks an editor or reads the exported schema learns nothing.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/desc ""
    /// host: localhost
    /// ```
    ///
    /// ## How to mend
    /// Say what the value is for, or remove the annotation.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-empty-description",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "the text says nothing").tag(Tag::Unnecessary)
}
