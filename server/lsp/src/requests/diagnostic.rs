//! `textDocument/diagnostic`: the client pulls.

use std::hash::{DefaultHasher, Hash, Hasher};

use tower_lsp_server::gen_lsp_types as lsp;
use tower_lsp_server::jsonrpc;

use super::{Answer, Params, Request};
use crate::cancel::CancelFlag;
use crate::pool::Lane;
use crate::to_proto;
use crate::view::View;

/// `ServerCancelled` of the protocol: the client should ask again.
const SERVER_CANCELLED: i64 = -32802;

/// The findings of one document.
pub(crate) struct Diagnostic;

impl Request for Diagnostic {
    type Protocol = lsp::DocumentDiagnosticRequest;

    const LANE: Lane = Lane::Background;

    fn uri(params: &Params<Self>) -> &lsp::Uri {
        &params.text_document.uri
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let found = view
            .file(&params.text_document.uri)
            .map(|file| view.typing.shown(view, file, lofting_ide::diagnostics(&view.snapshot, file, cancel.work())));
        if let Some(file) = view.file(&params.text_document.uri).filter(|_| !cancel.is_set()) {
            lofting_ide::prepare_data_values(&view.snapshot, file);
        }
        let items: Vec<_> = found
            .iter()
            .flat_map(|found| found.iter())
            .map(|found| to_proto::diagnostic::diagnostic(view, found))
            .collect();
        let result_id = result_id(&items);
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
        // Unlike other requests, a client does not come back by itself: it has to be told to.
        jsonrpc::Error {
            code: jsonrpc::ErrorCode::ServerError(SERVER_CANCELLED),
            message: "the document has changed".into(),
            data: serde_json::to_value(lsp::DiagnosticServerCancellationData { retrigger_request: true }).ok(),
        }
    }
}

/// The same for the same list, so that neither side has to remember lists.
fn result_id(items: &[lsp::Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
