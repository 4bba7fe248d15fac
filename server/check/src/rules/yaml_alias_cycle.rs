use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A value that contains itself
    ///
    /// ## What
    /// An alias is inside of the value that its anchor marks.
    ///
    /// ## Why
    /// The value would be infinite, and the file cannot be read.
    ///
    /// ## Example
    /// ```yaml
    /// a: &a
    ///   b: *a
    /// ```
    ///
    /// ## How to fix
    /// Refer to another value, or write the value out.
    pub static RULE: Rule = Rule {
        code: "yaml/alias-cycle",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`*{name}` is inside the value that it repeats"))
}
