use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A pattern that may match anywhere in a string
    ///
    /// ## What
    /// The regular expression has neither `^` nor `$`.
    ///
    /// ## Why
    /// It matches every string that contains a match anywhere, which is rarely intended.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/validate regexp="[a-z]+"
    /// a: some
    /// ```
    ///
    /// ## How to fix
    /// Write `^…$` around it if the whole string is meant.
    pub static RULE: Rule = Rule {
        code: "proposals/unanchored-pattern",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

/// Looks at a pattern.
pub(crate) fn look(span: Span, source: &str) -> Option<Diagnostic> {
    let is_anchored = source.starts_with('^') || source.ends_with('$') || source.starts_with("\\A");
    (!is_anchored).then(|| finding(span, source))
}

fn finding(span: Span, source: &str) -> Diagnostic {
    let message = format!("this matches anywhere in the string: write `^{source}$` to match the whole string");
    let plain = !source.contains(['"', '\\', '\'']);
    let finding = Diagnostic::new(&RULE, span, message);
    if plain {
        finding.fix(Fix::replace("Match the whole string", span, format!("\"^{source}$\"")).possible())
    } else {
        finding
    }
}
