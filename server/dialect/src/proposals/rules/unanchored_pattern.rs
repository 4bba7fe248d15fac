use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A pattern is found anywhere in the text
    ///
    /// ## What
    /// The regular expression has neither `^` nor `$`.
    ///
    /// ## Why
    /// It holds for every text in which it is found somewhere, which is seldom meant.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/validate regexp="[a-z]+"
    /// a: some
    /// ```
    ///
    /// ## How to mend
    /// Write `^…$` around it if the whole text is meant.
    pub static RULE: Rule = Rule {
        code: "proposals/unanchored-pattern",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

pub(crate) fn finding(span: Span, source: &str) -> Diagnostic {
    let message = format!("this matches anywhere in the string: write `^{source}$` to match the whole string");
    let plain = !source.contains(['"', '\\', '\'']);
    let finding = Diagnostic::new(&RULE, span, message);
    match plain {
        true => finding.fix(Fix::replace("Match the whole string", span, format!("\"^{source}$\"")).possible()),
        false => finding,
    }
}
