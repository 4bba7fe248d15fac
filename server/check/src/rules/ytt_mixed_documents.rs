use crate::place::{Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::{Document, NodeValue, Span};

rule! {
    /// # Schema and other documents in one file
    ///
    /// ## What
    /// A file with a schema document may only contain schema documents and empty ones, and a file with data values only
    /// data values.
    ///
    /// ## Why
    /// ytt refuses the file and names no line.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// port: 80
    /// ---
    /// kind: Service
    /// ```
    ///
    /// ## How to fix
    /// Move the other documents to separate files.
    pub static RULE: Rule = Rule {
        code: "ytt/mixed-documents",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::DocumentHead,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Documents(look)]);

/// Documents that may not be in one file with a schema or data values document (docs/ytt.md 3.3).
fn look(documents: &[Document], found: &mut Vec<Diagnostic>) {
    type Is = fn(&Document) -> bool;
    let kinds: [(Is, &str); 2] =
        [(Document::is_schema, "schema documents"), (Document::is_data_values, "data values documents")];
    for (is, with) in kinds {
        let Some(first) = documents.iter().find(|document| is(document)) else { continue };
        // One finding is enough, because the file has to be split anyway.
        if let Some(other) = documents.iter().find(|document| !is(document) && is_surely_filled(document)) {
            found.push(finding(place(other), with, place(first)));
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

pub(crate) fn finding(span: Span, with: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("a file with {with} may hold nothing else"))
        .help("move this document to a file of its own")
        .related(first, format!("this makes it a file with {with}"))
}
