use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::Span;

rule! {
    /// # Schema and other documents in one file
    ///
    /// ## What
    /// A file with a schema document may only contain schema documents and empty ones, and a file with data values only
    /// data values.
    ///
    /// ## Why
    /// ytt refuses the file and names no line.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// port: 80
    /// ---
    /// kind: Service
    /// ```
    ///
    /// ## How to mend
    /// Move the other documents to separate files.
    pub static RULE: Rule = Rule {
        code: "ytt/mixed-documents",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::DocumentHead,
    };
}

pub(crate) fn finding(span: Span, with: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("a file with {with} may hold nothing else"))
        .help("move this document to a file of its own")
        .related(first, format!("this makes it a file with {with}"))
}
