use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # Values for a library that is not used
    ///
    /// ## What
    /// A document with `#@library/ref`, or a flag with `@library:`, is addressed to a library that no
    /// template evaluates. Found by `lofting check --render`.
    ///
    /// ## Why
    /// ytt stops with an error when it renders, because the name is most likely misspelt.
    ///
    /// ## Example
    /// ```yaml
    /// #@library/ref "@frontnd"
    /// #@data/values
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the address, or evaluate the library: `library.get("frontend").eval()`. An alias has to be
    /// given by `library.get(..., alias="...")`.
    pub static RULE: Rule = Rule {
        code: "ytt/library-not-evaluated",
        former: &["ytt/library-unused"],
        stage: Stage::Template,
        severity: Severity::Error,
    };
}

/// A document or flag is for a library that no template evaluates; `library` is the name as written.
pub fn finding(span: Span, library: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("no template evaluates the library `{library}`, which this is for"))
}
