use crate::openchoreo::cel::types::TypeKind;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An expression whose values do not fit together
    ///
    /// ## What
    /// An expression reads a field of something that has none, uses an operator between values of different types, or
    /// has no boolean where one is needed. Types are those of the schema in the same document. What the schema declares
    /// with `properties` is an object: its fields follow a dot, and it is not a map that can be gone through, merged, or
    /// asked for a key. Integers and other numbers can be compared, but not added.
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

pub(crate) fn expected(span: Span, found: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this should be {expected}, but is {found}"))
}

/// The finding for what the platform's own check refuses, with the message about it.
pub(crate) fn refused(span: Span, message: &str, is_declared: bool) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, message);
    if !is_declared {
        return finding;
    }
    finding.help(
        "the types are those of the schema, in which objects are not maps; `dyn(…)` leaves the type of a value open",
    )
}
