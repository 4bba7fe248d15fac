//! `textDocument/codeAction`

use gen_lsp_types as lsp;
use lofting_ide::{ActionName, ActionsAsked, Changes};
use serde::{Deserialize, Serialize};

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto::workspace_edit;
use crate::view::View;
use crate::{positions, to_proto};

/// The actions for a range: fixes of findings, and refactorings.
pub(crate) struct CodeAction;

/// Identifies an action when the client requests its change.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActionData {
    /// The document.
    pub(super) uri: lsp::Uri,
    /// Its version, for which the action was offered.
    pub(super) version: Option<i32>,
    /// The requested range, in bytes.
    pub(super) range: (usize, usize),
    /// The rule, fix or refactoring that offers it.
    pub(super) source: String,
    /// Its title.
    pub(super) title: String,
}

impl Request for CodeAction {
    type Protocol = lsp::CodeActionRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri)?;
        let range = positions::bytes(&view.text(file), params.range, view.client.profile.encoding);
        let kinds: Vec<&str> = params.context.only.iter().flatten().map(|kind| kind.as_str()).collect();
        let changes = if view.client.profile.resolves_code_actions { Changes::None } else { Changes::All };
        let unasked = params.context.trigger_kind == Some(lsp::CodeActionTriggerKind::Automatic);
        let asked = ActionsAsked { kinds: &kinds, abilities: view.client.profile.abilities(), changes, unasked };
        let found = lofting_ide::code_actions(&view.snapshot, file, range.clone(), &asked, cancel.work());
        let data = |name: &ActionName| ActionData {
            uri: params.text_document.uri.clone(),
            version: view.snapshot.version(file),
            range: (range.start, range.end),
            source: name.source.clone(),
            title: name.title.clone(),
        };
        Some(found.into_iter().map(|found| action(view, found, &data).into()).collect())
    }
}

fn action(view: &View, found: lofting_ide::CodeAction, data: &dyn Fn(&ActionName) -> ActionData) -> lsp::CodeAction {
    let finding = found.finding.as_ref();
    let is_open = found.change.is_none();
    lsp::CodeAction {
        title: lofting_ide::plain::line(&found.name.title),
        kind: Some(found.kind.as_str().into()),
        diagnostics: finding.map(|finding| vec![to_proto::diagnostic::diagnostic(view, finding)]),
        is_preferred: (found.preferred && view.client.profile.preferred_code_actions).then_some(true),
        data: is_open.then(|| serde_json::to_value(data(&found.name)).ok()).flatten(),
        edit: found.change.map(|change| workspace_edit::of_change(view, change)),
        ..Default::default()
    }
}
