use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Fix, rule};
use lofting_document::Span;

rule! {
    /// # A tab on a blank line
    ///
    /// ## What
    /// A line that is empty but for white space, or has only a comment behind it, and the white space holds a tab.
    ///
    /// ## Why
    /// YAML passes over it. ytt takes the tab for indentation, which has to be of spaces, and cannot read the file. Where
    /// an unquoted text may go on, a tab that is deeper than the text's key does no harm.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// port: 80
    /// 	#! Before this comment stands a tab.
    /// name: web
    /// ```
    ///
    /// ## How to mend
    /// Remove the tab.
    pub static RULE: Rule = Rule {
        code: "ytt/blank-tab",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "ytt cannot read a line that begins with a tab")
        .fix(Fix::replace("Remove the tab", span, "").sure())
}
