//! Errors of a document that do not depend on a schema: comments, keys, aliases, annotations.

use crate::library::library_ref;
use crate::rules;
use crate::view::Source;
use lofting_diagnostic::{Diagnostic, Severity, Stage};
use lofting_dialect::data_values::is_proposal;
use lofting_document::{Document, DocumentSet, Issue, Key, Node, NodeValue, Notes, Span};
use lofting_eval::ExprKind;

/// Findings in a file's documents beyond its syntax.
pub fn check_documents(set: &DocumentSet, source: &dyn Source) -> Vec<Diagnostic> {
    let hides_colon = hides_colon(set);
    let issues = set.issues.iter().filter(|issue| !hides_colon(issue));
    let mut found: Vec<Diagnostic> = issues.filter_map(|issue| issue_finding(issue, source)).collect();
    mixed(set, &mut found);
    for document in &set.documents {
        on_document(document, &mut found);
        if set.is_template {
            items(document, source, &mut found);
        }
    }
    // Comments after the last node may become part of its document.
    let is_tail_proposal = set.documents.last().is_some_and(is_proposal);
    annotations(&set.tail, is_tail_proposal, None, &mut found);
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

/// When a `---` was turned into a comment, which has its own finding, the annotations of its document stand on items.
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
    let found = set.issues.iter().filter_map(|issue| issue_finding(issue, source));
    found.filter(|finding| finding.stage == Stage::Parse && finding.severity == Severity::Error).collect()
}

/// The finding for a file in which no comment is an annotation for ytt, though some were meant as one. `comments` are
/// the file's comments with their text.
pub fn check_plain_comments<'t>(comments: impl IntoIterator<Item = (Span, &'t str)>) -> Vec<Diagnostic> {
    comments.into_iter().filter_map(|(span, text)| rules::ytt_annotation_as_comment::finding(span, text)).collect()
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

fn issue_finding(issue: &Issue, source: &dyn Source) -> Option<Diagnostic> {
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

/// Documents that may not be in one file with a schema or data values document (docs/ytt.md 3.3).
fn mixed(set: &DocumentSet, found: &mut Vec<Diagnostic>) {
    type Is = fn(&Document) -> bool;
    let kinds: [(Is, &str); 2] =
        [(Document::is_schema, "schema documents"), (Document::is_data_values, "data values documents")];
    for (is, with) in kinds {
        let Some(first) = set.documents.iter().find(|document| is(document)) else { continue };
        let others = set.documents.iter().filter(|document| !is(document) && is_surely_filled(document));
        // One finding is enough, because the file has to be split anyway.
        if let Some(other) = others.into_iter().next() {
            found.push(rules::ytt_mixed_documents::finding(place(other), with, place(first)));
            return;
        }
    }
}

/// Whether the document certainly has content: ytt silently drops empty ones.
fn is_surely_filled(document: &Document) -> bool {
    !document.conditional
        && match &document.value.value {
            NodeValue::Null | NodeValue::Unknown => false,
            NodeValue::Map(items) => items.iter().any(|item| !item.conditional),
            NodeValue::Array(items) => items.iter().any(|item| !item.conditional),
            _ => true,
        }
}

/// Where to report something about a document: its marker, or else its first line.
fn place(document: &Document) -> Span {
    if let Some(marker) = document.marker {
        return marker;
    }
    match &document.value.value {
        NodeValue::Map(items) => items.first().map_or(document.value.span, |item| item.key_span),
        NodeValue::Array(items) => items.first().map_or(document.value.span, |item| item.span),
        _ => document.value.span,
    }
}

const DATA: [&str; 2] = ["data/values-schema", "data/values"];

/// Document annotations of ytt's design proposals. `schema` alone on an item is the beginning of another annotation.
const PROPOSED: [&str; 3] = ["schema/match", "schema/definition", "schema/amend"];

fn on_document(document: &Document, found: &mut Vec<Diagnostic>) {
    for name in DATA {
        let mut same = document.notes.annotations.iter().filter(|note| note.name == name);
        if let Some(first) = same.next() {
            found.extend(same.map(|note| rules::ytt_data_annotation_twice::finding(note.span, name, first.span)));
        }
    }
    if let Some(note) = document.notes.get("data/values") {
        for keyword in &note.arguments.keywords {
            let known = keyword.name == "after_library_module" && document.notes.has("library/ref");
            if !known {
                let span = Span::new(note.span.file, keyword.name_range.clone());
                found.push(rules::ytt_data_values_keyword::finding(span, &keyword.name));
            } else if !matches!(keyword.value.kind, ExprKind::Bool(_) | ExprKind::Code | ExprKind::Missing) {
                let span = Span::new(note.span.file, keyword.value.range.clone());
                let was = keyword.value.type_name().unwrap_or("something else");
                found.push(rules::ytt_data_values_keyword::wrong_kind(span, &keyword.name, was));
            }
        }
    }
    // ytt ignores the annotation on other documents.
    if let (true, Some(Err(wrong))) = (document.is_schema() || document.is_data_values(), library_ref(&document.notes))
    {
        found.extend(wrong.map(|wrong| *wrong));
    }
    annotations(&document.notes, is_proposal(document), None, found);
}

/// Checks the names of annotations. `missing` is the place of an item without a value, whose comment was probably meant
/// to compute it.
fn annotations(notes: &Notes, is_proposal: bool, missing: Option<Span>, found: &mut Vec<Diagnostic>) {
    for note in &notes.annotations {
        let is_value = missing.is_some_and(|place| note.span.start >= place.end);
        if note.name == "schema/doc" && !is_proposal {
            found.push(rules::ytt_doc_ignored::finding(note.name_span));
        } else if is_proposal && lofting_annotation::catalog::find(&note.name).is_some() {
            // It is known here.
        } else if let Some(finding) = rules::ytt_code_without_space::finding(note, is_value) {
            found.push(finding);
        } else if !note.arguments.errors.is_empty() {
            // A wrong name explains wrong arguments, so those are not reported.
        } else if let Some(finding) = rules::ytt_unknown_annotation::finding(note.name_span, &note.name) {
            found.push(finding);
        }
        for name in &note.arguments.names {
            let span = Span::new(note.span.file, name.range.clone());
            found.extend(rules::ytt_undefined_name::finding(span, &name.name));
        }
    }
}

fn on_item(place: Span, notes: &Notes, value: &Node, is_proposal: bool, found: &mut Vec<Diagnostic>) {
    for name in DATA.into_iter().chain(PROPOSED) {
        if let Some(note) = notes.get(name) {
            found.push(rules::ytt_data_annotation_on_item::finding(place, name, note.span));
        }
    }
    annotations(notes, is_proposal, value.missing.then_some(place), found);
}

/// Checks every item of a document, with an explicit stack.
fn items(document: &Document, source: &dyn Source, found: &mut Vec<Diagnostic>) {
    let is_proposal = is_proposal(document);
    let mut stack: Vec<&Node> = vec![&document.value];
    while let Some(node) = stack.pop() {
        match &node.value {
            NodeValue::Map(items) => {
                for item in items {
                    on_item(item.key_span, &item.notes, &item.value, is_proposal, found);
                    if let Key::Bool(value) = item.key
                        && !item.merged
                    {
                        let written = source.text(item.key_span).unwrap_or_default();
                        found.extend(rules::ytt_ambiguous_key::unless_plain(item.key_span, &written, value));
                    }
                    stack.push(&item.value);
                }
            }
            NodeValue::Array(items) => {
                for item in items {
                    on_item(item.span, &item.notes, &item.value, is_proposal, found);
                    stack.push(&item.value);
                }
            }
            NodeValue::String(text) if text.starts_with("data.values") => {
                let written = source.text(node.span).unwrap_or_default();
                found.extend(rules::ytt_code_as_text::finding(node.span, &written));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::check;

    #[test]
    fn a_bracket_that_is_never_closed_takes_the_colon_with_it() {
        check(
            r#"#- schema.yml
#@data/values-schema
---
a: 1
#@ if max(1, 2:
#        ^ ytt/code-syntax
b: 1
#@ end
#@ if a
#  ^^^^ ytt/code-syntax
c: 1
#@ end
"#,
        );
    }
}
