use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # Schema documents of one input set are written in different languages
    ///
    /// ## What
    /// The documents of a schema have heads of different languages: ytt's own, or one of its two design proposals.
    ///
    /// ## Why
    /// The same line means different things in these languages, so the documents have no clear meaning together.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/match data_values=True
    /// ---
    /// a: 1
    /// #@schema/definition data_values=True
    /// ---
    /// a: 2
    /// ```
    ///
    /// ## How to fix
    /// Give all documents the head of the first.
    pub static RULE: Rule = Rule {
        code: "proposals/mixed-forms",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::DocumentHead,
    };
}

pub(crate) fn finding(head: Span, base: Span) -> Diagnostic {
    Diagnostic::new(&RULE, head, "this schema is in another form than the first document")
        .related(base, "the first document")
}
