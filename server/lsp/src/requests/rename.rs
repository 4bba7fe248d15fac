//! `textDocument/rename`

use crate::jsonrpc;
use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto::workspace_edit::TextEdits;
use crate::view::View;
use crate::{positions, uri};

/// Renames the data value or name in code at the cursor, everywhere.
pub(crate) struct Rename;

impl Request for Rename {
    type Protocol = lsp::RenameRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(_: &View, _: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        None
    }

    fn answer_or_refuse(view: &View, params: Params<Self>, _: &CancelFlag) -> jsonrpc::Result<Answer<Self>> {
        let Some((file, offset)) = view.place(&params.text_document_position_params) else { return Ok(None) };
        let renamed = lofting_ide::rename(&view.snapshot, file, offset, &params.new_name).map_err(refusal)?;
        let mut edits = TextEdits::default();
        for (span, new_text) in renamed.edits {
            let location = view.location(span);
            edits.add(location.uri, lsp::TextEdit { range: location.range, new_text });
        }
        for edit in renamed.outside {
            let range = positions::range(&edit.text, edit.range, view.client.profile.encoding);
            let uri = uri::from_path(&edit.path);
            edits.add(uri, lsp::TextEdit { range, new_text: edit.new });
        }
        Ok(Some(edits.into_edit()))
    }
}

/// A refusal as clients show it.
pub(crate) fn refusal(refusal: lofting_ide::Refusal) -> jsonrpc::Error {
    jsonrpc::Error::new(jsonrpc::ErrorCode::REQUEST_FAILED, lofting_ide::plain::message(&refusal.0))
}
