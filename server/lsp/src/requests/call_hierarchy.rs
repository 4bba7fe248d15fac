//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`

use gen_lsp_types as lsp;
use lofting_document::FileId;
use lofting_ide::{Caller, Calls};

use super::{Answer, Background, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::positions;
use crate::view::View;
use lofting_ide::plain;

/// The function under the cursor.
pub(crate) struct PrepareCallHierarchy;

impl Request for PrepareCallHierarchy {
    type Protocol = lsp::CallHierarchyPrepareRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.place(&params.text_document_position_params)?;
        let function = lofting_ide::prepare_call_hierarchy(&view.snapshot, file, offset)?;
        Some(vec![item(view, function)])
    }
}

/// Who calls a function.
pub(crate) struct IncomingCalls;

impl Request for IncomingCalls {
    type Protocol = lsp::CallHierarchyIncomingCallsRequest;

    type Lane = Background;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.item.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = place(view, &params.item)?;
        let call = |calls: Calls| {
            let there = calls.function.selection.file;
            lsp::CallHierarchyIncomingCall {
                from_ranges: ranges(view, there, &calls),
                from: item(view, calls.function),
            }
        };
        Some(lofting_ide::incoming_calls(&view.snapshot, file, offset).into_iter().map(call).collect())
    }
}

/// Whom a function calls.
pub(crate) struct OutgoingCalls;

impl Request for OutgoingCalls {
    type Protocol = lsp::CallHierarchyOutgoingCallsRequest;

    type Lane = Background;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.item.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = place(view, &params.item)?;
        let call = |calls: Calls| lsp::CallHierarchyOutgoingCall {
            from_ranges: ranges(view, file, &calls),
            to: item(view, calls.function),
        };
        Some(lofting_ide::outgoing_calls(&view.snapshot, file, offset).into_iter().map(call).collect())
    }
}

/// The range of the name of an item that the client hands back.
fn place(view: &View, item: &lsp::CallHierarchyItem) -> Option<(FileId, usize)> {
    let file = view.file(&item.uri)?;
    Some((file, positions::offset(&view.text(file), item.selection_range.start, view.client.profile.encoding)))
}

fn ranges(view: &View, file: FileId, calls: &Calls) -> Vec<lsp::Range> {
    calls.places.iter().map(|place| view.range(file, place.clone())).collect()
}

fn item(view: &View, function: Caller) -> lsp::CallHierarchyItem {
    let (whole, selection) = (view.location(function.whole), view.location(function.selection));
    let path = view.snapshot.shown_path(function.selection.file);
    let is_function = function.signature.is_some();
    lsp::CallHierarchyItem {
        name: plain::line(&function.name),
        kind: if is_function { lsp::SymbolKind::Function } else { lsp::SymbolKind::File },
        tags: None,
        detail: Some(plain::line(
            &function.signature.map_or_else(|| path.clone(), |words| format!("{words} in {path}")),
        )),
        uri: whole.uri,
        range: whole.range,
        selection_range: selection.range,
        data: None,
    }
}
