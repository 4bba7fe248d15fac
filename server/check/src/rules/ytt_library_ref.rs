use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A reference to an unknown library
    ///
    /// ## What
    /// `#@library/ref` takes one string: `"@path"`, `"@~alias"`, `"@path~alias"`, or nested `"@a@b"`.
    ///
    /// ## Why
    /// ytt refuses the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@library/ref "frontend"
    /// #@data/values
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to mend
    /// Start the name with `@`: `#@library/ref "@frontend"`.
    pub static RULE: Rule = Rule {
        code: "ytt/library-ref",
        stage: Stage::Overlay,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`@library/ref`: {message}"))
        .help("write it as `#@library/ref \"@path\"`, `\"@~alias\"` or `\"@path~alias\"`")
}
