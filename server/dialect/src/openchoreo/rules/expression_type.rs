use crate::openchoreo::cel::types::TypeKind;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An expression whose values do not fit together
    ///
    /// ## What
    /// An expression reads a field of something that has none, uses an operator between values of different types, or
    /// has no boolean where one is needed. Only what is certain from the schema of the same document is reported.
    ///
    /// ## Why
    /// The platform checks the types of expressions, and refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: ComponentType
    /// metadata: {name: web}
    /// spec:
    ///   workloadType: deployment
    ///   schema:
    ///     parameters:
    ///       port: integer
    ///   resources:
    ///   - id: deployment
    ///     includeWhen: ${parameters.port == "80"}
    ///     template: {}
    /// ```
    ///
    /// ## How to fix
    /// Compare with a value of the same type, or convert one: `string(parameters.port) == "80"`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/expression-type",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::SameText,
    };
}

pub(crate) fn no_fields(span: Span, kind: TypeKind) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this is a field of {}, which has no fields", kind.word()))
}

pub(crate) fn operands(span: Span, left: TypeKind, right: TypeKind) -> Diagnostic {
    let message = if left == right {
        format!("this operator cannot be used if both values are {}", left.word())
    } else {
        format!("this operator cannot be used between {} and {}", left.word(), right.word())
    };
    Diagnostic::new(&RULE, span, message)
}

pub(crate) fn expected(span: Span, kind: TypeKind, expected: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this should be {expected}, but is {}", kind.word()))
}
