//! `textDocument/typeDefinition`

use gen_lsp_types as lsp;

use super::definition::{Places, places};
use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;

/// Where the type of the thing under the cursor is defined.
pub(crate) struct TypeDefinition;

impl Request for TypeDefinition {
    type Protocol = lsp::TypeDefinitionRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.place(&params.text_document_position_params)?;
        let found = lofting_ide::type_definition(&view.snapshot, file, offset);
        Some(match places(view, file, found, view.client.profile.type_definition_links)? {
            Places::Links(links) => lsp::TypeDefinitionResponse::DefinitionLinkList(links),
            Places::Locations(places) => lsp::TypeDefinitionResponse::Definition(lsp::Definition::LocationList(places)),
        })
    }
}
