use crate::at::At;
use crate::{Diagnostic, Severity, Stage, Tag};
use lofting_diagnostic::{Subject, rule};
use lofting_schema::Text;

rule! {
    /// # A deprecated value is set
    ///
    /// ## What
    /// The schema marks the key with `#@schema/deprecated`, and the values set it.
    ///
    /// ## Why
    /// ytt reads the annotation but never reports it, so deprecated values stay in use until they are removed and
    /// break.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/deprecated "use hosts"
    /// host: ""
    /// #! values
    /// host: a.example.org
    /// ```
    ///
    /// ## How to fix
    /// Follow the text of the annotation.
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
