use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_schema::Pattern;

rule! {
    /// # A pattern takes too long for a string
    ///
    /// ## What
    /// The regular expression (`pattern`) looks ahead or behind, or refers back to what it matched, and finding out
    /// whether it matches this string would go through the string too often. Or a count in it, as in `\p{L}{1,4000}`, would
    /// take too much memory, which matters only for strings that are longer than the count. The string is accepted. Reported
    /// for the first such string of a file.
    ///
    /// ## Why
    /// The time that such expressions take may grow with the square of a string's length, or exponentially: some would
    /// keep an editor busy for minutes. That no mistake is reported here does not mean that there is none.
    ///
    /// ## Example
    /// ```yaml
    /// # with the pattern "(?=.*.*=)x"
    /// text: aaaaaaaaaaaa   # and 10,000 more
    /// ```
    ///
    /// ## How to fix
    /// In the schema, begin the expression with `^`, or write it without look-around: such expressions take as long as
    /// the string is. Instead of a high count, give `maxLength`.
    pub static RULE: Rule = Rule {
        code: "lofting/pattern-limit",
        stage: Stage::Lint,
        severity: Severity::Info,
    };
}

pub(crate) fn finding(at: &At<'_>, pattern: &Pattern) -> Diagnostic {
    let subject = at.subject();
    let message = format!(
        "{subject} was not compared with the pattern `{}`: it would take too much time or memory",
        pattern.source
    );
    Diagnostic::new(&RULE, at.name, message)
}
