//! `textDocument/prepareRename`

use crate::jsonrpc;
use gen_lsp_types as lsp;

use super::rename::refusal;
use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;

/// Whether the thing under the cursor can be renamed.
pub(crate) struct PrepareRename;

impl Request for PrepareRename {
    type Protocol = lsp::PrepareRenameRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(_: &View, _: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        None
    }

    fn answer_or_refuse(view: &View, params: Params<Self>, _: &CancelFlag) -> jsonrpc::Result<Answer<Self>> {
        let Some((file, offset)) = view.place(&params.text_document_position_params) else { return Ok(None) };
        let found = lofting_ide::prepare_rename(&view.snapshot, file, offset).map_err(refusal)?;
        let range = view.range(file, found.range);
        let placeholder = lsp::PrepareRenamePlaceholder { range, placeholder: found.name };
        Ok(Some(placeholder.into()))
    }
}
