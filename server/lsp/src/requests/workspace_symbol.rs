//! `workspace/symbol`

use gen_lsp_types as lsp;
use lofting_ide::{NamedSymbol, NamedSymbolKind};

use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::view::View;
use lofting_ide::plain;

/// Names in the whole workspace.
pub(crate) struct WorkspaceSymbol;

impl Request for WorkspaceSymbol {
    type Protocol = lsp::WorkspaceSymbolRequest;

    type Lane = Background;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(_: &Params<Self>) -> lsp::Uri {
        // It concerns no document.
        lsp::Uri(String::new())
    }

    #[allow(deprecated, reason = "a field of the protocol that has to be named to be left out")]
    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let found = lofting_ide::workspace_symbols(&view.snapshot, &params.query, cancel.work());
        let symbol = |symbol: NamedSymbol| lsp::SymbolInformation {
            deprecated: None,
            location: view.location(symbol.span),
            base_symbol_information: lsp::BaseSymbolInformation {
                name: plain::line(&symbol.name),
                kind: kind(&symbol.kind),
                tags: None,
                container_name: Some(container(view, &symbol)),
            },
        };
        // The form that every client supports.
        Some(lsp::WorkspaceSymbolResponse::SymbolInformationList(found.into_iter().map(symbol).collect()))
    }
}

/// What is shown beside the name.
fn container(view: &View, symbol: &NamedSymbol) -> String {
    let path = view.snapshot.shown_path(symbol.span.file);
    plain::line(&match &symbol.kind {
        NamedSymbolKind::Document(kind) => format!("{kind} in {path}"),
        _ => path,
    })
}

fn kind(kind: &NamedSymbolKind) -> lsp::SymbolKind {
    match kind {
        NamedSymbolKind::SchemaKey => lsp::SymbolKind::Property,
        NamedSymbolKind::Function => lsp::SymbolKind::Function,
        NamedSymbolKind::InputSet => lsp::SymbolKind::Package,
        NamedSymbolKind::Document(_) => lsp::SymbolKind::Class,
    }
}
