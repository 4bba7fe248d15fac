//! `textDocument/semanticTokens/full`, `/full/delta` and `/range`

use gen_lsp_types as lsp;
use lofting_document::FileId;
use lofting_ide::{SemanticKind, SemanticToken};
use lofting_text::{Encoding, Text};
use std::ops::Range;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::positions;
use crate::token_results::Taken;
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
        Some(Renewed::of(view, file).whole(view, file))
    }
}

/// What is different since an earlier answer.
pub(crate) struct SemanticTokensDelta;

impl Request for SemanticTokensDelta {
    type Protocol = lsp::SemanticTokensDeltaRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri)?;
        let renewed = Renewed::of(view, file);
        Some(match renewed.taken.sent.answer(&params.previous_result_id) {
            Some(last) => {
                let edits = difference(last, &renewed.data);
                lsp::SemanticTokensDelta { result_id: renewed.keep(view, file), edits }.into()
            }
            None => renewed.whole(view, file).into(),
        })
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
        let part = positions::bytes(&text, params.range, view.client.profile.encoding);
        let part = part.start..part.end.max(part.start);
        let tokens = lofting_ide::semantic_tokens_in(&view.snapshot, file, part.clone(), view.client.editor.tokens);
        let data = in_units(&text, &part, view.client.profile.encoding, &tokens);
        Some(lsp::SemanticTokens { result_id: None, data })
    }
}

/// All tokens of a file, and the answers that were given before.
struct Renewed {
    taken: Taken,
    data: Vec<lsp::SemanticToken>,
}

impl Renewed {
    fn of(view: &View, file: FileId) -> Renewed {
        let (mut taken, text) = (view.client.tokens.take(file), view.text(file));
        let tokens =
            lofting_ide::semantic_tokens(&view.snapshot, file, view.client.editor.tokens, &mut taken.sent.memo);
        let data = in_units(&text, &(0..text.len()), view.client.profile.encoding, &tokens);
        Renewed { taken, data }
    }

    /// The answer with all tokens.
    fn whole(self, view: &View, file: FileId) -> lsp::SemanticTokens {
        let data = self.data.clone();
        lsp::SemanticTokens { result_id: self.keep(view, file), data }
    }

    /// Keeps the tokens for an open document; returns their ID. Those of documents that are not open would never be
    /// dropped.
    fn keep(self, view: &View, file: FileId) -> Option<String> {
        view.snapshot.version(file).is_some().then(|| self.taken.keep(self.data))
    }
}

/// Tokens as the protocol counts them: each from the previous one, in the client's units. They are in a part of the
/// text.
fn in_units(text: &Text, part: &Range<usize>, encoding: Encoding, tokens: &[SemanticToken]) -> Vec<lsp::SemanticToken> {
    let wide = match encoding {
        Encoding::Utf8 => Vec::new(),
        Encoding::Utf16 | Encoding::Utf32 => text.wide_lines(part.clone()),
    };
    let mut wide = wide.into_iter().peekable();
    let mut last = (0, 0);
    let mut data = Vec::with_capacity(tokens.len());
    for token in tokens {
        while wide.next_if(|line| *line < token.line as usize).is_some() {}
        let (column, length) = if wide.peek() == Some(&(token.line as usize)) {
            let start = text.line_range(token.line as usize).start + token.column as usize;
            let column = |offset: usize| text.position(offset, encoding).column;
            let (column, end) = (column(start), column(start + token.length as usize));
            (column, end.saturating_sub(column))
        } else {
            (token.column, token.length)
        };
        let delta_line = token.line.saturating_sub(last.0);
        let from = if delta_line == 0 { last.1 } else { 0 };
        data.push(lsp::SemanticToken {
            delta_line,
            delta_start: column.saturating_sub(from),
            length,
            token_type: SemanticKind::ALL.iter().position(|(kind, _)| *kind == token.kind).unwrap_or(0) as u32,
            token_modifiers_bitset: token.modifiers.0,
        });
        last = (token.line, column);
    }
    data
}

/// Numbers for each token.
const NUMBERS: usize = 5;

/// The edit that turns the old tokens into the new ones: equal tokens at both ends stay.
fn difference(old: &[lsp::SemanticToken], new: &[lsp::SemanticToken]) -> Vec<lsp::SemanticTokensEdit> {
    let before = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (old.get(before..).unwrap_or_default(), new.get(before..).unwrap_or_default());
    let after = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let deleted = old_rest.len() - after;
    let added = new_rest.get(..new_rest.len() - after).unwrap_or_default();
    if deleted == 0 && added.is_empty() {
        return Vec::new();
    }
    let number = |tokens: usize| u32::try_from(tokens * NUMBERS).unwrap_or(u32::MAX);
    let numbers = |token: &lsp::SemanticToken| {
        [token.delta_line, token.delta_start, token.length, token.token_type, token.token_modifiers_bitset]
    };
    let data = added.iter().flat_map(numbers).collect();
    vec![lsp::SemanticTokensEdit::new(number(before), number(deleted), Some(data))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lengths: &[u32]) -> Vec<lsp::SemanticToken> {
        let token = |length: &u32| lsp::SemanticToken {
            delta_line: 1,
            delta_start: 0,
            length: *length,
            token_type: 0,
            token_modifiers_bitset: 0,
        };
        lengths.iter().map(token).collect()
    }

    fn numbers(tokens: &[lsp::SemanticToken]) -> Vec<u32> {
        let numbers = |token: &lsp::SemanticToken| [token.delta_line, token.delta_start, token.length, 0, 0];
        tokens.iter().flat_map(numbers).collect()
    }

    /// An edit applied to the old tokens gives the new ones, whatever they are.
    #[test]
    fn a_difference_makes_the_new_of_the_old() {
        let lists: Vec<Vec<u32>> =
            (0..4_u32.pow(4)).map(|n| (0..n % 5).map(|digit| n >> (2 * digit) & 1).collect()).collect();
        for old in &lists {
            for new in lists.iter().step_by(7) {
                let (old, new) = (tokens(old), tokens(new));
                let mut made = numbers(&old);
                for edit in difference(&old, &new) {
                    let start = edit.start as usize;
                    made.splice(start..start + edit.delete_count as usize, edit.data.unwrap_or_default());
                }
                assert_eq!(made, numbers(&new));
            }
        }
        assert!(difference(&tokens(&[1, 2]), &tokens(&[1, 2])).is_empty());
    }
}
