use crate::at::At;
use crate::{Diagnostic, Severity, Stage, Tag};
use lofting_diagnostic::{Subject, rule};
use lofting_schema::Text;

rule! {
    /// # A deprecated value is set
    ///
    /// ## What
    /// The schema marks the key as deprecated, and the values set it.
    ///
    /// ## Why in ytt
    /// ytt reads `#@schema/deprecated` but never reports it, so deprecated values stay in use until they are removed and break.
    ///
    /// ## Why in JSON Schema
    /// The keyword `deprecated` says that the key may be gone in a later version.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #! schema
    /// #@schema/deprecated "use hosts"
    /// host: ""
    /// #! values
    /// host: a.example.org
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   host: {type: string, deprecated: true, description: Use hosts instead.}
    /// # values
    /// host: a.example.org
    /// ```
    ///
    /// ## How to fix
    /// Follow the text of the schema.
    pub static RULE: Rule = Rule {
        code: "ytt/deprecated-value",
        stage: Stage::Lint,
        severity: Severity::Warning,
        shared: true,
        subject: Subject::Key,
    };
}

pub(crate) fn finding(at: &At<'_>, deprecated: &Text) -> Diagnostic {
    let why = deprecated.text.trim();
    let message = if why.is_empty() {
        format!("{} is deprecated", at.subject())
    } else {
        format!("{} is deprecated: {why}", at.subject())
    };
    Diagnostic::new(&RULE, at.name, message).tag(Tag::Deprecated).related(deprecated.span, "deprecated here")
}
