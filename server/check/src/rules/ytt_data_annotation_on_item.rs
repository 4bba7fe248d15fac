use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # A document annotation on an item
    ///
    /// ## What
    /// `#@data/values` and `#@data/values-schema` belong to a document: they must be above its `---`. Below it they
    /// belong to the first key.
    ///
    /// ## Why
    /// ytt refuses the file.
    ///
    /// ## Example
    /// ```yaml
    /// ---
    /// #@data/values-schema
    /// port: 80
    /// ```
    ///
    /// ## How to mend
    /// Move the annotation above the `---` line.
    pub static RULE: Rule = Rule {
        code: "ytt/data-annotation-on-item",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::DocumentStart,
    };
}

pub(crate) fn finding(item: Span, name: &str, annotation: Span) -> Diagnostic {
    Diagnostic::new(&RULE, item, format!("`@{name}` belongs to a document, but stands on this item"))
        .help("move it above the `---` line")
        .blames(annotation, "the annotation")
}
