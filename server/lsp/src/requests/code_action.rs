//! `textDocument/codeAction`

use std::collections::HashMap;

use tower_lsp_server::gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::view::View;
use crate::{from_proto, to_proto};

/// Changes that mend findings at a range.
pub(crate) struct CodeAction;

impl Request for CodeAction {
    type Protocol = lsp::CodeActionRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> &lsp::Uri {
        &params.text_document.uri
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let only = params.context.only.as_deref().unwrap_or_default();
        if !only.is_empty()
            && !only.contains(&lsp::CodeActionKind::QuickFix)
            && !only.contains(&lsp::CodeActionKind::Empty)
        {
            return None;
        }
        let file = view.file(&params.text_document.uri)?;
        let range = from_proto::range(&view.text(file), params.range, view.profile.encoding);
        let found = lofting_ide::code_actions(&view.snapshot, file, range, cancel.work());
        Some(found.into_iter().map(|found| action(view, found).into()).collect())
    }
}

fn action(view: &View, found: lofting_ide::CodeAction) -> lsp::CodeAction {
    let mut changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> = HashMap::new();
    for (span, new_text) in found.fix.edits {
        let location = view.location(span);
        changes.entry(location.uri).or_default().push(lsp::TextEdit { range: location.range, new_text });
    }
    lsp::CodeAction {
        title: to_proto::plain::line(&found.fix.title),
        kind: Some(lsp::CodeActionKind::QuickFix),
        diagnostics: Some(vec![to_proto::diagnostic::diagnostic(view, &found.diagnostic)]),
        is_preferred: found.preferred.then_some(true),
        edit: Some(lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() }),
        ..Default::default()
    }
}
