use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_document::Span;

rule! {
    /// # A key that YAML reads as a boolean
    ///
    /// ## What
    /// ytt reads YAML 1.1, where `y`, `n`, `yes`, `no`, `on` and `off` are booleans, also as keys.
    ///
    /// ## Why
    /// The key is not the string it seems to be. Templates fail on keys that are not strings.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// on: push
    /// ```
    ///
    /// ## How to mend
    /// Put the key in quotes.
    pub static RULE: Rule = Rule {
        code: "ytt/ambiguous-key",
        stage: Stage::Lint,
        severity: Severity::Hint,
        subject: Subject::Key,
    };
}

/// None for `true` and `false`, which look like booleans.
pub(crate) fn unless_plain(span: Span, written: &str, value: bool) -> Option<Diagnostic> {
    let word = !written.is_empty() && written.chars().all(|c| c.is_ascii_alphabetic());
    let clear = matches!(&*written.to_ascii_lowercase(), "true" | "false");
    (word && !clear).then(|| finding(span, written, value))
}

fn finding(span: Span, written: &str, value: bool) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this key is read as the boolean {value}"))
        .help("put it in quotes to make it a string")
        .fix(Fix::replace("Put it in quotes", span, format!("\"{written}\"")))
}
