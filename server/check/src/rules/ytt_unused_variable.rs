use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A variable that nothing uses
    ///
    /// ## What
    /// A variable is set and never read. Other files can load variables of libraries (`.lib.yml`, `.star`), unless their
    /// names begin with `_`. Variables of loops, and names in functions that begin with `_`, may be left unused.
    ///
    /// ## Why
    /// Most often the code that used it is gone, or another name is misspelt.
    ///
    /// ## Example
    /// ```yaml
    /// #@ def double(number):
    /// #@   half = number / 2
    /// #@   return number * 2
    /// #@ end
    /// size: #@ double(4)
    /// ```
    ///
    /// ## How to fix
    /// Remove it, or use it.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-variable",
        stage: Stage::Lint,
        severity: Severity::Hint,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::AnyLine,
    };
}

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{name}` is never used")).tag(Tag::Unnecessary)
}
