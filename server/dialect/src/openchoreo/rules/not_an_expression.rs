use crate::openchoreo::templates::ResultType;
use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # Text where a single expression belongs
    ///
    /// ## What
    /// `includeWhen`, `forEach`, `when`, `rule`, `readyWhen` and the `where` of a target take one expression, `${…}`, with nothing before or after it.
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
    ///   parameters:
    ///     ocSchema: {enabled: boolean}
    ///   resources:
    ///   - id: deployment
    ///     includeWhen: parameters.enabled
    ///     template: {}
    /// ```
    ///
    /// ## How to fix
    /// Put `${` and `}` around the expression.
    pub static RULE: Rule = Rule {
        code: "openchoreo/not-an-expression",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, text: &str, wanted: ResultType) -> Diagnostic {
    let what = match wanted {
        ResultType::Boolean | ResultType::Filter => "one expression that is a boolean",
        ResultType::Items => "one expression that is an array or a map",
        ResultType::Name | ResultType::Path => "one expression that is a string",
    };
    let finding = Diagnostic::new(&RULE, span, format!("this should be {what}, `${{…}}`, and nothing else"));
    if text.contains("${") || text.contains(['\n', '\'', '"', '{', '}']) || text.trim().is_empty() {
        return finding;
    }
    let fixed = format!("${{{}}}", text.trim());
    finding.fix(Fix::replace("Make it an expression", span, fixed))
}
