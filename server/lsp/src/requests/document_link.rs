//! `textDocument/documentLink`

use gen_lsp_types as lsp;
use lofting_ide::LinkTarget;

use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::view::View;

/// Names in a text that lead elsewhere.
pub(crate) struct DocumentLink;

impl Request for DocumentLink {
    type Protocol = lsp::DocumentLinkRequest;

    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri)?;
        let link = |link: lofting_ide::Link| {
            let target = match link.target {
                LinkTarget::File(target) => view.uri(target),
                LinkTarget::Web(url) => lsp::Uri(url),
            };
            let range = view.range(file, link.range);
            Some(lsp::DocumentLink { range, target: Some(target), ..Default::default() })
        };
        Some(lofting_ide::document_links(&view.snapshot, file).into_iter().filter_map(link).collect())
    }
}
