use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::{Note, Span};

rule! {
    /// # An annotation has the wrong arguments
    ///
    /// ## What
    /// A title, description, example or notice is missing, has the wrong type, or is given where none is allowed.
    ///
    /// ## Why
    /// What it says about the node cannot be read.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/title 5
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Give the arguments that the message asks for.
    pub static RULE: Rule = Rule {
        code: "proposals/annotation-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(name: Span, note: &Note, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, name, message).blames(note.span, "the annotation")
}
