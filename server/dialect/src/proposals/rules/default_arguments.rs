use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::{Note, Span};

rule! {
    /// # A default cannot be read
    ///
    /// ## What
    /// `@schema/default` has no value, several, or a function.
    ///
    /// ## Why
    /// It takes exactly one value.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/default
    /// hosts:
    /// - a
    /// ```
    ///
    /// ## How to fix
    /// Give one value.
    pub static RULE: Rule = Rule {
        code: "proposals/default-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(name: Span, note: &Note, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, name, message)
        .blames(note.span, "the annotation")
        .fix(Fix::replace(format!("Remove `@{}`", note.name), note.span, "").possible())
}
