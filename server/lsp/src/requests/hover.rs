//! `textDocument/hover`

use std::sync::Arc;

use gen_lsp_types as lsp;
use lofting_document::FileId;
use lofting_workspace::Snapshot;

use super::{Answer, Params, Request, Waiting};
use crate::awaited::{Awaited, Lacked};
use crate::cancel::CancelFlag;
use crate::to_proto;
use crate::view::View;

/// What is known about the thing under the pointer.
pub(crate) struct Hover;

impl Request for Hover {
    type Protocol = lsp::HoverRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let markdown = view.client.profile.hover_markdown;
        let (file, offset) = view.any_place(&params.text_document_position_params)?;
        // Without its first results, hardly anything is known where code writes the descriptions.
        let with_code = view.snapshot.lacks_first_results(file).then(|| after_code(view, file, cancel)).flatten();
        let view = with_code.as_ref().unwrap_or(view);
        let hover = lofting_ide::hover(&view.snapshot, file, offset, View::markup(markdown))?;
        Some(lsp::Hover {
            contents: lsp::Contents::MarkupContent(to_proto::markup::content(hover.text, markdown)),
            range: Some(view.range(file, hover.range)),
        })
    }
}

/// The view in which the code has run that a file depends on, if it does so soon.
fn after_code(view: &View, file: FileId, cancel: &CancelFlag) -> Option<View> {
    let awaited = Arc::new(Awaited::<Snapshot>::first());
    view.client.completions.complete(file, Lacked::State(awaited.clone()));
    let snapshot = awaited.wait(cancel)?;
    Some(View { snapshot, ..view.clone() })
}
