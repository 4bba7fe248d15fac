use crate::head::{Form, Head};
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Note;

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

/// Looks at the head of a document of a schema in this form; `base` is the head of its first document.
pub(crate) fn look(head: &Note, base: &Note, form: Option<Form>) -> Option<Diagnostic> {
    let differs = Head::of(head) != Head::Either && Head::of(head).alone() != form;
    let finding = || Diagnostic::new(&RULE, head.span, "this schema and the first document are in different forms");
    differs.then(|| finding().related(base.span, "the first document"))
}
