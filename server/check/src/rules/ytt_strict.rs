use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # Unquoted text in strict mode
    ///
    /// ## What
    /// With `--strict` ytt refuses unquoted strings that could be taken for something else: `yes`, `0o17`, and strings
    /// that contain white space, a colon or `---`.
    ///
    /// ## Why
    /// ytt cannot read the file, and names no line.
    ///
    /// ## Example
    /// ```yaml
    /// image: nginx:1.2
    /// ```
    ///
    /// ## How to fix
    /// Put the string in quotes.
    pub static RULE: Rule = Rule {
        code: "ytt/strict",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::Strict { span, text, reading } = place.issue {
        found.push(finding(*span, text, *reading));
    }
}

fn finding(span: Span, text: &str, reading: Option<&str>) -> Diagnostic {
    let message = match reading {
        Some(tag) => format!("`{text}` is not clear in strict mode: it could be a string or {}", words(tag)),
        None => format!("strict mode requires quotes around `{text}`"),
    };
    let mut diagnostic = Diagnostic::new(&RULE, span, message);
    let quoted = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    diagnostic.fixes.push(Fix::replace("Put it in quotes", span, quoted));
    diagnostic
}

fn words(tag: &str) -> &'static str {
    match tag {
        "!!bool" => "a boolean",
        "!!int" => "an integer",
        "!!float" => "a float",
        "!!null" => "null",
        _ => "something else",
    }
}
