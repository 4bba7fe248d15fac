//! `textDocument/completion`

use gen_lsp_types as lsp;
use lofting_ide::CompletionOptions;
use serde::{Deserialize, Serialize};

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto::completion::Asked;
use crate::view::View;

/// What can be inserted at the cursor.
pub(crate) struct Completion;

/// Identifies a list when the client requests details of one of its items.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ListData {
    /// The document.
    pub(super) uri: lsp::Uri,
    /// The place in bytes. What was typed since belongs to the same word, or the list would have closed.
    pub(super) offset: usize,
}

impl Request for Completion {
    type Protocol = lsp::CompletionRequest;

    type Lane = Waiting;

    // A list is still wanted if the user types on while it is computed: clients filter it by what was typed since, and
    // cancel it if it is useless.
    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.any_place(&params.text_document_position_params)?;
        let kind = params.context.map_or(lsp::CompletionTriggerKind::Invoked, |context| context.trigger_kind);
        // VS Code says "invoked" even when it requests the list by itself for each letter. The first request after a
        // letter is therefore taken for the editor's own.
        let unasked = kind != lsp::CompletionTriggerKind::Invoked || view.typed_to == Some(offset);
        let options = CompletionOptions { snippets: view.client.profile.completion.snippets, unasked };
        let mut items = lofting_ide::completion(&view.snapshot, file, offset, &options);
        // In a list that was requested, editors let Enter accept an item even if that changes nothing. So such a list is
        // requested again while the word is typed, and ends with it. Others are complete: clients narrow them down, so
        // that what they show is never older than the text.
        let again = kind == lsp::CompletionTriggerKind::TriggerForIncompleteCompletions;
        let text = view.text(file);
        if again && items.iter().any(|item| text.slice(item.edit.0.start.min(offset)..offset) == item.edit.1) {
            items.clear();
        }
        let is_incomplete = again || !unasked;
        let data = ListData { uri: params.text_document_position_params.text_document.uri, offset };
        let data = serde_json::to_value(data).unwrap_or_default();
        Some(lsp::CompletionResponse::CompletionList(Asked::new(view, file, offset).list(items, is_incomplete, data)))
    }
}
