//! `lofting/status`

use gen_lsp_types as lsp;
use lofting_workspace::FileKind;
use serde::{Deserialize, Serialize};

use super::explain::ExplainParams;
use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;
use lofting_ide::plain;

/// Which schema governs a document, in the few words that a status line has room for.
pub(crate) struct Status;

/// The request of our own. Its parameters are those of `lofting/explain`.
#[derive(Debug)]
pub(crate) enum StatusRequest {}

/// Its answer; none for a file outside the workspace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StatusResult {
    /// The files of the schema that governs the document as a whole.
    schema: Vec<SchemaFile>,
    /// What its other schemas are called: those of the program, and those of its parts.
    names: Vec<String>,
    /// Why.
    reason: String,
    /// The input sets that the document is a part of.
    sets: Vec<String>,
    /// ytt evaluates it, so that there is an output to show.
    renders: bool,
}

/// A file of a schema.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SchemaFile {
    /// Its path, as messages show it.
    name: String,
    uri: lsp::Uri,
}

impl lsp::Request for StatusRequest {
    type Params = ExplainParams;
    type Result = Option<StatusResult>;
    const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new("lofting/status");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}

impl Request for Status {
    type Protocol = StatusRequest;

    type Lane = Waiting;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri)?;
        let status = lofting_ide::explain(&view.snapshot, file).status();
        let schema = |file| SchemaFile { name: plain::line(&view.snapshot.shown_path(file)), uri: view.uri(file) };
        let renders = !status.sets.is_empty() || view.snapshot.kind(file) == FileKind::Template;
        Some(StatusResult {
            renders,
            schema: status.schema.into_iter().map(schema).collect(),
            names: status.names.iter().map(|name| plain::line(name)).collect(),
            reason: plain::message(&status.reason),
            sets: status.sets.iter().map(|set| plain::line(set)).collect(),
        })
    }
}
