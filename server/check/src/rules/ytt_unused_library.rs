use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A private library that nothing uses
    ///
    /// ## What
    /// No code in the workspace gets a library below `_ytt_lib` by `library.get`. It is reported in the first file of
    /// the library that has a schema or code. Nothing is reported where that is not certain: where code computes the
    /// name that it passes to `library.get`, where a file cannot be read, where the scan of the workspace stopped at
    /// its limit, and about libraries that are given to `ytt` by themselves.
    ///
    /// ## Why
    /// Its files look as if they were a part of the output, and changing them changes nothing.
    ///
    /// The rule is off by default: it looks at all code of the workspace.
    ///
    /// ## Example
    /// ```yaml
    /// #! config/_ytt_lib/db/schema.yml
    /// #@data/values-schema
    /// ---
    /// port: 5432
    /// #! config/app.yml
    /// #@ load("@ytt:library", "library")
    /// #@ load("@ytt:template", "template")
    /// --- #@ template.replace(library.get("database").eval())
    /// ```
    ///
    /// ## How to fix
    /// Get the library where it was meant to be got, or remove its folder.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-library",
        stage: Stage::Lint,
        severity: Severity::Hint,
        silent: true,
        certainty: Certainty::NeedsWholeText,
        subject: Subject::Key,
    };
}

/// A private library that no code gets.
pub fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("no code gets the library `{name}`")).tag(Tag::Unnecessary)
}
