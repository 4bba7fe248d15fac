use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::{Note, Span};

rule! {
    /// # Wrong arguments of an annotation about keys
    ///
    /// ## What
    /// `@schema/key`, `@schema/any-key` or `@schema/key-may-be-present` has wrong arguments, or two of them are on one
    /// node.
    ///
    /// ## Why
    /// Which keys the map may have is not known.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// labels:
    ///   #@schema/key allowed=5
    ///   _: ""
    /// ```
    ///
    /// ## How to fix
    /// Give the arguments that the message asks for.
    pub static RULE: Rule = Rule {
        code: "proposals/key-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(name: Span, note: &Note, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, name, message).blames(note.span, "the annotation")
}
