use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::{Note, SCHEMA_HEADS, Span};

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

/// Looks at an annotation and those before it at the same node.
pub(crate) fn look(note: &Note, before: &[Note]) -> Option<Diagnostic> {
    let name = note.name.as_str();
    // A repeated example is an error of its own.
    if name == "schema/example" || SCHEMA_HEADS.contains(&name) || !name.starts_with("schema/") {
        return None;
    }
    let first = before.iter().rev().find(|other| other.name == note.name)?;
    Some(finding(first.span, note.span, name))
}

fn finding(first: Span, second: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, first, format!("`@{name}` is given twice here, and only the last one counts"))
        .related(second, "the last")
        .fix(Fix::replace(format!("Remove the first `@{name}`"), first, ""))
}
