use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;
use std::ops::RangeInclusive;

rule! {
    /// # A number that a field of a resource cannot have
    ///
    /// ## What
    /// A number in one of Kubernetes' own kinds is outside the bounds of the server's own code: a port above 65535,
    /// negative replicas, a probe of a running container that has to succeed twice. The schema of the kind takes any
    /// number there.
    ///
    /// ## Why
    /// The API server refuses the resource.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   containers:
    ///   - name: crew
    ///     image: crew:1
    ///     ports:
    ///     - containerPort: 80800
    /// ```
    ///
    /// ## How to fix
    /// Write a number within the bounds that the message names.
    pub static RULE: Rule = Rule {
        code: "kubernetes/number-range",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Compared,
    };
}

pub(in crate::kubernetes) fn finding(span: Span, key: &str, number: i128, range: &RangeInclusive<i128>) -> Diagnostic {
    let (least, most) = (range.start(), range.end());
    let bound = if least == most {
        format!("be {least}")
    } else if number < *least {
        format!("be at least {least}")
    } else {
        format!("be at most {most}")
    };
    said(span, format!("`{key}` should {bound}, but is {number}"))
}

/// With other words.
pub(in crate::kubernetes) fn said(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
