use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # Too many findings to show all of them
    ///
    /// ## What
    /// The file has more findings than an editor can show well; the rest are left out.
    ///
    /// ## Why
    /// Thousands of marks make an editor slow and are of no use. Often one mistake near the top causes most
    /// of them: a schema that does not belong to the file, or a wrong indentation.
    ///
    /// ## Example
    /// ```yaml
    /// #! a values file of another program
    /// ```
    ///
    /// ## How to fix
    /// Fix the first findings, and the others appear.
    pub static RULE: Rule = Rule {
        code: "lofting/too-many-findings",
        stage: Stage::Lint,
        severity: Severity::Info,
    };
}

pub(crate) fn finding(span: Span, more: usize) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("… and {more} more findings in this file"))
}
