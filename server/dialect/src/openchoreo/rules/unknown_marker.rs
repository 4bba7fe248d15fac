use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An unknown marker
    ///
    /// ## What
    /// The name before `=` is not a known marker and does not begin with `oc:`.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | min=1
    /// ```
    ///
    /// ## How to fix
    /// Correct the name. Notes for tools begin with `oc:`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unknown-marker",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("there is no marker `{name}`"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => {
            finding.help("markers are `default`, `enum`, `minimum`, `pattern` and the like; notes begin with `oc:`")
        }
    }
}
