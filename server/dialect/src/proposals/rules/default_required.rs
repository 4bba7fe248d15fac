use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An array has no default
    ///
    /// ## What
    /// In the first form of the proposal an array declares its default with `@schema/default`.
    ///
    /// ## Why
    /// The item of the array only defines the type of items.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/match data_values=True
    /// ---
    /// hosts:
    /// - a
    /// ```
    ///
    /// ## How to fix
    /// Write `#@schema/default []` above it, or the items that are there by default.
    pub static RULE: Rule = Rule {
        code: "proposals/default-required",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::AnnotationBeside,
    };
}

pub(crate) fn finding(name: Span) -> Diagnostic {
    Diagnostic::new(&RULE, name, "an array needs a default").help("write `#@schema/default []` above it")
}
