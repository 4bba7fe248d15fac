//! `textDocument/hover`

use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto;
use crate::view::View;

/// What is known about the thing under the pointer.
pub(crate) struct Hover;

impl Request for Hover {
    type Protocol = lsp::HoverRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let markdown = view.client.profile.hover_markdown;
        let (file, offset) = view.any_place(&params.text_document_position_params)?;
        let hover = lofting_ide::hover(&view.snapshot, file, offset, View::markup(markdown))?;
        Some(lsp::Hover {
            contents: lsp::Contents::MarkupContent(to_proto::markup::content(hover.text, markdown)),
            range: Some(view.range(file, hover.range)),
        })
    }
}
