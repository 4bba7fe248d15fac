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
    let message = format!("this holds wherever it is found in the text: write `^{source}$` if the whole is meant");
    let plain = !source.contains(['"', '\\', '\'']);
    let finding = Diagnostic::new(&RULE, span, message);
    match plain {
        true => finding.fix(Fix::replace("Let it hold for the whole text", span, format!("\"^{source}$\"")).possible()),
        false => finding,
    }
}
