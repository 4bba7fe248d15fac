use lofting_diagnostic::{Diagnostic, Fix, Said, Severity, Stage, rule};
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
        instead_of: &[Said::Value("identity"), Said::Value("pattern")],
    };
}

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    let message = format!("a component cannot have the name `{name}`");
    let finding = Diagnostic::new(&RULE, span, message).help(
        "names have lower-case letters, digits and hyphens, with a letter at the beginning and a letter or digit at the end",
    );
    let fix = |name: String| Fix::replace(format!("Change to `{name}`"), span, name).possible();
    spelled(name).map(fix).into_iter().fold(finding, Diagnostic::fix)
}

/// A name as it may be, if enough of it is left.
fn spelled(name: &str) -> Option<String> {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let spelled: String = name.chars().map(allowed).collect();
    let spelled = spelled.trim_start_matches(|c: char| !c.is_ascii_lowercase()).trim_end_matches('-');
    (!spelled.is_empty()).then(|| spelled.to_owned())
}
