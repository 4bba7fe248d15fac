//! `codeAction/resolve`

use crate::jsonrpc;
use gen_lsp_types as lsp;
use lofting_ide::ActionName;

use super::code_action::ActionData;
use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto::workspace_edit;
use crate::view::View;

/// The change of an action that was offered without it.
pub(crate) struct CodeActionResolve;

impl Request for CodeActionResolve {
    type Protocol = lsp::CodeActionResolveRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        data(params).map_or_else(|| lsp::Uri(String::new()), |data| data.uri)
    }

    fn answer(_: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        params
    }

    fn answer_or_refuse(view: &View, params: Params<Self>, cancel: &CancelFlag) -> jsonrpc::Result<Answer<Self>> {
        // It has its change already, or is not from this server.
        let Some(data) = data(&params) else { return Ok(params) };
        let Some(file) = view.file(&data.uri) else { return Err(Self::stale()) };
        if view.snapshot.version(file) != data.version {
            return Err(Self::stale());
        }
        let name = ActionName { source: data.source, title: data.title };
        let (start, end) = data.range;
        let range = start..end.max(start);
        let abilities = view.client.profile.abilities();
        let change = lofting_ide::change_of(&view.snapshot, file, range, &name, abilities, cancel.work());
        let failed = |reason: String| jsonrpc::Error::new(jsonrpc::ErrorCode::REQUEST_FAILED, reason);
        // The document is the one for which it was offered, but another file that it depends on may have changed.
        let change = change.ok_or_else(|| failed("there is nothing to change here any more".to_owned()))?;
        if let Some(reason) = change.refused {
            return Err(failed(reason));
        }
        Ok(lsp::CodeAction { edit: Some(workspace_edit::of_change(view, change)), ..params })
    }
}

fn data(action: &lsp::CodeAction) -> Option<ActionData> {
    serde_json::from_value(action.data.clone()?).ok()
}
