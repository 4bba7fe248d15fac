//! Diagnostics.

use lofting_check::{Diagnostic, Related, Severity, Tag};
use tower_lsp_server::gen_lsp_types as lsp;

use crate::view::View;

/// A finding for the client, with as much as it announced to understand.
pub(crate) fn diagnostic(view: &View, diagnostic: &Diagnostic) -> lsp::Diagnostic {
    let profile = &view.profile;
    let message = match &diagnostic.help {
        // Editors show the message and nothing else, so what helps has to be in it.
        Some(help) => format!("{}\n{help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let tags: Vec<_> = diagnostic.tags.iter().filter_map(|found| tag(view, *found)).collect();
    let related = |related: &Related| lsp::DiagnosticRelatedInformation {
        location: view.location(related.span),
        message: related.message.clone(),
    };
    let related: Vec<_> = diagnostic.related.iter().filter(|_| profile.related_information).map(related).collect();
    lsp::Diagnostic {
        range: view.range(diagnostic.span.file, diagnostic.span.range()),
        severity: Some(severity(diagnostic.severity)),
        code: Some(lsp::Code::String(diagnostic.code.to_owned())),
        code_description: None,
        source: Some("lofting".to_owned()),
        message: lsp::Message::String(message),
        tags: (!tags.is_empty()).then_some(tags),
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    }
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
        Tag::Deprecated => view.profile.deprecated_tag.then_some(lsp::DiagnosticTag::Deprecated),
        Tag::Unnecessary => view.profile.unnecessary_tag.then_some(lsp::DiagnosticTag::Unnecessary),
    }
}
