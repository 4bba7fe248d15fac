//! Errors of a document that do not depend on a schema: what reading it noticed, and what rules find at its places.

use crate::rules;
use crate::view::Source;
use crate::visit::Visit;
use lofting_diagnostic::{Diagnostic, Severity, Stage};
use lofting_document::{DocumentSet, Issue, Span};

/// Findings in a file's documents beyond its syntax.
pub fn check_documents(set: &DocumentSet, source: &dyn Source) -> Vec<Diagnostic> {
    let hides_colon = hides_colon(set);
    let issues = set.issues.iter().filter(|issue| !hides_colon(issue));
    let mut found = Vec::new();
    let visit = Visit::of(set.is_template, source);
    visit.issues(issues, &mut found);
    visit.documents(set, &mut found);
    rules::ytt_code_without_space::once(&mut found);
    drop_what_hidden_markers_cause(set, source, &mut found);
    found
}

/// Whether code lacks its colon only because a bracket in it is never closed, which has its own finding.
fn hides_colon(set: &DocumentSet) -> impl Fn(&Issue) -> bool {
    let wrong_code = set.issues.iter().filter_map(|issue| match issue {
        Issue::Code { span, .. } => Some(span.start),
        _ => None,
    });
    let mut starts: Vec<u32> = wrong_code.collect();
    starts.sort_unstable();
    move |issue| match issue {
        Issue::HalfOpenBlock { span, .. } => {
            let first = starts.partition_point(|start| *start < span.start);
            starts.get(first).is_some_and(|start| *start < span.end)
        }
        _ => false,
    }
}

/// When a `---` was turned into a comment, which has its own finding, the annotations of its document are on items.
/// Their findings are dropped.
fn drop_what_hidden_markers_cause(set: &DocumentSet, source: &dyn Source, found: &mut Vec<Diagnostic>) {
    let is_marker =
        |span: &Span| source.text(*span).is_some_and(|text| text.trim_start_matches(['#', ' ']).starts_with("---"));
    let comments = set.issues.iter().filter_map(|issue| match issue {
        Issue::OrdinaryComment { span } => Some(*span),
        _ => None,
    });
    let Some(hidden) = comments.filter(is_marker).map(|span| span.start).min() else { return };
    found.retain(|finding| *finding.rule != rules::ytt_data_annotation_on_item::RULE || finding.span.start < hidden);
}

/// Like [`check_documents`], limited to what ytt finds while parsing, which it does for all YAML inputs, templates or
/// not.
pub fn check_parsing(set: &DocumentSet, source: &dyn Source) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    Visit::of(set.is_template, source).issues(&set.issues, &mut found);
    found.retain(|finding| finding.stage == Stage::Parse && finding.severity == Severity::Error);
    found
}

/// The finding for a file in which no comment is an annotation for ytt, though some were meant as one. `comments` are
/// the file's comments with their text.
pub fn check_plain_comments<'t>(comments: impl IntoIterator<Item = (Span, &'t str)>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    Visit::of(false, &()).comments(comments, &mut found);
    found
}

/// The finding for an annotation that a byte order mark hides from ytt. The file may have no role because of it.
pub fn hidden_annotation(set: &DocumentSet) -> Option<Diagnostic> {
    let hides = |issue: &&Issue| matches!(issue, Issue::ByteOrderMark { comment: Some(_), .. });
    let mut found = Vec::new();
    Visit::of(true, &()).issues(set.issues.iter().find(hides), &mut found);
    found.pop()
}
