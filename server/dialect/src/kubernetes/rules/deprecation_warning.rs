use crate::kubernetes::fields::Fields;
use crate::kubernetes::look::Look;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::{NodeValue, Span};

rule! {
    /// # A warning that the API server refuses
    ///
    /// ## What
    /// `deprecationWarning` belongs to versions with `deprecated: true`, and has 1 to 256 printable characters.
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
    ///     deprecationWarning: use v2
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Add `deprecated: true`, or remove or shorten the warning.
    pub static RULE: Rule = Rule {
        code: "kubernetes/deprecation-warning",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Version(look);

/// How many bytes a warning may have.
const WARNING: usize = 256;

fn look(version: Fields<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(warning) = version.value("deprecationWarning")
        && let NodeValue::String(text) = &warning.value
    {
        let message = match () {
            () if version.lacks("deprecated")
                || version.value("deprecated").is_some_and(|node| node.value == NodeValue::Bool(false)) =>
            {
                Some("only a version with `deprecated: true` can have a warning")
            }
            () if text.is_empty() => Some("the warning is empty"),
            () if text.len() > WARNING => Some("the warning is longer than 256 bytes"),
            () if text.chars().any(char::is_control) => Some("the warning contains characters that cannot be printed"),
            () => None,
        };
        found.extend(message.map(|message| finding(warning.span, message)));
    }
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
