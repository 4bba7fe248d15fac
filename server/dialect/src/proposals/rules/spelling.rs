use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Note;

rule! {
    /// # An annotation has the name that ytt uses
    ///
    /// ## What
    /// The annotation has ytt's name (`desc`, `validation`); the design proposals call it `doc`, `validate`.
    ///
    /// ## Why
    /// Both are understood, but readers expect one name.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/desc "A text"
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Write the name that the message gives.
    pub static RULE: Rule = Rule {
        code: "proposals/spelling",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

/// Annotations that have another name in ytt.
pub(crate) const OTHER_NAMES: [(&str, &str); 2] =
    [("schema/desc", "schema/doc"), ("schema/validation", "schema/validate")];

/// Looks at an annotation.
pub(crate) fn look(note: &Note) -> Option<Diagnostic> {
    let (_, own) = OTHER_NAMES.iter().find(|(other, _)| *other == note.name)?;
    let fix = Fix::replace(format!("Rename to `@{own}`"), note.name_span, *own).sure();
    Some(Diagnostic::new(&RULE, note.name_span, format!("this is called `@{own}` here")).fix(fix))
}
