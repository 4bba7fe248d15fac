//! `textDocument/semanticTokens/full` and `textDocument/semanticTokens/range`

use lofting_document::FileId;
use lofting_ide::SemanticKind;
use std::ops::Range;
use tower_lsp_server::gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::from_proto;
use crate::view::View;

/// The tokens of a document.
pub(crate) struct SemanticTokens;

impl Request for SemanticTokens {
    type Protocol = lsp::SemanticTokensRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri)?;
        Some(tokens(view, file, None))
    }
}

/// The tokens that a part of a document touches.
pub(crate) struct SemanticTokensRange;

impl Request for SemanticTokensRange {
    type Protocol = lsp::SemanticTokensRangeRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri)?;
        let text = view.text(file);
        let offset = |position| from_proto::offset(&text, position, view.profile.encoding);
        let (start, end) = (offset(params.range.start), offset(params.range.end));
        Some(tokens(view, file, Some(start..end.max(start))))
    }
}

/// The kinds of tokens by their numbers.
pub(crate) fn legend() -> lsp::SemanticTokensLegend {
    let names = SemanticKind::ALL.iter().map(|(_, name)| (*name).to_owned());
    lsp::SemanticTokensLegend { token_types: names.collect(), token_modifiers: Vec::new() }
}

/// Tokens as the protocol counts them, each from the one before.
fn tokens(view: &View, file: FileId, range: Option<Range<usize>>) -> lsp::SemanticTokens {
    let mut last = lsp::Position { line: 0, character: 0 };
    let mut data = Vec::new();
    for token in lofting_ide::semantic_tokens(&view.snapshot, file, range) {
        let place = view.range(file, token.range);
        let kind = SemanticKind::ALL.iter().position(|(kind, _)| *kind == token.kind).unwrap_or(0);
        let delta_line = place.start.line.saturating_sub(last.line);
        let from = if delta_line == 0 { last.character } else { 0 };
        data.push(lsp::SemanticToken {
            delta_line,
            delta_start: place.start.character.saturating_sub(from),
            length: place.end.character.saturating_sub(place.start.character),
            token_type: kind as u32,
            token_modifiers_bitset: 0,
        });
        last = place.start;
    }
    lsp::SemanticTokens { result_id: None, data }
}
