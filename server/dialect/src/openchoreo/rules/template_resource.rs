use lofting_diagnostic::{Cause, Certainty, Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A template that is not a resource
    ///
    /// ## What
    /// A template is a text instead of a map, or lacks `apiVersion`, `kind` or `metadata.name`, its `kind` is an expression, or
    /// its `metadata.namespace` is anything but `${metadata.namespace}`, which templates of workflows must have. Documents
    /// with `spec.schema` are not looked at, because releases before 1.0 do not check this.
    ///
    /// ## Why
    /// The platform refuses the document: it decides by kind and name what it renders, and into which namespace.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: settings}
    /// spec:
    ///   creates:
    ///   - template:
    ///       apiVersion: v1
    ///       kind: ConfigMap
    ///       data: {mode: fast}
    /// ```
    ///
    /// ## How to fix
    /// Add what is missing: `metadata: {name: "${metadata.name}"}`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/template-resource",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::Inside,
        instead_of: &[Said::Lack, Said::Value("type-mismatch")],
    };
}

/// The finding for a template without these keys.
pub(crate) fn missing(span: Span, keys: &[&str]) -> Diagnostic {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let keys = match keys.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        all => all.concat(),
    };
    Diagnostic::new(&RULE, span, format!("this template needs {keys}"))
}

pub(crate) fn not_a_map(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a template is a map with the keys of a resource, not a text")
        .help("write `apiVersion`, `kind` and `metadata` below it; expressions are for values inside it")
}

pub(crate) fn computed_kind(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "the kind of a template cannot be an expression")
        .help("write a kind, such as `Service`")
}

pub(crate) fn namespace(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "the namespace of a template must be `${metadata.namespace}`")
        .help("the platform chooses the namespace")
}
