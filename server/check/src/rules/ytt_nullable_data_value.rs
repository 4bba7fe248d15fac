use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;
use lofting_schema::SchemaNode;

rule! {
    /// # Code reads a part of a data value that may be null
    ///
    /// ## What
    /// The schema says `#@schema/nullable`, and a template reads a key of the value in code that always runs, without
    /// checking the value first.
    ///
    /// ## Why
    /// The value is null unless it is given, and null has no keys: the template fails with "NoneType has no .secret
    /// field or method".
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/nullable
    /// tls:
    ///   secret: ""
    /// #! template
    /// #@ load("@ytt:data", "data")
    /// secret: #@ data.values.tls.secret
    /// ```
    ///
    /// ## How to fix
    /// Check first: put the node below `#@ if data.values.tls:`, or write `data.values.tls.secret if data.values.tls
    /// else ""`.
    pub static RULE: Rule = Rule {
        code: "ytt/nullable-data-value",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// `node` is the schema node of `holder`.
pub(crate) fn finding(span: Span, key: &str, holder: &str, node: &SchemaNode) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{holder}` may be null, and null has no `{key}`"))
        .help(format!("test for it first: `if {holder}:`"))
        .related(node.declared.name, "declared here as nullable")
}
