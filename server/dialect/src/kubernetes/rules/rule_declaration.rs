use crate::kubernetes::fields::{Fields, has_lines};
use crate::kubernetes::look::Look;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A declaration of a rule that the API server refuses
    ///
    /// ## What
    /// An entry of `x-kubernetes-validations` has a `rule` that is not empty, a `message` without line breaks, and needs a
    /// `message` where the rule has several lines.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec:
    ///             type: object
    ///             x-kubernetes-validations:
    ///             - {rule: "true", message: " "}
    /// ```
    ///
    /// ## How to fix
    /// Write what is missing on one line.
    pub static RULE: Rule = Rule {
        code: "kubernetes/rule-declaration",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Schema(look);

fn look(schema: Fields<'_>, found: &mut Vec<Diagnostic>) {
    for rule in schema.items("x-kubernetes-validations").iter().map(|item| Fields(&item.value)) {
        let mut report = |span, message: &str| found.push(finding(span, message));
        let written = |key| rule.written(key).map(|text| (text.text, text.span));
        let (text, message) = (written("rule"), written("message"));
        // A missing rule is a missing key.
        if let Some((text, span)) = text {
            let trimmed = message.map(|(message, _)| message.trim()).unwrap_or_default();
            if text.trim().is_empty() {
                report(span, "the rule is empty");
            } else if let Some((_, span)) = message.filter(|(message, _)| !message.is_empty() && trimmed.is_empty()) {
                report(span, "the message is blank");
            } else if let Some((_, span)) = message.filter(|_| has_lines(trimmed)) {
                report(span, "the message should be on one line");
            } else if has_lines(text.trim()) && trimmed.is_empty() && (message.is_some() || rule.lacks("message")) {
                report(span, "a rule of several lines needs a `message`");
            }
        }
        if let Some((text, span)) = written("messageExpression")
            && !text.is_empty()
            && text.trim().is_empty()
        {
            report(span, "the expression of the message is blank");
        }
    }
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
