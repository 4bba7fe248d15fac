use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A map whose keys are not strings
    ///
    /// ## What
    /// The key type of a map is not `string`.
    ///
    /// ## Why
    /// The platform refuses the document. Keys of maps are always strings.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       weights: map[integer]string
    /// ```
    ///
    /// ## How to fix
    /// Write `map[string]T`, or shorter `map<T>`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/map-key-not-string",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, key: &str) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("keys of maps are strings, so the key type cannot be `{key}`"));
    // The notation of other languages: the types of keys and values, with a comma or colon between them.
    if let Some((_, values)) = key.split_once([',', ':']) {
        return finding.help(format!("the type of the values follows the bracket: `map[string]{}`", values.trim()));
    }
    if span.start == span.end { finding } else { finding.fix(Fix::replace("Change to `string`", span, "string")) }
}
