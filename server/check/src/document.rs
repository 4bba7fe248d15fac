//! Errors of a document that do not depend on a schema: what reading it noticed, and what rules find at its places.

use crate::bound::extend;
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
    extend(&mut found, issues.filter_map(|issue| issue_finding(issue, source)));
    Visit::of(set.is_template, source).documents(set, &mut found);
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
    let all = set.issues.iter().filter_map(|issue| issue_finding(issue, source));
    extend(&mut found, all.filter(|finding| finding.stage == Stage::Parse && finding.severity == Severity::Error));
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
    set.issues.iter().find_map(|issue| match issue {
        Issue::ByteOrderMark { span, comment: Some(comment) } => {
            Some(rules::ytt_byte_order_mark::finding(*span, Some(*comment)))
        }
        _ => None,
    })
}

/// The finding about what reading a text has noticed, in a tree or by lowering.
pub(crate) fn issue_finding(issue: &Issue, source: &dyn Source) -> Option<Diagnostic> {
    Some(match issue {
        Issue::OrdinaryComment { span } => rules::ytt_ordinary_comment::finding(*span, source.text(*span).as_deref()),
        Issue::DuplicateKey { span, first, key } => rules::ytt_duplicate_key::finding(*span, *first, key),
        Issue::RepeatedKey { span, first, key } => rules::yaml_repeated_key::finding(*span, *first, key),
        Issue::Tag { span, message } => rules::yaml_tag::finding(*span, message),
        // The parser has already reported it.
        Issue::UnknownAlias { .. } => return None,
        Issue::Strict { span, text, reading } => rules::ytt_strict::finding(*span, text, *reading),
        Issue::MergeValue { span } => rules::yaml_merge_value::finding(*span),
        Issue::AliasLimit { span } => rules::yaml_alias_limit::finding(*span),
        Issue::NoKey { span } => rules::ytt_no_key::finding(*span),
        Issue::BlankTab { span } => rules::ytt_blank_tab::finding(*span),
        Issue::Refused { span, what } => rules::ytt_refused_yaml::finding(*span, *what),
        Issue::CollectionKey { span } => rules::ytt_collection_key::finding(*span),
        Issue::Arguments { span, message } => rules::ytt_annotation_arguments::finding(*span, message),
        Issue::Code { span, message } => rules::ytt_code_syntax::finding(*span, message),
        Issue::CodeAndValue { span, value } => rules::ytt_code_and_value::finding(*span, *value),
        Issue::AliasCycle { span, name } => rules::yaml_alias_cycle::finding(*span, name),
        Issue::DepthLimit { span } => rules::yaml_depth_limit::finding(*span),
        Issue::ByteOrderMark { span, comment } => rules::ytt_byte_order_mark::finding(*span, *comment),
        Issue::Directive { span, version } => rules::ytt_directive::finding(*span, *version),
        Issue::UnclosedBlock { span } => rules::ytt_unclosed_block::finding(*span),
        Issue::HalfOpenBlock { span, .. } => {
            rules::ytt_code_syntax::finding(*span, "missing colon at the end of 'if/for/def' statement")
        }
        Issue::UnexpectedEnd { span } => rules::ytt_unexpected_end::finding(*span),
        Issue::CodeWithoutSpace { span, unclosed } => rules::ytt_code_without_space::of_block(*span, *unclosed),
        Issue::CodeAfterSlashEnd { span, opening } => rules::ytt_code_after_slash_end::finding(*span, *opening),
    })
}
