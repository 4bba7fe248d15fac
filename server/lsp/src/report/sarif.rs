//! `--format sarif`: SARIF 2.1.0, as code scanning of GitHub and others read it.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use std::collections::BTreeMap;

use lofting_check::{Diagnostic, Related, Rule, Severity};
use lofting_diagnostic::{Confidence, manual};
use lofting_document::Span;
use lofting_ide::CodeAction;
use serde_json::{Value, json};

use super::findings::{Findings, fingerprints};
use crate::terminal;

/// The schema of the format, by which others recognise it.
pub(crate) const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log with one run.
pub(super) fn render(findings: &Findings<'_>) -> String {
    // Rules that languages share have a code in each of them.
    let mut rules: BTreeMap<String, &'static Rule> = BTreeMap::new();
    for finding in &findings.shown {
        rules.insert(finding.code().into_owned(), finding.rule);
    }
    let index: BTreeMap<&str, usize> = rules.keys().enumerate().map(|(number, code)| (code.as_str(), number)).collect();
    let fingerprints = fingerprints(findings.report, findings.shown.iter().copied());
    let results: Vec<Value> = findings
        .shown
        .iter()
        .zip(fingerprints)
        .enumerate()
        .map(|(number, (finding, fingerprint))| {
            let code = finding.code();
            result(findings, number, finding, index.get(&*code).copied().unwrap_or_default(), &fingerprint)
        })
        .collect();
    let unchecked = &findings.report.unchecked;
    let notes: Vec<Value> =
        unchecked.iter().map(|unchecked| json!({"level": "warning", "message": text(&unchecked.message)})).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "lofting",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.iter().map(|(code, described)| rule(code, described)).collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": findings.is_complete, "toolExecutionNotifications": notes}],
            "results": results,
        }],
    });
    log.to_string() + "\n"
}

fn rule(code: &str, rule: &Rule) -> Value {
    json!({
        "id": code,
        "shortDescription": text(rule.title()),
        "help": {"text": manual::section(rule, code), "markdown": manual::section(rule, code)},
        "helpUri": lofting_diagnostic::manual::address(rule),
        "defaultConfiguration": {"level": level(rule.severity)},
    })
}

fn result(findings: &Findings<'_>, number: usize, finding: &Diagnostic, rule_index: usize, fingerprint: &str) -> Value {
    let message = finding.message_with_help();
    let related = |related: &Related| {
        let mut place = location(findings, related.span);
        place["message"] = text(&related.message);
        place
    };
    let fixes: Vec<Value> = findings
        .fixes(number)
        .into_iter()
        .filter(|action| action.confidence >= Confidence::Likely)
        .filter_map(|action| fix(findings, action))
        .collect();
    let mut result = json!({
        "ruleId": finding.code(),
        "ruleIndex": rule_index,
        "level": level(finding.severity),
        "message": text(&message),
        "locations": [location(findings, finding.marked())],
        "partialFingerprints": {"lofting/v1": fingerprint},
    });
    if !finding.related.is_empty() {
        result["relatedLocations"] = finding.related.iter().map(related).collect();
    }
    if !fixes.is_empty() {
        result["fixes"] = fixes.into();
    }
    result
}

fn fix(findings: &Findings<'_>, action: CodeAction) -> Option<Value> {
    let mut by_file: Vec<(Span, Vec<Value>)> = Vec::new();
    for (span, new) in action.change?.edits {
        let replacement = json!({"deletedRegion": region(findings, span), "insertedContent": {"text": new}});
        match by_file.iter_mut().find(|(known, _)| known.file == span.file) {
            Some((_, replacements)) => replacements.push(replacement),
            None => by_file.push((span, vec![replacement])),
        }
    }
    let change = |(span, replacements): (Span, Vec<Value>)| json!({"artifactLocation": {"uri": findings.uri(span)}, "replacements": replacements});
    let changes: Vec<Value> = by_file.into_iter().map(change).collect();
    // The format requires at least one.
    (!changes.is_empty()).then(|| json!({"description": text(&action.name.title), "artifactChanges": changes}))
}

fn location(findings: &Findings<'_>, span: Span) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": findings.uri(span)},
        "region": region(findings, span),
    }})
}

fn region(findings: &Findings<'_>, span: Span) -> Value {
    let (start, end) = findings.ends(span);
    json!({"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column})
}

fn text(text: &str) -> Value {
    json!({"text": terminal::lines(text)})
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}
