use lofting_diagnostic::{Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A text that a field of a resource cannot have
    ///
    /// ## What
    /// A text in one of Kubernetes' own kinds does not have the form that the server's own code asks for: the name of a
    /// container or port, the key of a `ConfigMap`, the schedule of a `CronJob`, a path, an address, a label that is selected,
    /// a quantity such as `128Mi`.
    /// The schema of the kind takes any text there.
    ///
    /// ## Why
    /// The API server refuses the resource.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   containers:
    ///   - name: Deck_Crew
    ///     image: crew:1
    /// ```
    ///
    /// ## How to fix
    /// Write it in the form that the message describes.
    pub static RULE: Rule = Rule {
        code: "kubernetes/text-form",
        stage: Stage::Validation,
        severity: Severity::Error,
        instead_of: &[Said::Value("format")],
    };
}

/// `words` describe the form; `meant` is what has it.
pub(in crate::kubernetes) fn finding(span: Span, text: &str, words: &str, meant: Option<&str>) -> Diagnostic {
    let finding = said(span, format!("`{text}` cannot be here: this should be {words}"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

/// With other words.
pub(in crate::kubernetes) fn said(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
