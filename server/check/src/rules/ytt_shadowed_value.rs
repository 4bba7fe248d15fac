use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Subject, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A value that a later document sets again
    ///
    /// ## What
    /// A file has several documents of data values, and a later one sets the same key. Values in other files are another
    /// matter: they are meant to replace those of files before them.
    ///
    /// ## Why
    /// Only the last one counts. Changing the first has no effect.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// port: 80
    /// #@data/values
    /// ---
    /// port: 81
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them.
    pub static RULE: Rule = Rule {
        code: "ytt/shadowed-value",
        stage: Stage::Lint,
        severity: Severity::Hint,
        subject: Subject::Key,
        cause: Cause::RelatedPlace,
    };
}

/// `later`: the key in the later document.
pub(crate) fn finding(span: Span, key: &str, later: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("a later document sets `{key}` again, so this has no effect"))
        .related(later, "set again here")
        .tag(Tag::Unnecessary)
}
