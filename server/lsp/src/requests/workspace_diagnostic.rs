//! `workspace/diagnostic`: the client pulls the findings of all files that it has not opened.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::mpsc;

use crate::jsonrpc;
use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Whole};
use crate::cancel::CancelFlag;
use crate::closed_files::{self, BATCH, Found, PATIENCE};
use crate::outbox::Said;
use crate::view::View;

/// The findings of all files that are not open. Those of open documents are pulled one by one.
pub(crate) struct WorkspaceDiagnostic;

impl Request for WorkspaceDiagnostic {
    type Protocol = lsp::WorkspaceDiagnosticRequest;

    type Lane = Whole;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(_: &Params<Self>) -> lsp::Uri {
        // It is about no document.
        lsp::Uri(String::new())
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let known: BTreeMap<String, String> =
            params.previous_result_ids.into_iter().map(|known| (known.uri.0, known.value)).collect();
        let asked = {
            let mut hasher = DefaultHasher::new();
            known.hash(&mut hasher);
            (view.snapshot.number(), hasher.finish())
        };
        let mut stream = Stream {
            view,
            token: params.partial_result_params.partial_result_token,
            items: Vec::new(),
            has_news: false,
        };
        // Clients ask again and again: nothing is looked at when nothing can be different.
        if view.client.whole.had_no_news(asked) {
            return stream.rest();
        }
        let mut seen = HashSet::new();
        for looked in closed_files::look(view, cancel) {
            let last = known.get(&looked.uri.0);
            seen.insert(looked.uri.0.clone());
            let Some(Found { items, id }) = looked.found else { continue };
            let is_known = last.map_or(items.is_empty(), |last| *last == id);
            if !is_known {
                stream.add(full(looked.uri, Some(id), items));
            }
        }
        if cancel.is_set() {
            return stream.rest();
        }
        // Files that are gone have no findings any more.
        for uri in known.into_keys().filter(|uri| !seen.contains(uri)) {
            stream.add(full(lsp::Uri(uri), None, Vec::new()));
        }
        if !stream.has_news {
            view.client.whole.note(asked);
        }
        view.snapshot.keep_within_budget();
        stream.rest()
    }

    fn stale() -> jsonrpc::Error {
        jsonrpc::Error {
            code: jsonrpc::ErrorCode::SERVER_CANCELLED,
            message: "the workspace has changed".into(),
            data: serde_json::to_value(lsp::DiagnosticServerCancellationData { retrigger_request: true }).ok(),
        }
    }
}

fn full(
    uri: lsp::Uri,
    result_id: Option<String>,
    items: Vec<lsp::Diagnostic>,
) -> lsp::WorkspaceDocumentDiagnosticReport {
    lsp::WorkspaceDocumentDiagnosticReport::WorkspaceFullDocumentDiagnosticReport(
        lsp::WorkspaceFullDocumentDiagnosticReport {
            uri,
            version: None,
            full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport { result_id, items },
        },
    )
}

/// Reports on their way to the client: in parts as they are found, if it takes parts.
struct Stream<'v> {
    view: &'v View,
    token: Option<lsp::ProgressToken>,
    items: Vec<lsp::WorkspaceDocumentDiagnosticReport>,
    /// Whether there was any report.
    has_news: bool,
}

impl Stream<'_> {
    fn add(&mut self, report: lsp::WorkspaceDocumentDiagnosticReport) {
        self.items.push(report);
        self.has_news = true;
        if self.items.len() >= BATCH {
            self.send();
        }
    }

    /// Sends what there is, and waits until it is on its way: the answer must not overtake it.
    fn send(&mut self) {
        let Some(token) = self.token.clone().filter(|_| !self.items.is_empty()) else { return };
        let items = std::mem::take(&mut self.items);
        let report = lsp::WorkspaceDiagnosticReportPartialResult { items };
        let Ok(value) = serde_json::to_value(report) else { return };
        let (sent, on_its_way) = mpsc::channel();
        let params = lsp::ProgressParams { token, value };
        self.view.client.outbox.say(Said::Part { params, sent });
        let _ = on_its_way.recv_timeout(PATIENCE);
    }

    /// What was not sent yet. A client that takes parts gets all as parts.
    fn rest(mut self) -> lsp::WorkspaceDiagnosticReport {
        self.send();
        lsp::WorkspaceDiagnosticReport { items: self.items }
    }
}
