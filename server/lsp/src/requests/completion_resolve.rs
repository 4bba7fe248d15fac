//! `completionItem/resolve`

use gen_lsp_types as lsp;
use lofting_ide::CompletionOptions;

use super::completion::ListData;
use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto::completion::{documentation, kind};
use crate::view::View;

/// The documentation of an item that the user looks at.
pub(crate) struct CompletionResolve;

impl Request for CompletionResolve {
    type Protocol = lsp::CompletionResolveRequest;

    type Lane = Waiting;

    // The list stays open while its word is typed.
    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        data(params).map_or_else(|| lsp::Uri(String::new()), |data| data.uri)
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        // Lists are not stored, so it is computed again. An item that no longer exists is returned unchanged.
        let Some(data) = data(&params) else { return params };
        let Some(file) = view.file(&data.uri) else { return params };
        let snippets = view.client.profile.completion.snippets;
        let options = CompletionOptions { snippets, unasked: false };
        let items = lofting_ide::completion(&view.snapshot, file, data.offset, &options);
        let found = items
            .into_iter()
            .find(|item| Some(kind(item.kind)) == params.kind && lofting_ide::plain::line(&item.label) == params.label);
        let Some(found) = found else { return params };
        lsp::CompletionItem {
            detail: params.detail.or_else(|| found.detail.as_deref().map(lofting_ide::plain::line)),
            documentation: params.documentation.or_else(|| documentation(view, &found)),
            ..params
        }
    }
}

fn data(item: &lsp::CompletionItem) -> Option<ListData> {
    serde_json::from_value(item.data.clone()?).ok()
}
