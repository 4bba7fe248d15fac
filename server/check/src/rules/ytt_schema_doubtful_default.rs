use crate::place::{Look, Looks, SchemaPlace};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{NodeValue, Span};

rule! {
    /// # A default that is read as something else
    ///
    /// ## What
    /// The default looks like a text or a number and is another value to YAML: `on` and `yes` are booleans, `010` is the
    /// number 8, and `1.10` is the number 1.1.
    ///
    /// ## Why
    /// The default also declares the type. A version `1.20` becomes 1.2 wherever it is used, and a mode `0644` becomes 420.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// version: 1.10
    /// ```
    ///
    /// ## How to fix
    /// Put it in quotes if it is a text. Otherwise write the value that YAML reads.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-doubtful-default",
        stage: Stage::Lint,
        severity: Severity::Warning,
        shared: true,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::SchemaNode(look)]);

fn look(place: &SchemaPlace<'_>, found: &mut Vec<Diagnostic>) {
    let Some(default) = place.node.default.as_ref().filter(|default| !default.explicit) else { return };
    let Some(text) = place.whole.source.text(default.span) else { return };
    found.extend(finding(default.span, &text, &default.value.value));
}

/// None if `text`, as the default is written, says what it is.
pub(crate) fn finding(span: Span, text: &str, value: &NodeValue) -> Option<Diagnostic> {
    let (kind, meant) = match value {
        NodeValue::Bool(value) if !matches!(text, "true" | "false" | "True" | "False" | "TRUE" | "FALSE") => {
            ("boolean", value.to_string())
        }
        NodeValue::Int(value) if is_padded(text) => ("number", value.to_string()),
        NodeValue::Float(value) if is_version(text) => ("number", crate::words::float(*value)),
        _ => return None,
    };
    // With an anchor or a tag before it, it is deliberate.
    if text.contains(char::is_whitespace) || text.starts_with(['!', '&', '*', '"', '\'']) {
        return None;
    }
    let quoted = format!("\"{text}\"");
    Some(
        Diagnostic::new(&RULE, span, format!("`{text}` is the {kind} {meant} to YAML"))
            .fix(Fix::replace(format!("Write {quoted}, a string"), span, quoted).possible())
            .fix(Fix::replace(format!("Write {meant}, a {kind}"), span, meant).possible()),
    )
}

/// `010`
fn is_padded(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `1.10`, but not `1.0`, nor `0.50`, which do not look like versions.
fn is_version(text: &str) -> bool {
    let Some((whole, part)) = text.split_once('.') else { return false };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(part) && !whole.starts_with('0') && part.len() > 1 && part.ends_with('0')
}
