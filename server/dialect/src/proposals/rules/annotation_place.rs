use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::{Note, Span};

rule! {
    /// # An annotation does not belong on this node
    ///
    /// ## What
    /// The annotation is for other nodes: a default for documents and map items, rules about keys for map items, and so on.
    ///
    /// ## Why
    /// It has no effect here.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// hosts:
    /// #@schema/default "a"
    /// - b
    /// ```
    ///
    /// ## How to fix
    /// Move the annotation to the node it is meant for, or remove it.
    pub static RULE: Rule = Rule {
        code: "proposals/annotation-place",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(name: Span, note: &Note, node: &str) -> Diagnostic {
    let message = match note.name.as_str() {
        "schema/default" => "an array item has no default: annotate the array".to_owned(),
        name => format!("`@{name}` cannot be used on {node}"),
    };
    Diagnostic::new(&RULE, name, message)
        .blames(note.span, "the annotation")
        .fix(Fix::replace(format!("Remove `@{}`", note.name), note.span, "").possible())
}
