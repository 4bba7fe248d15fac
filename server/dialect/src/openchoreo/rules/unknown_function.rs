use crate::openchoreo::cel::types::Existence;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An unknown function
    ///
    /// ## What
    /// An expression calls a function or method that neither the language nor the platform has. Methods of the
    /// platform's own objects differ between releases: there, only a name similar to a known one is reported. Names that
    /// begin with `oc_`, and those of modules that no known release has, are warnings unless they are similar to one.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: ComponentType
    /// metadata: {name: web}
    /// spec:
    ///   workloadType: deployment
    ///   resources:
    ///   - id: deployment
    ///     template:
    ///       replicas: ${oc_ommit()}
    /// ```
    ///
    /// ## How to fix
    /// Correct the name.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unknown-function",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, name: &str, certainty: Existence, meant: Option<&str>) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, format!("there is no function `{name}`"));
    if let Some(meant) = meant {
        return finding.meant(span, meant);
    }
    if certainty == Existence::Later {
        finding.severity = Severity::Warning;
    }
    finding
}
