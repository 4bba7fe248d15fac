use crate::openchoreo::shorthand::marker::MarkerKind;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A marker without a value
    ///
    /// ## What
    /// A word after the bar has no `=`. Words are separated by white space, so a value with spaces needs quotes, and
    /// there may be no space around `=` or after a comma.
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
    ///       size: string | description=how much it holds
    /// ```
    ///
    /// ## How to fix
    /// Give the value with `=`, or put the whole value in quotes: `description="how much it holds"`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/marker-without-value",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, word: &str, marker: Option<&MarkerKind>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("`{word}` has no value: markers are written `name=value`"));
    match (word, marker) {
        ("required", _) => finding.help("every field without a default is required"),
        (_, Some(marker)) => finding.help(format!("write `{}=` and its value, without blanks around `=`", marker.name)),
        (_, None) => finding.help("put a value that contains blanks in quotes"),
    }
}
