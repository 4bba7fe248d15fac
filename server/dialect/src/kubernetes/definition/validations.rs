//! Declarations of rules in CEL (`x-kubernetes-validations`).

use super::fields::Fields;
use super::paths;
use crate::kubernetes::rules::{field_path, rule_declaration};
use lofting_diagnostic::Diagnostic;
use lofting_document::{NodeValue, Span};

/// A string, however blank it is.
fn written<'n>(rule: Fields<'n>, key: &str) -> Option<(&'n str, Span)> {
    match rule.value(key).map(|node| (&node.value, node.span)) {
        Some((NodeValue::String(text), span)) => Some((text, span)),
        _ => None,
    }
}

fn has_lines(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

pub(super) fn check(schema: Fields<'_>, found: &mut Vec<Diagnostic>) {
    for rule in schema.items("x-kubernetes-validations").iter().map(|item| Fields(&item.value)) {
        let mut report = |span, message: &str| found.push(rule_declaration::finding(span, message));
        let (text, message) = (written(rule, "rule"), written(rule, "message"));
        // A missing rule is a missing key.
        if let Some((text, span)) = text {
            let trimmed = message.map(|(message, _)| message.trim()).unwrap_or_default();
            if text.trim().is_empty() {
                report(span, "the rule is empty");
            } else if let Some((_, span)) = message.filter(|(message, _)| !message.is_empty() && trimmed.is_empty()) {
                report(span, "the message is blank");
            } else if let Some((_, span)) = message.filter(|_| has_lines(trimmed)) {
                report(span, "the message should be on one line");
            } else if has_lines(text.trim()) && trimmed.is_empty() && (message.is_some() || rule.lacks("message")) {
                report(span, "a rule of several lines needs a `message`");
            }
        }
        if let Some((text, span)) = written(rule, "messageExpression")
            && !text.is_empty()
            && text.trim().is_empty()
        {
            report(span, "the expression of the message is blank");
        }
        let Some((path, span)) = written(rule, "fieldPath").filter(|(path, _)| !path.is_empty()) else { continue };
        let wrong = match paths::field(schema, path, paths::Brackets::Allowed) {
            _ if path.trim().is_empty() => Some("the path is blank".to_owned()),
            _ if has_lines(path) => Some("the path should be on one line".to_owned()),
            Err(why) => Some(format!("`{path}` {why}")),
            Ok(_) => None,
        };
        found.extend(wrong.map(|message| field_path::finding(span, message)));
    }
}
