use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A value that is the default
    ///
    /// ## What
    /// A values file sets a key to the default that the schema declares for it, and no other file comes before it.
    ///
    /// ## Why
    /// The line changes nothing now. When the default changes, the line keeps the old value.
    ///
    /// The rule is off by default: many write down a value because they mean it, whatever the
    /// default may become.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// port: 80
    /// #! values
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Remove the line.
    pub static RULE: Rule = Rule {
        code: "schema/written-default",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
        silent: true,
        certainty: Certainty::NeedsWholeSchema,
        subject: Subject::Key,
    };
}

/// `default`: where it is declared.
pub(crate) fn finding(span: Span, default: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "this is the default anyway").related(default, "declared here").tag(Tag::Unnecessary)
}
