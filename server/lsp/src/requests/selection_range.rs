//! `textDocument/selectionRange`

use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::positions;
use crate::view::View;

/// Ranges for growing a selection.
pub(crate) struct SelectionRange;

/// Maximum nesting of an answer: it becomes nested JSON, which clients read recursively.
const MAX_DEPTH: usize = 100;

impl Request for SelectionRange {
    type Protocol = lsp::SelectionRangeRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.with_structure(&params.text_document.uri)?;
        let text = view.text(file);
        let nested = |position: lsp::Position| {
            let offset = positions::offset(&text, position, view.client.profile.encoding);
            let ranges = lofting_ide::selection_ranges(&view.snapshot, file, offset);
            let mut parent = None;
            for range in ranges.into_iter().take(MAX_DEPTH).rev() {
                parent = Some(Box::new(lsp::SelectionRange { range: view.range(file, range), parent }));
            }
            // The protocol requires an answer for every position.
            parent.map_or_else(
                || lsp::SelectionRange { range: lsp::Range { start: position, end: position }, parent: None },
                |range| *range,
            )
        };
        Some(params.positions.into_iter().map(nested).collect())
    }
}
