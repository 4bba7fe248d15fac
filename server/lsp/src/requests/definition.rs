//! `textDocument/definition`

use tower_lsp_server::gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;

/// Where the thing under the cursor is declared.
pub(crate) struct Definition;

impl Request for Definition {
    type Protocol = lsp::DefinitionRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.place(&params.text_document_position_params)?;
        let found = lofting_ide::goto_definition(&view.snapshot, file, offset);
        if found.is_empty() {
            return None;
        }
        if view.profile.definition_links {
            let link = |found: lofting_ide::Definition| {
                let (target, selection) = (view.location(found.target), view.location(found.target_selection));
                lsp::LocationLink {
                    origin_selection_range: Some(view.range(file, found.origin)),
                    target_uri: target.uri,
                    target_range: target.range,
                    target_selection_range: selection.range,
                }
            };
            return Some(lsp::DefinitionResponse::DefinitionLinkList(found.into_iter().map(link).collect()));
        }
        let locations = found.into_iter().map(|found| view.location(found.target_selection)).collect();
        Some(lsp::DefinitionResponse::Definition(lsp::Definition::LocationList(locations)))
    }
}
