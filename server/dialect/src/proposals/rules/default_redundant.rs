use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::{Note, Span};

rule! {
    /// # A scalar has its default twice
    ///
    /// ## What
    /// In the first form of the proposal a scalar's own value is its default, and `@schema/default` gives another.
    ///
    /// ## Why
    /// One of the two is never used.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/match data_values=True
    /// ---
    /// #@schema/default 3
    /// a: 4
    /// ```
    ///
    /// ## How to fix
    /// Write the default as the value, and remove the annotation.
    pub static RULE: Rule = Rule {
        code: "proposals/default-redundant",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::AnnotationBeside,
    };
}

pub(crate) fn finding(name: Span, note: &Note, any: bool) -> Diagnostic {
    let message = if any {
        "the value is the default already: write it there"
    } else {
        "the value of a scalar is its default: write it there"
    };
    let finding = Diagnostic::new(&RULE, name, message);
    // The value may be missing only because it is still being typed.
    let finding = if any { finding.found("null", "one default") } else { finding };
    finding
        .blames(note.span, "this is redundant")
        .fix(Fix::replace(format!("Remove `@{}`", note.name), note.span, "").possible())
}
