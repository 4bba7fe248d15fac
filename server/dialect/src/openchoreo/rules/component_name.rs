use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A name that a component cannot have
    ///
    /// ## What
    /// The name of a component begins with a letter and ends with a letter or digit, with lower-case letters, digits and
    /// hyphens between them. Components whose type is a string, as before 1.0, are not looked at.
    ///
    /// ## Why
    /// The platform refuses the document, because services have the name of their component.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Component
    /// metadata: {name: 2nd-shop}
    /// spec:
    ///   owner: {projectName: town}
    ///   componentType: {name: deployment/web}
    /// ```
    ///
    /// ## How to fix
    /// Choose a name that begins with a letter.
    pub static RULE: Rule = Rule {
        code: "openchoreo/component-name",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    let message = format!("a component cannot have the name `{name}`");
    Diagnostic::new(&RULE, span, message).help(
        "names have lower-case letters, digits and hyphens, with a letter at the beginning and a letter or digit at the end",
    )
}
