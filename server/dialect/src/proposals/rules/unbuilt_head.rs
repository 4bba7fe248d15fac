use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Note;

rule! {
    /// # ytt does not know this head
    ///
    /// ## What
    /// The head belongs to a design proposal, which was never built into ytt. Lofting reads the document as a schema.
    ///
    /// ## Why
    /// ytt takes the document for a template and renders it.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// If ytt is to read the document, write it as a ytt schema, with the head `#@data/values-schema`.
    pub static RULE: Rule = Rule {
        code: "proposals/unbuilt-head",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

/// Every head of a proposal is one.
pub(crate) fn look(own: &Note) -> Diagnostic {
    let message = format!("`@{}` belongs to a design proposal: ytt itself reads this document as a template", own.name);
    Diagnostic::new(&RULE, own.span, message).help("ytt's own head is `#@data/values-schema`")
}
