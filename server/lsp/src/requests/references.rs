//! `textDocument/references`

use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;

/// All places of the data value or name in code at the cursor.
pub(crate) struct References;

impl Request for References {
    type Protocol = lsp::ReferencesRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.place(&params.text_document_position_params)?;
        let found = lofting_ide::references(&view.snapshot, file, offset, params.context.include_declaration);
        Some(found.into_iter().map(|span| view.location(span)).collect())
    }
}
