//! `textDocument/foldingRange`

use gen_lsp_types as lsp;
use lofting_ide::FoldKind;

use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::view::View;

/// What can be folded.
pub(crate) struct FoldingRange;

impl Request for FoldingRange {
    type Protocol = lsp::FoldingRangeRequest;

    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.with_structure(&params.text_document.uri)?;
        let line = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        let fold = |fold: lofting_ide::Fold| lsp::FoldingRange {
            start_line: line(fold.start_line),
            end_line: line(fold.end_line),
            kind: match fold.kind {
                FoldKind::Comment if view.client.profile.folding_kinds => Some(lsp::FoldingRangeKind::Comment),
                FoldKind::Imports if view.client.profile.folding_kinds => Some(lsp::FoldingRangeKind::Imports),
                _ => None,
            },
            ..Default::default()
        };
        Some(lofting_ide::folding_ranges(&view.snapshot, file).into_iter().map(fold).collect())
    }
}
