//! `lofting/finalDataValues`, and all virtual documents by `workspace/textDocumentContent`

use gen_lsp_types as lsp;
use serde::{Deserialize, Serialize};

use super::CodeView;
use super::{Answer, Params, Request, WithCode};
use crate::built_in_documents;
use crate::cancel::CancelFlag;
use crate::virtual_documents::{VirtualDocument, VirtualKind};

/// The final data values that a file takes part in, as a text.
pub(crate) struct FinalDataValues;

/// The request of our own.
#[derive(Debug)]
pub(crate) enum FinalDataValuesRequest {}

/// Its parameters.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FinalDataValuesParams {
    /// A file, or the virtual document that belongs to it.
    pub(crate) text_document: lsp::TextDocumentIdentifier,
}

/// Its answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FinalDataValuesResult {
    /// The virtual document.
    pub(crate) uri: String,
    /// YAML, with comments about the origin of each value.
    pub(crate) text: String,
}

impl lsp::Request for FinalDataValuesRequest {
    type Params = FinalDataValuesParams;
    type Result = Option<FinalDataValuesResult>;
    const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new("lofting/finalDataValues");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}

impl Request for FinalDataValues {
    type Protocol = FinalDataValuesRequest;

    type Lane = WithCode;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(CodeView { view, code }: CodeView<'_>, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let document = VirtualDocument::of(&params.text_document.uri, VirtualKind::Values);
        let uri = document.uri(&view.uri(view.snapshot.file(&document.path)?));
        Some(FinalDataValuesResult { uri, text: view.client.outputs.text(&document, &view.snapshot, code)? })
    }
}

/// Any virtual document, for clients that support them.
pub(crate) struct TextDocumentContent;

impl Request for TextDocumentContent {
    type Protocol = lsp::TextDocumentContentRequest;

    type Lane = WithCode;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.uri.clone()
    }

    fn answer(CodeView { view, code }: CodeView<'_>, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        if built_in_documents::name(&params.uri).is_some() {
            let text = built_in_documents::text(&view.snapshot, &params.uri).unwrap_or_default();
            return lsp::TextDocumentContentResult { text };
        }
        let text =
            view.client.outputs.text(&VirtualDocument::of(&params.uri, VirtualKind::Values), &view.snapshot, code);
        let text = text.unwrap_or_else(|| "#! Nothing is known for this file.\n".to_owned());
        lsp::TextDocumentContentResult { text }
    }
}
