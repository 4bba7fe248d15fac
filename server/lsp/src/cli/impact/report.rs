//! What is new, for people and for programs.

use std::fmt::Write;

use lofting_check::{Diagnostic, Severity};
use lofting_text::Encoding;
use schemars::JsonSchema;
use serde::Serialize;

use super::Impact;
use super::causes::{CausedBy, Group};
use super::output_report::{RenderedAnswer, answer_of};
use crate::cli::diff::{as_code as code, plain};
use crate::terminal::line;

/// The answer of `lofting impact --format json`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ImpactAnswer {
    /// The version of this form.
    version: u32,
    /// The revision as it was named.
    against: String,
    /// The hash of its commit.
    commit: String,
    /// The new findings by their causes.
    causes: Vec<CauseAnswer>,
    /// What input sets render differently; with `--rendered` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered: Option<RenderedAnswer>,
    /// Counts.
    summary: Summary,
}

/// What causes findings.
#[derive(Serialize, JsonSchema)]
struct CauseAnswer {
    #[serde(flatten)]
    place: PlaceAnswer,
    /// What it causes.
    findings: Vec<FindingAnswer>,
}

/// What changed.
#[derive(Serialize, JsonSchema)]
pub(super) struct PlaceAnswer {
    /// `schema` for a change of a schema, `file` for another change of a file, or `unknown`.
    kind: &'static str,
    /// The file that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line of the change in a schema, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The line is one of the revision, because nothing is left of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_revision: Option<bool>,
    /// The change of a schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangeAnswer>,
}

/// A change of a schema; `lofting diff` says more of it.
#[derive(Serialize, JsonSchema)]
struct ChangeAnswer {
    /// The place that the schema describes.
    path: String,
    /// What changed, such as `type-changed`.
    kind: &'static str,
    /// What changed, in a sentence.
    message: String,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
pub(super) struct FindingAnswer {
    /// The file.
    file: String,
    /// The line, from 1.
    line: u32,
    /// `error`, `warning`, `info` or `hint`.
    severity: &'static str,
    /// The rule.
    code: String,
    /// What is wrong.
    message: String,
    /// The path of the value, `service.ports[0].port`.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

/// Counts.
#[derive(Serialize, JsonSchema)]
struct Summary {
    /// New findings that are errors.
    errors: usize,
    /// New findings that are warnings.
    warnings: usize,
    /// Other new findings.
    others: usize,
    /// Files with new findings.
    files: usize,
}

pub(super) fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// How many files findings are in.
fn files<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> usize {
    findings.map(|finding| finding.span.file).collect::<std::collections::HashSet<_>>().len()
}

impl Impact {
    fn line(&self, finding: &Diagnostic) -> u32 {
        self.new.snapshot.text(finding.span.file).position(finding.marked().range().start, Encoding::Utf32).line + 1
    }

    /// Where a cause is, and what changed there.
    pub fn cause(&self, cause: &CausedBy) -> (Option<String>, String) {
        match cause {
            CausedBy::Schema { file, line, is_old, change } => {
                let revision = if *is_old { format!("{}:", self.revision.name) } else { String::new() };
                let path = change.path.to_string();
                let path = if path.is_empty() { "(root)".to_owned() } else { path };
                (Some(format!("{revision}{file}:{line}")), format!("{path}: {}", change.words()))
            }
            CausedBy::File(file) => (Some(file.clone()), "changed".to_owned()),
            CausedBy::Unknown => (None, "no change is known that causes this".to_owned()),
        }
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|finding| finding.severity == severity).count()
    }

    fn summary(&self) -> Summary {
        let (errors, warnings) = (self.count(Severity::Error), self.count(Severity::Warning));
        let others = self.findings().count() - errors - warnings;
        Summary { errors, warnings, others, files: files(self.findings()) }
    }

    fn summary_in_words(&self) -> String {
        let Summary { errors, warnings, others, files } = self.summary();
        let name = &self.revision.name;
        let rendered = self.rendered.as_ref().map(|rendered| format!(" {}", rendered.summary())).unwrap_or_default();
        if errors + warnings + others == 0 {
            return format!("Nothing is new compared with {name}.{rendered}");
        }
        let parts = [(errors, "error"), (warnings, "warning"), (others, "remark")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, one)| counted(count, one));
        let parts: Vec<String> = parts.collect();
        format!("New compared with {name}: {} in {}.{rendered}", parts.join(", "), counted(files, "file"))
    }

    fn of_group(group: &Group) -> String {
        let count = group.findings.len();
        format!("{} in {}", counted(count, "finding"), counted(files(group.findings.iter()), "file"))
    }

    /// A finding on a line.
    pub fn finding(&self, finding: &Diagnostic) -> String {
        let (name, severity, code) = (self.new.name(finding.span.file), finding.severity.as_str(), finding.code());
        format!("{}:{}: {severity}: {} [{code}]", line(name), self.line(finding), line(&finding.message))
    }

    /// A finding in a list of Markdown.
    pub fn item(&self, finding: &Diagnostic) -> String {
        let place = format!("{}:{}", line(self.new.name(finding.span.file)), self.line(finding));
        let (words, rule) = (plain(&line(&finding.message)), finding.code());
        format!("- {} {}: {words} ({})", code(&place), finding.severity.as_str(), code(&rule))
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for group in &self.groups {
            let (place, words) = self.cause(&group.cause);
            let place = place.map(|place| format!("{}: ", line(&place))).unwrap_or_default();
            let _ = writeln!(out, "{place}{}\n  {}", line(&words), Self::of_group(group));
            for finding in &group.findings {
                let _ = writeln!(out, "  {}", self.finding(finding));
            }
            out.push('\n');
        }
        out += &self.outputs_text();
        out + &line(&self.summary_in_words()) + "\n"
    }

    /// Headings and lists for a comment on a pull request.
    pub fn lists(&self) -> String {
        let mut out = String::new();
        for group in &self.groups {
            let (place, words) = self.cause(&group.cause);
            let place = place.map(|place| format!("{}: ", code(&line(&place)))).unwrap_or_default();
            let _ = writeln!(out, "### {place}{}\n\n{}:\n", plain(&line(&words)), Self::of_group(group));
            for finding in &group.findings {
                let _ = writeln!(out, "{}", self.item(finding));
            }
            out.push('\n');
        }
        out += &self.outputs_lists();
        out + &plain(&line(&self.summary_in_words())) + "\n"
    }

    /// All that is known, as one document.
    pub fn json(&self) -> String {
        let answer = ImpactAnswer {
            version: 1,
            against: self.revision.name.clone(),
            commit: self.revision.tree.commit(),
            causes: self.groups.iter().map(|group| self.answer(group)).collect(),
            rendered: self.rendered.as_ref().map(|rendered| answer_of(self, rendered)),
            summary: self.summary(),
        };
        // Only strings and numbers, so writing cannot fail.
        serde_json::to_string(&answer).unwrap_or_default() + "\n"
    }

    fn answer(&self, group: &Group) -> CauseAnswer {
        let findings = group.findings.iter().map(|finding| self.finding_answer(finding)).collect();
        CauseAnswer { place: PlaceAnswer::of(&group.cause), findings }
    }

    pub fn finding_answer(&self, finding: &Diagnostic) -> FindingAnswer {
        FindingAnswer {
            file: self.new.name(finding.span.file).to_owned(),
            line: self.line(finding),
            severity: finding.severity.as_str(),
            code: finding.code().into_owned(),
            message: finding.message.clone(),
            path: finding.path.clone(),
        }
    }
}

impl PlaceAnswer {
    pub fn of(cause: &CausedBy) -> PlaceAnswer {
        let other = |kind, file| PlaceAnswer { kind, file, line: None, in_revision: None, change: None };
        match cause {
            CausedBy::Schema { file, line, is_old, change } => PlaceAnswer {
                line: Some(*line),
                in_revision: Some(*is_old),
                change: Some(ChangeAnswer {
                    path: change.path.to_string(),
                    kind: change.kind.name(),
                    message: change.words(),
                }),
                ..other("schema", Some(file.clone()))
            },
            CausedBy::File(file) => other("file", Some(file.clone())),
            CausedBy::Unknown => other("unknown", None),
        }
    }
}
