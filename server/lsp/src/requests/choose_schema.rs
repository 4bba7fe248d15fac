//! `lofting/chooseSchema`

use crate::jsonrpc;
use gen_lsp_types as lsp;
use serde::{Deserialize, Serialize};

use super::rename::refusal;
use super::schema_choices::{Choice, Place};
use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto::workspace_edit;
use crate::view::View;

/// The change that writes down which schema the user chose for a document. The client applies it, so it can be undone.
pub(crate) struct ChooseSchema;

/// The request of our own.
#[derive(Debug)]
pub(crate) enum ChooseSchemaRequest {}

/// Its parameters.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChooseSchemaParams {
    /// The document.
    text_document: lsp::TextDocumentIdentifier,
    /// What an answer to `lofting/schemaChoices` says.
    choice: Choice,
    /// Where to write it.
    place: Place,
}

impl lsp::Request for ChooseSchemaRequest {
    type Params = ChooseSchemaParams;
    type Result = Option<lsp::WorkspaceEdit>;
    const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new("lofting/chooseSchema");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}

impl Request for ChooseSchema {
    type Protocol = ChooseSchemaRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(_: &View, _: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        None
    }

    fn answer_or_refuse(view: &View, params: Params<Self>, _: &CancelFlag) -> jsonrpc::Result<Answer<Self>> {
        let file = view.file(&params.text_document.uri);
        let Some((file, chosen)) = file.zip(params.choice.chosen(view)) else { return Ok(None) };
        let (place, abilities) = (params.place.into(), view.client.profile.abilities());
        let change = lofting_ide::choose_schema(&view.snapshot, file, &chosen, place, abilities).map_err(refusal)?;
        Ok(Some(workspace_edit::of_change(view, change)))
    }
}
