use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A mistake in lofting.toml
    ///
    /// ## What
    /// `lofting.toml` is not valid TOML, has a key that is not known, a value of the wrong type, or names
    /// a file that does not exist.
    ///
    /// ## Why
    /// The input set it describes lacks what could not be understood, so that its files may be checked
    /// against another schema than meant, or none.
    ///
    /// ## Example
    /// ```toml
    /// [sets.prod]
    /// file = ["config/"]
    /// ```
    ///
    /// ## How to mend
    /// Use the keys the message lists: `files`, `values`, ...
    pub static RULE: Rule = Rule {
        code: "lofting/configuration",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, message: &str, help: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, message);
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}
