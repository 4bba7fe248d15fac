//! `textDocument/rangeFormatting`

use gen_lsp_types as lsp;

use super::formatting::edits;
use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::positions;
use crate::view::View;

/// Formats the lines of a selection.
pub(crate) struct RangeFormatting;

impl Request for RangeFormatting {
    type Protocol = lsp::DocumentRangeFormattingRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.with_structure(&params.text_document.uri)?;
        let text = view.text(file);
        let offset = |position| positions::offset(&text, position, view.client.profile.encoding);
        let (start, end) = (offset(params.range.start), offset(params.range.end));
        Some(edits(view, file, Some(start..end.max(start))))
    }
}
