//! `--format json`: one object, whose shape never changes within `version` 1; `--format json-lines`: its findings.

use lofting::{DocumentVersion, PositionEncoding, Range, version_of};
use lofting_check::{Diagnostic, Related, Severity, rules};
use lofting_document::Span;
use lofting_ide::CodeAction;
use lofting_workspace::{CheckReport, Unchecked};
use schemars::JsonSchema;
use serde::Serialize;

use super::findings::{Findings, certainty, fingerprints};

/// The report.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Report<'a> {
    /// The version of this form.
    version: u32,
    /// What columns count.
    position_encoding: PositionEncoding,
    /// The texts that the findings and their changes are about.
    documents: Vec<DocumentVersion>,
    /// The findings, by file and place.
    diagnostics: Vec<Finding<'a>>,
    /// What was asked for and could not be used, or not as a whole.
    not_checked: Vec<NotChecked<'a>>,
    /// Counts.
    summary: Summary,
}

/// Something that was asked for and could not be used.
#[derive(Serialize, JsonSchema)]
struct NotChecked<'a> {
    /// The schema, bundle or catalogue, as it is named.
    schema: &'a str,
    /// What is wrong, in a sentence.
    message: &'a str,
    /// The files that were not checked with it, or not completely.
    files: Vec<&'a str>,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
struct Finding<'a> {
    /// The file.
    file: &'a str,
    /// What is marked.
    range: Range,
    /// `error`, `warning`, `info` or `hint`.
    severity: &'static str,
    /// The rule.
    code: std::borrow::Cow<'static, str>,
    /// The stage at which ytt would stop, `lint` if it would not.
    stage: &'static str,
    /// What is wrong, in a sentence or two.
    message: &'a str,
    /// What was found, in ytt's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<&'a str>,
    /// What was expected, in ytt's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    /// The path of the value, `service.ports[0].port`.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    /// The range that editors underline, if it is not the one that ytt names.
    #[serde(skip_serializing_if = "Option::is_none")]
    marked: Option<Range>,
    /// Further places.
    related: Vec<RelatedPlace<'a>>,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    /// Changes that fix it, best first.
    fixes: Vec<Fix<'a>>,
    /// Identifies the finding, independently of its line.
    fingerprint: String,
}

/// A further place.
#[derive(Serialize, JsonSchema)]
struct RelatedPlace<'a> {
    /// The file.
    file: &'a str,
    /// The place.
    range: Range,
    /// What is there.
    message: &'a str,
}

/// A change that fixes a finding.
#[derive(Serialize, JsonSchema)]
struct Fix<'a> {
    /// What it does.
    title: String,
    /// `sure` (nothing else can be meant, and nothing gets lost), `likely` or `possible` (one way of several).
    certainty: &'static str,
    /// Replacements that belong together; those in one file do not overlap.
    edits: Vec<Edit<'a>>,
}

/// A replacement.
#[derive(Serialize, JsonSchema)]
struct Edit<'a> {
    /// The file.
    file: &'a str,
    /// What is replaced; an empty range inserts.
    range: Range,
    /// The new text.
    text: String,
}

/// Counts.
#[derive(Serialize, JsonSchema)]
struct Summary {
    /// Files that were checked.
    files: usize,
    /// Findings that are errors.
    errors: usize,
    /// Findings that are warnings.
    warnings: usize,
    /// Places whose code was not evaluated to its end, so that nothing is known about what depends on it.
    not_evaluated: usize,
    /// Files that could not be read.
    unreadable: usize,
    /// Findings beyond `--max-findings`.
    hidden: usize,
    /// There are no errors, and everything could be checked.
    ok: bool,
}

/// The report as one line of JSON.
pub(super) fn render(findings: &Findings<'_>) -> String {
    let report = findings.report;
    let errors = report.count(Severity::Error);
    let diagnostics = all(findings);
    let shape = Report {
        version: lofting::VERSION,
        position_encoding: findings.encoding,
        documents: documents(findings, &diagnostics),
        diagnostics,
        not_checked: report.unchecked.iter().map(|unchecked| not_checked(report, unchecked)).collect(),
        summary: Summary {
            files: report.files.len(),
            errors,
            warnings: report.count(Severity::Warning),
            not_evaluated: report.count_of(&rules::NOT_EVALUATED),
            unreadable: report.count_of(&rules::UNREADABLE_FILE),
            hidden: findings.hidden,
            ok: errors == 0 && findings.is_complete,
        },
    };
    // Only strings and numbers, so writing cannot fail.
    serde_json::to_string(&shape).unwrap_or_default() + "\n"
}

/// Each finding as a line of JSON.
pub(super) fn render_lines(findings: &Findings<'_>) -> String {
    all(findings).iter().map(|finding| serde_json::to_string(finding).unwrap_or_default() + "\n").collect()
}

fn all<'a>(findings: &'a Findings<'_>) -> Vec<Finding<'a>> {
    let fingerprints = fingerprints(findings.report, findings.shown.iter().copied());
    let numbered = findings.shown.iter().zip(fingerprints).enumerate();
    numbered.map(|(index, (diagnostic, fingerprint))| finding(findings, index, diagnostic, fingerprint)).collect()
}

fn not_checked<'a>(report: &'a CheckReport, unchecked: &'a Unchecked) -> NotChecked<'a> {
    let Unchecked { schema, message, files, .. } = unchecked;
    NotChecked { schema, message, files: files.iter().map(|file| report.name(*file)).collect() }
}

fn finding<'a>(
    findings: &'a Findings<'_>,
    index: usize,
    diagnostic: &'a Diagnostic,
    fingerprint: String,
) -> Finding<'a> {
    let related = |related: &'a Related| RelatedPlace {
        file: findings.name(related.span),
        range: range(findings, related.span),
        message: &related.message,
    };
    Finding {
        file: findings.name(diagnostic.span),
        range: range(findings, diagnostic.span),
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code(),
        stage: diagnostic.stage.as_str(),
        message: &diagnostic.message,
        found: diagnostic.found.as_deref(),
        expected: diagnostic.expected.as_deref(),
        path: diagnostic.path.as_deref(),
        marked: (diagnostic.marked() != diagnostic.span).then(|| range(findings, diagnostic.marked())),
        related: diagnostic.related.iter().map(related).collect(),
        help: diagnostic.help.as_deref(),
        fixes: findings.fixes(index).into_iter().filter_map(|action| fix(findings, action)).collect(),
        fingerprint,
    }
}

fn fix<'a>(findings: &'a Findings<'_>, action: CodeAction) -> Option<Fix<'a>> {
    let change = action.change?;
    let edit = |(span, text): (Span, String)| Edit { file: findings.name(span), range: range(findings, span), text };
    Some(Fix {
        title: action.name.title,
        certainty: certainty(action.confidence),
        edits: change.edits.into_iter().map(edit).collect(),
    })
}

fn range(findings: &Findings<'_>, span: Span) -> Range {
    findings.encoding.range(&findings.report.snapshot.text(span.file), span.range())
}

/// The versions of the files that the findings and their fixes name, by name.
fn documents(findings: &Findings<'_>, diagnostics: &[Finding<'_>]) -> Vec<DocumentVersion> {
    let mut named: Vec<&str> = diagnostics.iter().map(|finding| finding.file).collect();
    let edits = diagnostics.iter().flat_map(|finding| &finding.fixes).flat_map(|fix| &fix.edits);
    named.extend(edits.map(|edit| edit.file));
    named.sort_unstable();
    named.dedup();
    let (snapshot, names) = (&findings.report.snapshot, &findings.report.names);
    let mut documents: Vec<DocumentVersion> = names
        .iter()
        .filter(|(_, name)| named.binary_search(&name.as_str()).is_ok())
        .map(|(file, name)| DocumentVersion {
            file: name.clone(),
            version: version_of(&snapshot.text(*file).to_string()),
        })
        .collect();
    documents.sort();
    documents
}
