//! `textDocument/definition`

use gen_lsp_types as lsp;
use lofting_document::FileId;

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
        let mut found = lofting_ide::goto_definition(&view.snapshot, file, offset);
        let is_shown = |file: FileId| view.client.profile.built_in_documents || view.snapshot.is_file(file);
        found.retain(|found| is_shown(found.target.file));
        Some(match places(view, file, found, view.client.profile.definition_links)? {
            Places::Links(links) => lsp::DefinitionResponse::DefinitionLinkList(links),
            Places::Locations(places) => lsp::DefinitionResponse::Definition(lsp::Definition::LocationList(places)),
        })
    }
}

/// Definitions in the form that the client announced.
pub(super) enum Places {
    /// With the range that was asked about.
    Links(Vec<lsp::LocationLink>),
    /// Only where they are.
    Locations(Vec<lsp::Location>),
}

/// Definitions of what is in a file; empty if there are none.
pub(super) fn places(view: &View, file: FileId, found: Vec<lofting_ide::Definition>, as_links: bool) -> Option<Places> {
    if found.is_empty() {
        return None;
    }
    if !as_links {
        return Some(Places::Locations(found.into_iter().map(|found| view.location(found.target_selection)).collect()));
    }
    let link = |found: lofting_ide::Definition| {
        let (target, selection) = (view.location(found.target), view.location(found.target_selection));
        lsp::LocationLink {
            origin_selection_range: Some(view.range(file, found.origin)),
            target_uri: target.uri,
            target_range: target.range,
            target_selection_range: selection.range,
        }
    };
    Some(Places::Links(found.into_iter().map(link).collect()))
}
