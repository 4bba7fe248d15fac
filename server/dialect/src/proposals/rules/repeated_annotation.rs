use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An annotation is given twice for one node
    ///
    /// ## What
    /// The same annotation is written twice above one node.
    ///
    /// ## Why
    /// Only the last one counts.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/title "A"
    /// #@schema/title "B"
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them.
    pub static RULE: Rule = Rule {
        code: "proposals/repeated-annotation",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(first: Span, second: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, first, format!("`@{name}` is given twice here, and only the last one counts"))
        .related(second, "the last")
        .fix(Fix::replace(format!("Remove the first `@{name}`"), first, ""))
}
