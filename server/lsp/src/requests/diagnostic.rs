//! `textDocument/diagnostic`: the client pulls.

use std::sync::Arc;

use crate::jsonrpc;
use gen_lsp_types as lsp;
use lofting_workspace::Findings;

use super::{Answer, Background, Params, Request};
use crate::awaited::{AwaitedFindings, Lacked};
use crate::cancel::CancelFlag;
use crate::to_proto;
use crate::to_proto::diagnostic::result_id;
use crate::view::View;

/// The findings of one document.
pub(crate) struct Diagnostic;

impl Request for Diagnostic {
    type Protocol = lsp::DocumentDiagnosticRequest;

    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri);
        let mut found = file.map(|file| view.snapshot.findings(file, cancel.work())).unwrap_or_default();
        if let (Some(file), true) = (file, found.partial && !cancel.is_set()) {
            let awaited = Arc::<AwaitedFindings>::default();
            view.client.completions.complete(file, Lacked::Findings(found.list.clone(), awaited.clone()));
            if let Some(list) = awaited.wait(cancel) {
                found = Findings { list, partial: false };
            }
        } else if let Some(file) = file.filter(|file| !cancel.is_set() && view.snapshot.waits_for_merged(*file)) {
            view.client.completions.complete(file, Lacked::Values(found.list.clone()));
        }
        let shown =
            file.map_or_else(|| found.list.clone(), |file| view.typing.shown(&view.snapshot, file, found.list.clone()));
        let items: Vec<_> = shown.iter().map(|found| to_proto::diagnostic::diagnostic(view, found)).collect();
        let result_id = result_id(&items, found.partial);
        if params.previous_result_id.as_ref() == Some(&result_id) {
            return lsp::RelatedUnchangedDocumentDiagnosticReport {
                unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport { result_id },
                ..Default::default()
            }
            .into();
        }
        lsp::RelatedFullDocumentDiagnosticReport {
            full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport { result_id: Some(result_id), items },
            ..Default::default()
        }
        .into()
    }

    fn stale() -> jsonrpc::Error {
        // Unlike for other requests, a client repeats this one only on demand.
        jsonrpc::Error {
            code: jsonrpc::ErrorCode::SERVER_CANCELLED,
            message: "the document has changed".into(),
            data: serde_json::to_value(lsp::DiagnosticServerCancellationData { retrigger_request: true }).ok(),
        }
    }
}
