use crate::place::{EntryPlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_document::{Key, Span};

rule! {
    /// # A key that YAML reads as a boolean
    ///
    /// ## What
    /// ytt reads YAML 1.1, where `y`, `n`, `yes`, `no`, `on` and `off` are booleans, even as keys.
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
    /// ## How to fix
    /// Put the key in quotes.
    pub static RULE: Rule = Rule {
        code: "ytt/ambiguous-key",
        stage: Stage::Lint,
        severity: Severity::Hint,
        subject: Subject::Key,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Entry(look)]);

/// None for `true` and `false`, which look like booleans.
fn look(place: &EntryPlace<'_>, found: &mut Vec<Diagnostic>) {
    let Key::Bool(value) = place.key else { return };
    if place.merged {
        return;
    }
    let written = place.source.text(place.span).unwrap_or_default();
    let word = !written.is_empty() && written.chars().all(|c| c.is_ascii_alphabetic());
    let clear = matches!(&*written.to_ascii_lowercase(), "true" | "false");
    if word && !clear {
        found.push(finding(place.span, &written, *value));
    }
}

fn finding(span: Span, written: &str, value: bool) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this key is read as the boolean {value}"))
        .help("put it in quotes to make it a string")
        .fix(Fix::replace("Put it in quotes", span, format!("\"{written}\"")))
}
