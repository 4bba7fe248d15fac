use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Subject, rule};
use lofting_document::{Key, Span};

rule! {
    /// # A key is written twice in one map
    ///
    /// ## What
    /// The same key appears twice in a map of a plain YAML file.
    ///
    /// ## Why
    /// The last one wins silently; the first has no effect. Other YAML readers refuse the file.
    ///
    /// ## Example
    /// ```yaml
    /// port: 80
    /// port: 8080
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them.
    pub static RULE: Rule = Rule {
        code: "yaml/repeated-key",
        stage: Stage::Lint,
        severity: Severity::Warning,
        subject: Subject::Key,
        cause: Cause::DocumentStart,
    };
}

pub(crate) fn finding(span: Span, first: Span, key: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{key}` is already given in this map; only this last one counts"))
        .related(first, "first given here")
}
