use crate::place::{Look, Looks, ScalarPlace};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;
use lofting_eval::is_field_name;

rule! {
    /// # Code that is written as text
    ///
    /// ## What
    /// The value of a node in a template is `data.values.x` without quotes and without `#@` before it.
    ///
    /// ## Why
    /// Without `#@` it is a string like any other: the output contains "data.values.x", not the data value.
    ///
    /// ## Example
    /// ```yaml
    /// #@ load("@ytt:data", "data")
    /// port: data.values.port
    /// ```
    ///
    /// ## How to fix
    /// Write `#@` and a space before it. If the string itself is meant, put it in quotes.
    pub static RULE: Rule = Rule {
        code: "ytt/code-as-text",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Scalar(look)]);

/// Finds a scalar that, as written, is an expression and not prose.
fn look(place: &ScalarPlace<'_>, found: &mut Vec<Diagnostic>) {
    if !place.written_as("data.values").is_some_and(|written| is_path(&written)) {
        return;
    }
    let start = Span { end: place.span.start, ..place.span };
    let message = "ytt reads this as a string: code needs `#@` and a space before it";
    found.push(Diagnostic::new(&RULE, place.span, message).fix(Fix::replace("Write `#@` before it", start, "#@ ")));
}

/// Whether a text is `data.values` followed by keys and indexes and nothing else.
fn is_path(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix("data.values") else { return false };
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        rest = match rest.strip_prefix('.') {
            Some(name) => {
                let end = name.find(['.', '[']).unwrap_or(name.len());
                let (name, after) = name.split_at(end);
                if !is_field_name(name) {
                    return false;
                }
                after
            }
            None => match rest.strip_prefix('[').and_then(|index| index.split_once(']')) {
                Some((index, after)) if !index.is_empty() => after,
                _ => return false,
            },
        };
    }
    true
}
