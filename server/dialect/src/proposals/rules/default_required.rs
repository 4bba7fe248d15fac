use crate::head::Form;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_schema::SchemaNode;

rule! {
    /// # An array has no default
    ///
    /// ## What
    /// In the first form of the proposal an array declares its default with `@schema/default`.
    ///
    /// ## Why
    /// The item of the array only defines the type of items.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/match data_values=True
    /// ---
    /// hosts:
    /// - a
    /// ```
    ///
    /// ## How to fix
    /// Write `#@schema/default []` above it, or the items that are there by default.
    pub static RULE: Rule = Rule {
        code: "proposals/default-required",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::AnnotationBeside,
    };
}

/// Looks at a node without the annotation whose default is used.
pub(crate) fn look(node: &SchemaNode, form: Form) -> Option<Diagnostic> {
    let is_required = form.requires_array_default() && node.known && node.array.is_some();
    let finding = || Diagnostic::new(&RULE, node.declared.name, "an array needs a default");
    is_required.then(|| finding().help("write `#@schema/default []` above it"))
}
