use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # A mistake in lofting.toml
    ///
    /// ## What
    /// `lofting.toml` is not valid TOML, has an unknown key, a value of the wrong type, or names a file that does not
    /// exist.
    ///
    /// ## Why
    /// Whatever could not be understood is missing from the input set, so its files may be checked against the wrong
    /// schema, or none.
    ///
    /// ## Example
    /// ```toml
    /// [sets.prod]
    /// file = ["config/"]
    /// ```
    ///
    /// ## How to fix
    /// Use the keys the message lists: `files`, `values`, ...
    pub static RULE: Rule = Rule {
        code: "lofting/configuration",
        stage: Stage::Parse,
        severity: Severity::Error,
        cause: Cause::Table,
    };
}

/// A mistake in `lofting.toml`.
pub fn finding(span: Span, message: &str, help: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, message);
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}
