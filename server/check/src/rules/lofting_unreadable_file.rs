use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A file that cannot be read
    ///
    /// ## What
    /// The file is not UTF-8 text, is larger than 50 MB, is a directory, or cannot be opened.
    ///
    /// ## Why
    /// Nothing in it is checked, and ytt would stop at it as well.
    ///
    /// ## Example
    /// A `values.yml` that was saved as Latin-1 with a `ü` in it.
    ///
    /// ## How to fix
    /// Save the file as UTF-8, or remove it from the inputs.
    pub static RULE: Rule = Rule {
        code: "lofting/unreadable-file",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

/// The file cannot be read; `message` says why.
pub fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
