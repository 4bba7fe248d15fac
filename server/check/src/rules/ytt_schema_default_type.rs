use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # A default that does not have the type of its value
    ///
    /// ## What
    /// `#@schema/default` gives a value that does not fit the type that the value below declares.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/default "80"
    /// port: 0
    /// ```
    ///
    /// ## How to fix
    /// Give a default of the declared type. null is only allowed with `#@schema/nullable`.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-default-type",
        stage: Stage::Schema,
        severity: Severity::Error,
        shared: true,
        cause: Cause::AnnotationBeside,
    };
}

/// `inner` is the finding from checking the default against the node's type. Where the default is an annotation, ytt
/// points to the node that has it, whose name is `annotated`.
pub(crate) fn finding(annotated: Option<Span>, argument: Span, inner: &Diagnostic) -> Diagnostic {
    // Values from a fragment have lines of their own, and ytt points there.
    let given =
        inner.span.file == argument.file && argument.start <= inner.span.start && inner.span.end <= argument.end;
    let span = annotated.filter(|_| given).unwrap_or(inner.span);
    let mut finding = Diagnostic::new(&RULE, span, format!("the default does not fit: {}", inner.message));
    finding.found.clone_from(&inner.found);
    finding.expected.clone_from(&inner.expected);
    finding.path.clone_from(&inner.path);
    match (given, annotated) {
        (true, Some(_)) => finding.blames(argument, "the default"),
        (true, None) => finding,
        (false, _) => finding.related(argument, "the default"),
    }
}
