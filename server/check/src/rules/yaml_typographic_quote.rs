use crate::place::{Look, Looks, ScalarPlace};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Status, rule};

rule! {
    /// # A value in typographic quotes
    ///
    /// ## What
    /// A value without other quotes is written between `“` and `”`, or between `‘` and `’`.
    ///
    /// ## Why
    /// YAML knows only `"` and `'` as quotes. Typographic ones belong to the value. Word processors, wikis and chats
    /// replace straight quotes by them, and examples that are copied from there keep them.
    ///
    /// ## Example
    /// ```yaml
    /// image: “nginx”
    /// ```
    ///
    /// ## How to fix
    /// Write straight quotes. Where the typographic ones are meant, put the whole value in straight quotes: `'“nginx”'`.
    pub static RULE: Rule = Rule {
        code: "yaml/typographic-quote",
        stage: Stage::Lint,
        severity: Severity::Hint,
        status: Status::Preview,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Scalar(look)]);

fn look(place: &ScalarPlace<'_>, found: &mut Vec<Diagnostic>) {
    let Some(written) = place.written_if(|text| text.starts_with(['“', '‘'])) else { return };
    for (open, close) in [("“", "”"), ("‘", "’")] {
        // Prose may begin and end with two quotations.
        let Some(inner) = written.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) else { continue };
        if inner.contains(['“', '”', '‘', '’', '"', '\\', '\n']) {
            continue;
        }
        let message = "typographic quotes are a part of the value: YAML knows only straight ones";
        let fix = Fix::replace("Write straight quotes", place.span, format!("\"{inner}\""));
        found.push(Diagnostic::new(&RULE, place.span, message).fix(fix));
    }
}
