//! `textDocument/inlayHint`

use gen_lsp_types as lsp;
use lofting_ide::{HintPart, HintRole};

use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::positions;
use crate::view::View;
use lofting_ide::plain;

/// What holds although it is not written in a part of a document.
pub(crate) struct InlayHint;

impl Request for InlayHint {
    type Protocol = lsp::InlayHintRequest;

    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.with_structure(&params.text_document.uri)?;
        let text = view.text(file);
        let range = positions::bytes(&text, params.range, view.client.profile.encoding);
        let found = lofting_ide::inlay_hints(&view.snapshot, file, range, &view.client.editor.hints);
        let hint = |hint: lofting_ide::InlayHint| lsp::InlayHint {
            position: positions::position(&text, hint.offset, view.client.profile.encoding),
            label: label(view, hint.parts),
            kind: match hint.role {
                HintRole::Type => Some(lsp::InlayHintKind::Type),
                HintRole::Parameter => Some(lsp::InlayHintKind::Parameter),
                HintRole::Value => None,
            },
            text_edits: None,
            tooltip: None,
            padding_left: (hint.role != HintRole::Parameter).then_some(true),
            padding_right: (hint.role == HintRole::Parameter).then_some(true),
            data: None,
        };
        Some(found.into_iter().map(hint).collect())
    }
}

/// One text, where nothing in it leads elsewhere.
fn label(view: &View, parts: Vec<HintPart>) -> lsp::Label {
    if parts.iter().all(|part| part.target.is_none()) {
        return lsp::Label::String(parts.iter().map(|part| plain::line(&part.text)).collect());
    }
    let part = |part: HintPart| lsp::InlayHintLabelPart {
        value: plain::line(&part.text),
        location: part.target.map(|target| view.location(target)),
        ..Default::default()
    };
    lsp::Label::InlayHintLabelPartList(parts.into_iter().map(part).collect())
}
