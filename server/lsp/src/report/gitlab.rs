//! `--format gitlab`: GitLab's Code Quality.
//!
//! <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>

use lofting_check::Severity;
use serde::Serialize;

use super::findings::{Findings, fingerprints};

#[derive(Serialize)]
struct Issue<'a> {
    description: &'a str,
    check_name: std::borrow::Cow<'static, str>,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: std::borrow::Cow<'a, str>,
    positions: Positions,
}

#[derive(Serialize)]
struct Positions {
    begin: End,
    end: End,
}

#[derive(Serialize)]
struct End {
    line: u32,
    column: u32,
}

/// An array with an issue for each finding.
pub(super) fn render(findings: &Findings<'_>) -> String {
    let fingerprints = fingerprints(findings.report, findings.shown.iter().copied());
    let issue = |(finding, fingerprint): (&&'_ lofting_check::Diagnostic, String)| {
        let (start, end) = findings.ends(finding.marked());
        serde_json::to_value(Issue {
            description: &finding.message,
            check_name: finding.code(),
            fingerprint,
            severity: match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info | Severity::Hint => "info",
            },
            location: Location {
                path: findings.name_here(finding.marked()),
                positions: Positions {
                    begin: End { line: start.line, column: start.column },
                    end: End { line: end.line, column: end.column },
                },
            },
        })
        .unwrap_or_default()
    };
    let issues: Vec<serde_json::Value> = findings.shown.iter().zip(fingerprints).map(issue).collect();
    serde_json::to_string(&issues).unwrap_or_default() + "\n"
}
