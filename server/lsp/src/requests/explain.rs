//! `lofting/explain`

use gen_lsp_types as lsp;
use serde::{Deserialize, Serialize};

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::uri;
use crate::view::View;

/// Which schema governs a document, and why.
pub(crate) struct Explain;

/// A request of our own.
#[derive(Debug)]
pub(crate) enum ExplainRequest {}

/// Its parameters.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExplainParams {
    /// Any document.
    pub(crate) text_document: lsp::TextDocumentIdentifier,
}

/// Its answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ExplainResult {
    /// A page whose links lead to files (`file:`, with the line as `#L12`).
    pub(crate) markdown: String,
}

impl lsp::Request for ExplainRequest {
    type Params = ExplainParams;
    type Result = ExplainResult;
    const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new("lofting/explain");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}

impl Request for Explain {
    type Protocol = ExplainRequest;

    type Lane = Waiting;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let markdown = match view.file(&params.text_document.uri) {
            Some(file) => lofting_ide::explain(&view.snapshot, file)
                .markdown(|path| uri::from_path(path).as_ref().to_owned())
                .into_string(),
            None => "* **Schema**: none\n* **Why**: It is not a YAML file of this workspace.\n".to_owned(),
        };
        ExplainResult { markdown }
    }
}
