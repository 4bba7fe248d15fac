use lofting_diagnostic::{Cause, Certainty, Diagnostic, Severity, Stage, Subject, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A definition of a JSON Schema that nothing uses
    ///
    /// ## What
    /// Neither the root of the schema nor another file leads to this entry of `definitions` or `$defs`, directly or by
    /// way of other definitions. Files that have nothing but definitions are not looked at, because programs and files
    /// elsewhere may use them.
    ///
    /// ## Why
    /// It has no effect. It may also be a name that was changed in one place only.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// definitions:
    ///   size: {type: integer}
    /// ```
    ///
    /// ## How to fix
    /// Refer to it, or remove it.
    pub static RULE: Rule = Rule {
        code: "json-schema/unused-definition",
        stage: Stage::Lint,
        severity: Severity::Hint,
        subject: Subject::Key,
        cause: Cause::NameGiven,
        certainty: Certainty::NeedsWholeText,
    };
}

/// The finding for a definition with this name.
pub fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("nothing uses the definition `{name}`")).tag(Tag::Unnecessary)
}
