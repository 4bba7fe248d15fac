//! Diagnostics.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use gen_lsp_types as lsp;
use lofting_check::{Diagnostic, Related, Severity, Tag};
use lofting_diagnostic::{Rule, manual};

use crate::view::View;
use lofting_ide::plain;

/// A finding for the client, with everything that it announced to support.
pub(crate) fn diagnostic(view: &View, diagnostic: &Diagnostic) -> lsp::Diagnostic {
    let (profile, marked) = (&view.client.profile, diagnostic.marked());
    // Some editors show only the message, so the help must be part of it.
    let mut message = diagnostic.message_with_help();
    let places = places(view, diagnostic);
    for related in places.iter().filter(|_| !profile.related_information) {
        let _ = write!(message, "\n{}", as_text(view, related));
    }
    let tags: Vec<_> = diagnostic.tags.iter().filter_map(|found| tag(view, *found)).collect();
    let related = |related: &Related| lsp::DiagnosticRelatedInformation {
        location: view.location(related.span),
        message: plain::message(&related.message),
    };
    let related: Vec<_> = places.iter().filter(|_| profile.related_information).map(related).collect();
    lsp::Diagnostic {
        range: view.range(marked.file, marked.range()),
        severity: Some(severity(diagnostic.severity)),
        code: Some(lsp::Code::String(diagnostic.code().into_owned())),
        code_description: profile.code_description.then(|| description(diagnostic.rule)),
        source: Some("lofting".to_owned()),
        message: lsp::Message::String(plain::message(&message)),
        tags: (!tags.is_empty()).then_some(tags),
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    }
}

/// The places beside the one that is underlined.
fn places(view: &View, diagnostic: &Diagnostic) -> Vec<Related> {
    // No editor can open a text of the program.
    diagnostic.places_beside().filter(|related| view.snapshot.is_file(related.span.file)).collect()
}

/// Where the manual describes a rule.
fn description(rule: &Rule) -> lsp::CodeDescription {
    lsp::CodeDescription { href: lsp::Uri(manual::address(rule)) }
}

/// A related position for clients that do not support links: `schema.yml:5: the type is declared here`.
fn as_text(view: &View, related: &Related) -> String {
    let span = view.snapshot.placed(related.span);
    let line = view.text(span.file).line_of(span.range().start) + 1;
    format!("{}:{line}: {}", view.snapshot.shown_path(span.file), related.message)
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::Error,
        Severity::Warning => lsp::DiagnosticSeverity::Warning,
        Severity::Info => lsp::DiagnosticSeverity::Information,
        Severity::Hint => lsp::DiagnosticSeverity::Hint,
    }
}

fn tag(view: &View, tag: Tag) -> Option<lsp::DiagnosticTag> {
    match tag {
        Tag::Deprecated => view.client.profile.deprecated_tag.then_some(lsp::DiagnosticTag::Deprecated),
        Tag::Unnecessary => view.client.profile.unnecessary_tag.then_some(lsp::DiagnosticTag::Unnecessary),
    }
}

/// Equal for equal lists, so that neither side has to remember lists. It tells whether code may say more.
pub(crate) fn result_id(items: &[lsp::Diagnostic], partial: bool) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items).unwrap_or_default().hash(&mut hasher);
    format!("{}{:016x}", if partial { "partial-" } else { "" }, hasher.finish())
}
