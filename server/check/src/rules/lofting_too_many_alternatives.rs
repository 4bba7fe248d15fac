use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # Too many alternatives to compare all of them
    ///
    /// ## What
    /// The schema has alternatives (`oneOf`, `anyOf`, `if`) for a value, and finding the one that is meant would take
    /// more than 200,000 comparisons. What was not compared is accepted.
    ///
    /// ## Why
    /// Alternatives inside alternatives multiply: some files would keep an editor busy for minutes. That no mistake
    /// is reported here does not mean that there is none.
    ///
    /// ## Example
    /// ```yaml
    /// # with a schema of the form {"anyOf": [{"items": {"anyOf": [...]}}, ...]}
    /// - 1
    /// - 2   # and 200,000 more
    /// ```
    ///
    /// ## How to fix
    /// Split the file. In the schema, distinguish the alternatives by the value of a key (`const`), and write what they
    /// have in common once, outside them.
    pub static RULE: Rule = Rule {
        code: "lofting/too-many-alternatives",
        stage: Stage::Lint,
        severity: Severity::Info,
    };
}

pub(crate) fn finding(at: &At<'_>) -> Diagnostic {
    let subject = at.subject();
    let message =
        format!("{subject} was not compared with all alternatives of the schema: there is too much to compare");
    Diagnostic::new(&RULE, at.name, message)
}
