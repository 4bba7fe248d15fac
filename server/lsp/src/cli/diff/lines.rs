//! Formats that have one entry for each change: annotations, SARIF, JUnit. Texts of the schemas are shown as what
//! they are: never as markup, never as commands.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use lofting_diff::{ChangeRule, Severity, rules};
use lofting_workspace::uri_encoded;
use serde_json::{Value, json};

use crate::report::SARIF;
use crate::report::xml;
use crate::terminal::line;

/// A change as these formats show it.
pub(super) struct ChangeLine {
    /// The file of the new version.
    pub file: String,
    /// The line in it, from 1; None if nothing in it is meant.
    pub line: Option<usize>,
    /// The name of its rule, such as `type-changed`.
    pub rule: &'static str,
    pub severity: Severity,
    /// The place that the schema describes, on one line.
    pub subject: String,
    /// What changed, on one line.
    pub words: String,
}

impl ChangeLine {
    fn message(&self) -> String {
        format!("{}: {}", self.subject, self.words)
    }
}

pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Annotations of GitHub's workflows.
pub(super) fn github(changes: &[ChangeLine]) -> String {
    let mut out = String::new();
    for change in changes {
        let level = match change.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let at = change.line.map(|number| format!(",line={number}")).unwrap_or_default();
        let (file, message) = (property(&change.file), escaped(&line(&change.message())));
        let _ = writeln!(out, "::{level} file={file}{at},title=diff/{}::{message}", change.rule);
    }
    out
}

/// The message of an annotation.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of an annotation.
fn property(text: &str) -> String {
    escaped(&line(text)).replace(':', "%3A").replace(',', "%2C")
}

/// SARIF 2.1.0 with one run.
pub(super) fn sarif(changes: &[ChangeLine]) -> String {
    let names: BTreeSet<&str> = changes.iter().map(|change| change.rule).collect();
    let described = |rule: &'static ChangeRule| {
        json!({
            "id": format!("diff/{}", rule.name),
            "shortDescription": {"text": rule.what},
            "helpUri": lofting_diagnostic::manual::address_of(&rule.path()),
        })
    };
    let rules: Vec<Value> = rules::all().filter(|rule| names.contains(rule.name)).map(described).collect();
    let results: Vec<Value> = changes
        .iter()
        .map(|change| {
            let mut place = json!({"artifactLocation": {"uri": uri_encoded(&change.file.replace('\\', "/"))}});
            if let Some(number) = change.line {
                place["region"] = json!({"startLine": number});
            }
            json!({
                "ruleId": format!("diff/{}", change.rule),
                "level": level(change.severity),
                "message": {"text": line(&change.message())},
                "locations": [{"physicalLocation": place}],
            })
        })
        .collect();
    let log = json!({
        "$schema": SARIF,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "lofting",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "results": results,
        }],
    });
    log.to_string() + "\n"
}

/// JUnit XML: one suite for each file, one case for each change, which fails if it breaks values. `files`: those that were
/// compared.
pub(super) fn junit(changes: &[ChangeLine], files: &[&str]) -> String {
    let mut suites: BTreeMap<&str, Vec<&ChangeLine>> = files.iter().map(|file| (*file, Vec::new())).collect();
    for change in changes {
        suites.entry(&change.file).or_default().push(change);
    }
    let is_failure = |change: &&&ChangeLine| change.severity == Severity::Error;
    let count = |own: &[&ChangeLine]| (own.len().max(1).to_string(), own.iter().filter(is_failure).count().to_string());
    xml::document(|out| {
        let root = out.create_element("testsuites").with_attribute(("name", "lofting diff"));
        root.write_inner_content(|out| {
            for (file, own) in &suites {
                let (tests, failures) = count(own);
                let suite = out
                    .create_element("testsuite")
                    .with_attribute(("name", &*xml::value(file)))
                    .with_attribute(("tests", tests.as_str()))
                    .with_attribute(("failures", failures.as_str()))
                    .with_attribute(("errors", "0"))
                    .with_attribute(("skipped", "0"));
                suite.write_inner_content(|out| own_cases(file, own, out))?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

fn own_cases(file: &str, own: &[&ChangeLine], out: &mut xml::Xml) -> std::io::Result<()> {
    if own.is_empty() {
        let case = out.create_element("testcase").with_attribute(("name", "lofting diff"));
        case.with_attribute(("classname", &*xml::value(file))).write_empty()?;
    }
    for change in own {
        let at = change.line.map(|number| format!(":{number}")).unwrap_or_default();
        let whole = format!("{file}{at}: {}", change.message());
        let name = format!("diff/{} {}", change.rule, change.subject);
        let case = out
            .create_element("testcase")
            .with_attribute(("name", &*xml::value(&name)))
            .with_attribute(("classname", &*xml::value(file)));
        case.write_inner_content(|out| {
            if change.severity == Severity::Error {
                let failure =
                    out.create_element("failure").with_attribute(("message", &*xml::value(&change.message())));
                failure.with_attribute(("type", "error")).write_text_content(xml::text(&whole))?;
            } else {
                out.create_element("system-out").write_text_content(xml::text(&whole))?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::property;

    #[test]
    fn texts_of_schemas_are_no_commands() {
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25\\n");
    }
}
