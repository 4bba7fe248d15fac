use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;
use lofting_schema::SchemaNode;

rule! {
    /// # Code reads a data value that may be missing
    ///
    /// ## What
    /// The schema says that the key may be left out (`#@schema/key-may-be-present`, `#@schema/key missing_ok=True`) or
    /// was removed, and code reads it without a check.
    ///
    /// ## Why
    /// If the key is not given, the template fails.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/key missing_ok=True
    /// proxy: http://proxy
    /// #! template
    /// #@ load("@ytt:data", "data")
    /// proxy: #@ data.values.proxy
    /// ```
    ///
    /// ## How to fix
    /// Check first: `"proxy" in data.values`, or `getattr(data.values, "proxy", None)`.
    pub static RULE: Rule = Rule {
        code: "schema/optional-data-value",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, key: &str, holder: &str, node: &SchemaNode) -> Diagnostic {
    let message = match node.docs.removed {
        Some(_) => format!("`{key}` was removed from `{holder}`: it is never there"),
        None => format!("`{key}` may be missing in `{holder}`"),
    };
    Diagnostic::new(&RULE, span, message)
        .help(format!("test for it first: `\"{key}\" in {holder}`, or `getattr({holder}, \"{key}\", None)`"))
        .related(node.declared.name, "declared here")
}
