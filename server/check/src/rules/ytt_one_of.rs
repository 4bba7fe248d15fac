use super::bounds;
use crate::values::At;
use crate::view::{Scalar, View};
use crate::{Diagnostic, Fix, Severity, Stage, suggest, words};
use lofting_diagnostic::rule;
use lofting_document::write::double_quoted;
use lofting_document::{Node, NodeValue};
use lofting_syntax::resolve::needs_quotes;

rule! {
    /// # A value is not among the allowed ones
    ///
    /// ## What
    /// `one_of=` in `#@schema/validation` lists what is allowed, and the value is something else. The
    /// kind counts: `"1"` is not `1`.
    ///
    /// ## Why
    /// ytt refuses the final values.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/validation one_of=["debug", "info"]
    /// level: info
    /// #! values
    /// level: verbose
    /// ```
    ///
    /// ## How to mend
    /// Use one of the listed values.
    pub static RULE: Rule = Rule {
        code: "ytt/one-of",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// How many allowed values a message names.
const NAMED: usize = 8;

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, allowed: &[Node], suggest: bool) -> Diagnostic {
    let mut shown: Vec<String> = allowed.iter().take(NAMED).map(|value| words::spelled(at.notation(), value)).collect();
    let rest = allowed.len().saturating_sub(NAMED);
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    let choice = match shown.split_last() {
        None => "nothing is allowed here".to_string(),
        Some((only, [])) => format!("should be {only}"),
        Some((last, first)) => format!("should be one of {} or {last}", first.join(", ")),
    };
    let span = at.value_span(value);
    let message = format!("{} {choice}, but is {}", at.subject(), bounds::plain(value));
    let finding = Diagnostic::new(&RULE, span, message)
        .found("not one of allowed values", format!("one of {}", words::spelled_list(at.notation(), allowed)));
    let Some(Scalar::String(text)) = value.scalar().filter(|_| suggest) else { return finding };
    let names = allowed.iter().filter_map(|node| match &node.value {
        NodeValue::String(text) => Some(text.as_str()),
        _ => None,
    });
    match suggest::nearest(&text, names) {
        Some(name) if span == value.span() => {
            let written = if needs_quotes(at.profile(), name) { double_quoted(name) } else { name.to_string() };
            finding.help(format!("did you mean {}?", words::quoted(name))).fix(Fix::replace(
                format!("Change to {}", words::quoted(name)),
                span,
                written,
            ))
        }
        _ => finding,
    }
}
