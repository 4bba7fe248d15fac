use crate::openchoreo::cel::functions::count_words;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;
use std::ops::RangeInclusive;

rule! {
    /// # A function is called with a wrong number of arguments
    ///
    /// ## What
    /// An expression calls a function or method with more or fewer arguments than it takes.
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
    ///       labels: ${oc_merge(metadata.labels)}
    /// ```
    ///
    /// ## How to fix
    /// Pass the arguments that it takes.
    pub static RULE: Rule = Rule {
        code: "openchoreo/argument-count",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, name: &str, given: usize, takes: &RangeInclusive<usize>) -> Diagnostic {
    let takes = count_words(takes);
    let given = if given == 0 { "none".to_owned() } else { given.to_string() };
    Diagnostic::new(&RULE, span, format!("`{name}` takes {takes}, but is given {given}")).found(given, takes)
}
