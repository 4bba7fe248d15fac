use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, Subject, rule};
use lofting_document::Span;

rule! {
    /// # An unknown keyword in a schema
    ///
    /// ## What
    /// Kubernetes decodes schemas strictly, and this keyword is not one that it knows, or is one that it refuses, such as
    /// `patternProperties` and `uniqueItems: true`. Keys that begin with `x-` are allowed.
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
    ///   parameters:
    ///     openAPIV3Schema:
    ///       type: object
    ///       properties:
    ///         size: {type: integer, const: 5}
    /// ```
    ///
    /// ## How to fix
    /// Remove it, or express the same with another keyword: `const: 5` is `enum: [5]`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unknown-keyword",
        stage: Stage::Schema,
        severity: Severity::Error,
        subject: Subject::Key,
    };
}

/// Keywords that are decoded, and then refused because they are not structural.
const UNSUPPORTED: &[&str] = &["$schema", "additionalItems", "dependencies", "id", "patternProperties"];

/// `uniqueItems: true` is a keyword, and servers that build a structure from the schema refuse it.
pub(crate) fn unique_items(span: Span) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, "the platform does not support `uniqueItems: true`");
    Diagnostic { severity: Severity::Warning, ..finding }
}

/// `meant`: the keyword that is most likely meant.
pub(crate) fn finding(span: Span, keyword: &str, meant: Option<&str>) -> Diagnostic {
    let message = if UNSUPPORTED.contains(&keyword) {
        format!("the platform does not support the keyword `{keyword}`")
    } else {
        format!("there is no keyword `{keyword}` in an `openAPIV3Schema`")
    };
    let finding = Diagnostic::new(&RULE, span, message);
    let Some(meant) = meant.filter(|_| !UNSUPPORTED.contains(&keyword)) else { return finding };
    let finding = finding.help(format!("did you mean `{meant}`?"));
    finding.fix(Fix::replace(format!("Change to `{meant}`"), span, meant))
}
