use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # An argument that data values do not take
    ///
    /// ## What
    /// `#@data/values` takes no argument but `after_library_module=`, which is `True` or `False`, and that only
    /// together with `#@library/ref`.
    ///
    /// ## Why
    /// ytt refuses the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values sorted=True
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to mend
    /// Remove the argument.
    pub static RULE: Rule = Rule {
        code: "ytt/data-values-keyword",
        stage: Stage::Overlay,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, keyword: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`@data/values` takes no argument `{keyword}`"))
}

pub(crate) fn wrong_kind(span: Span, keyword: &str, was: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{keyword}=` takes `True` or `False`, but is {was}"))
}
