use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # An item that is already in its array
    ///
    /// ## What
    /// The schema says how the items of an array are told apart: as a whole (`x-kubernetes-list-type: set`) or by some of
    /// their keys (`map`, with `x-kubernetes-list-map-keys`), and an earlier item is the same. Defaults of these keys
    /// count.
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
    ///               sails:
    ///                 type: array
    ///                 x-kubernetes-list-type: map
    ///                 x-kubernetes-list-map-keys: [name]
    ///                 items:
    ///                   type: object
    ///                   required: [name]
    ///                   properties:
    ///                     name: {type: string}
    ///                     area: {type: integer}
    /// ---
    /// apiVersion: example.com/v1
    /// kind: Boat
    /// metadata: {name: b}
    /// spec:
    ///   sails:
    ///   - name: main
    ///     area: 20
    ///   - name: main
    ///     area: 12
    /// ```
    ///
    /// ## How to fix
    /// Give the item another name, or remove it.
    pub static RULE: Rule = Rule {
        code: "schema/repeated-item",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// `first` is the place of the earlier item.
pub(crate) fn finding(at: &At<'_>, span: Span, message: &str, first: Span) -> Diagnostic {
    let message = format!("{}: {message}", at.subject());
    Diagnostic::new(&RULE, span, message).related(first, "the first one")
}
