//! `textDocument/linkedEditingRange`

use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;

/// What anchors and aliases may be called: all that is neither white space nor a sign of flow collections.
const NAME: &str = r"[^\s,\[\]{}]+";

/// Names that change together.
pub(crate) struct LinkedEditingRange;

impl Request for LinkedEditingRange {
    type Protocol = lsp::LinkedEditingRangeRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.place(&params.text_document_position_params)?;
        let found = lofting_ide::linked_editing(&view.snapshot, file, offset);
        let ranges: Vec<lsp::Range> = found.into_iter().map(|range| view.range(file, range)).collect();
        (!ranges.is_empty()).then(|| lsp::LinkedEditingRanges { ranges, word_pattern: Some(NAME.to_owned()) })
    }
}
