//! `lofting/describeInputSet`

use crate::jsonrpc;
use gen_lsp_types as lsp;

use super::explain::ExplainParams;
use super::rename::refusal;
use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::to_proto::workspace_edit;
use crate::view::View;
use crate::virtual_documents::{VirtualDocument, VirtualKind};

/// The change that writes the input set into `lofting.toml` that a document is assumed to belong to. The client applies it,
/// so it can be undone.
pub(crate) struct DescribeInputSet;

/// The request of our own. Its parameters are those of `lofting/explain`; the document may be a virtual one.
#[derive(Debug)]
pub(crate) enum DescribeInputSetRequest {}

impl lsp::Request for DescribeInputSetRequest {
    type Params = ExplainParams;
    type Result = Option<lsp::WorkspaceEdit>;
    const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new("lofting/describeInputSet");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}

impl Request for DescribeInputSet {
    type Protocol = DescribeInputSetRequest;

    // It looks at the files around the schema.
    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(_: &View, _: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        None
    }

    fn answer_or_refuse(view: &View, params: Params<Self>, _: &CancelFlag) -> jsonrpc::Result<Answer<Self>> {
        let path = VirtualDocument::of(&params.text_document.uri, VirtualKind::Output).path;
        let Some(file) = view.snapshot.file(&path) else { return Ok(None) };
        let abilities = view.client.profile.abilities();
        let change = lofting_ide::describe_input_set(&view.snapshot, file, abilities).map_err(refusal)?;
        Ok(Some(workspace_edit::of_change(view, change)))
    }
}
