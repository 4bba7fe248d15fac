use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A rule of a resource that does not compile
    ///
    /// ## What
    /// A rule or a `messageExpression` of `x-kubernetes-validations` is not a valid CEL expression, names a field that its
    /// schema does not declare, or uses values of types that do not fit together. Or the expression is one of an admission
    /// policy (`ValidatingAdmissionPolicy`, `MutatingAdmissionPolicy`), a `matchConditions` of a webhook, or a selector of
    /// devices (`DeviceClass`, `ResourceClaim`), and uses a variable that it is not given, or gives what is not wanted.
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
    ///               replicas: {type: integer}
    ///             x-kubernetes-validations:
    ///             - rule: self.replcas > 0
    /// ```
    ///
    /// ## How to fix
    /// Correct the expression where the finding is shown. In the rules of a schema, `self` is the value that the schema
    /// describes; for admission there are `object`, `oldObject`, `request` and `namespaceObject`, `params` if the policy has
    /// a `paramKind`, and `variables` if it has variables. Only mutations make objects: `applyConfiguration` gives an
    /// `Object`, and `jsonPatch` an array of `JSONPatch`. A selector of devices has `device`.
    pub static RULE: Rule = Rule {
        code: "kubernetes/invalid-expression",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::SameText,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
