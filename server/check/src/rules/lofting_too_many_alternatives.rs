use crate::values::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # More alternatives than are compared
    ///
    /// ## What
    /// The schema has alternatives (`oneOf`, `anyOf`, `if`) for a value, and to find the one that is meant more than 200,000
    /// values would have to be compared with them. The rest counts as fitting.
    ///
    /// ## Why
    /// Alternatives inside of alternatives multiply: some files would keep an editor busy for minutes. That no mistake is
    /// told here does not mean that there is none.
    ///
    /// ## Example
    /// ```yaml
    /// # with a schema of the form {"anyOf": [{"items": {"anyOf": [...]}}, ...]}
    /// - 1
    /// - 2   # and 200,000 more
    /// ```
    ///
    /// ## How to mend
    /// Split the file. In the schema, let the value of a key tell the alternatives apart (`const`), and write what they
    /// have in common once, outside of them.
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
