use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A value that breaks a rule of its schema
    ///
    /// ## What
    /// The schema has rules that are expressions (`x-kubernetes-validations`), and one of them does not hold for the
    /// value, or has no result for it. The message is that of the rule. Rules that compare a value with its previous
    /// one (`oldSelf`) are left out: they only matter when a resource is changed.
    ///
    /// ## Why
    /// The API server refuses the resource.
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
    ///             properties:
    ///               least: {type: integer}
    ///               most: {type: integer}
    ///             x-kubernetes-validations:
    ///             - rule: self.least <= self.most
    ///               message: least must not be larger than most
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Boat
    /// metadata: {name: b}
    /// spec: {least: 3, most: 2}
    /// ```
    ///
    /// ## How to fix
    /// Change the value as the message says; the finding leads to the rule.
    pub static RULE: Rule = Rule {
        code: "schema/expression",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

pub(crate) fn finding(at: &At<'_>, span: Span, message: &str, rule: Span) -> Diagnostic {
    let message = format!("{}: {message}", at.subject());
    Diagnostic::new(&RULE, span, message).related(rule, "this rule does not hold")
}
