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
    /// `one_of=` in `#@schema/validation` lists what is allowed, and the value is something else. The type counts:
    /// `"1"` is not `1`.
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

/// How many allowed values a message lists.
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
    let message = format!("{} {choice}, but is {}", at.subject(), bounds::plain(at, value));
    let finding = Diagnostic::new(&RULE, span, message)
        .found("not one of allowed values", format!("one of {}", words::spelled_list(at.notation(), allowed)));
    let written = |node: &Node| match &node.value {
        NodeValue::String(text) if needs_quotes(at.profile(), text) => Some(double_quoted(text)),
        NodeValue::String(text) => Some(text.to_string()),
        NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::Bool(_) | NodeValue::Null => {
            Some(words::spelled_bare(at.notation(), node))
        }
        _ => None,
    };
    let change = |node: &Node| {
        let title = format!("Change to {}", words::spelled(at.notation(), node));
        written(node).map(|text| Fix::replace(title, span, text).possible())
    };
    if span != value.span() {
        return finding;
    }
    let meant = match value.scalar().filter(|_| suggest) {
        Some(Scalar::String(text)) => {
            let names = allowed.iter().filter_map(text_of);
            suggest::nearest(&text, names).map(str::to_owned)
        }
        _ => None,
    };
    let is_meant = |node: &&Node| meant.is_some() && text_of(node) == meant.as_deref();
    let finding = match &meant {
        Some(name) => finding.help(format!("did you mean {}?", words::quoted(name))),
        None => finding,
    };
    let likely = allowed.iter().find(is_meant).and_then(change).map(|fix| Fix::new(fix.title, fix.edits));
    let others = allowed.iter().filter(|node| !is_meant(node)).take(NAMED).filter_map(change);
    likely.into_iter().chain(others).fold(finding, Diagnostic::fix)
}

fn text_of(node: &Node) -> Option<&str> {
    match &node.value {
        NodeValue::String(text) => Some(text.as_str()),
        _ => None,
    }
}
