use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::{Note, Span};

rule! {
    /// # An annotation about types below a node that allows anything
    ///
    /// ## What
    /// A node above allows any value, and this annotation is about types, defaults or keys.
    ///
    /// ## Why
    /// Below such a node nothing is checked or filled in.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/type any=True
    /// a:
    ///   #@schema/nullable
    ///   b: 1
    /// ```
    ///
    /// ## How to fix
    /// Remove one of the two annotations.
    pub static RULE: Rule = Rule {
        code: "proposals/below-any",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(name: Span, note: &Note, any: Span) -> Diagnostic {
    let message = format!("`@{}` cannot be used below a value of any type", note.name);
    Diagnostic::new(&RULE, name, message)
        .blames(note.span, "the annotation")
        .related(any, "any type is allowed here")
        .fix(Fix::replace(format!("Remove `@{}`", note.name), note.span, ""))
}
