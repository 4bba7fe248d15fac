use crate::rules::openchoreo_default_violates_schema;
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # An example that does not have the type of its value
    ///
    /// ## What
    /// `#@schema/examples` gives a value that does not fit the type that the value below declares.
    ///
    /// ## Why
    /// ytt refuses the schema.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/examples ("the usual one", "80")
    /// port: 0
    /// ```
    ///
    /// ## How to fix
    /// Give an example of the declared type. null is only allowed with `#@schema/nullable`.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-example-type",
        stage: Stage::Schema,
        severity: Severity::Error,
        shared: true,
        cause: Cause::AnnotationBeside,
    };
}

/// `inner` is the finding from checking the example against the node's type.
/// `name` is that of the node below the annotation that gives it; None if the example is not in an annotation.
pub(crate) fn finding(name: Option<Span>, argument: Span, description: &str, inner: &Diagnostic) -> Diagnostic {
    let Some(name) = name else { return openchoreo_default_violates_schema::about(&RULE, "example", argument, inner) };
    let shown = words::quoted(description);
    // Values from a fragment have lines of their own, and ytt points there.
    let given =
        inner.span.file == argument.file && argument.start <= inner.span.start && inner.span.end <= argument.end;
    let mut finding = Diagnostic::new(
        &RULE,
        if given { name } else { inner.span },
        format!("the example {shown} does not fit: {}", inner.message),
    );
    finding.found.clone_from(&inner.found);
    finding.expected.clone_from(&inner.expected);
    finding.path.clone_from(&inner.path);
    match given {
        true => finding.blames(argument, "the example"),
        false => finding.related(argument, "the example"),
    }
}
