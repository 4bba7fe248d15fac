//! `textDocument/onTypeFormatting`

use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;

/// Enter was pressed: the new line is indented where the editor did not do it.
pub(crate) struct OnTypeFormatting;

impl Request for OnTypeFormatting {
    type Protocol = lsp::DocumentOnTypeFormattingRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.with_structure(&params.text_document.uri)?;
        if params.ch != "\n" || !view.snapshot.indents_on_type() {
            return None;
        }
        let offset = crate::positions::offset(&view.text(file), params.position, view.client.profile.encoding);
        let edit = lofting_ide::on_type_formatting(&view.snapshot, file, offset)?;
        Some(vec![lsp::TextEdit { range: view.range(file, edit.range), new_text: edit.text }])
    }
}
