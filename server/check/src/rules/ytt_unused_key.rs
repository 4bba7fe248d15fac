use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A schema key that nothing uses
    ///
    /// ## What
    /// A schema declares a key that no template reads and no values file sets. Nothing is said about keys of which that
    /// is not certain: where code uses a map as a whole (writes it to the output, passes it to a function of another
    /// file, goes through its keys), where inputs are not known, in private libraries, and about deprecated keys.
    ///
    /// ## Why
    /// Readers of the schema take it for a setting, but setting it changes nothing.
    ///
    /// The rule is off by default: it looks at all templates and values files of the
    /// schema.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema.yml
    /// #@data/values-schema
    /// ---
    /// host: ""
    /// port: 80
    /// #! app.yml
    /// #@ load("@ytt:data", "data")
    /// host: #@ data.values.host
    /// ```
    ///
    /// ## How to fix
    /// Remove the key, or read it where it was meant to be read.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-key",
        stage: Stage::Lint,
        severity: Severity::Hint,
        silent: true,
        certainty: Certainty::NeedsWholeSchema,
        subject: Subject::Key,
    };
}

pub(crate) fn finding(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("no template reads `{key}`, and no values file sets it")).tag(Tag::Unnecessary)
}
