use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_diagnostic::suggest::Searches;
use lofting_document::Span;

rule! {
    /// # A suppression comment names no rule
    ///
    /// ## What
    /// `#! lofting: ignore CODE` suppresses findings of the rules it names, on its line or the next one; `#! lofting:
    /// ignore-file CODE` those in the whole file. This comment names none, or an unknown one.
    ///
    /// ## Why
    /// It suppresses nothing. There is no way to suppress all findings at once, because new ones would never be seen.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// port: 80
    /// #! values
    /// port: x #! lofting: ignore ytt/typ-mismatch
    /// ```
    ///
    /// ## How to fix
    /// Write the code shown with the finding; separate several by commas.
    pub static RULE: Rule = Rule {
        code: "lofting/suppression",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// The comment has a word that is not the code of a rule.
pub fn unknown(span: Span, word: &str, searches: &mut Searches) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("there is no rule `{word}`"));
    match searches.nearest_rule(super::registry(), word) {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")).fix(Fix::replace(
            format!("Change to `{meant}`"),
            span,
            meant.code,
        )),
        None => finding.help("docs/rules.md lists all rules"),
    }
}

/// The comment names no code.
pub fn empty(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "this comment names no rule to ignore").help("write the code of a rule after it")
}
