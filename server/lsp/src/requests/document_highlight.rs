//! `textDocument/documentHighlight`

use gen_lsp_types as lsp;

use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::view::View;

/// Where the thing under the cursor occurs in the same document.
pub(crate) struct DocumentHighlight;

impl Request for DocumentHighlight {
    type Protocol = lsp::DocumentHighlightRequest;

    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.place(&params.text_document_position_params)?;
        let found = lofting_ide::document_highlights(&view.snapshot, file, offset);
        let highlight = |found: lofting_ide::Highlight| lsp::DocumentHighlight {
            range: view.range(file, found.range),
            kind: Some(if found.is_write {
                lsp::DocumentHighlightKind::Write
            } else {
                lsp::DocumentHighlightKind::Read
            }),
        };
        // Without an answer, editors mark equal words themselves.
        (!found.is_empty()).then(|| found.into_iter().map(highlight).collect())
    }
}
