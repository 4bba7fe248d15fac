//! `textDocument/documentSymbol`

use gen_lsp_types as lsp;
use lofting_document::FileId;
use lofting_ide::{Symbol, SymbolKind};

use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::view::View;
use lofting_ide::plain;

/// The outline of a document.
pub(crate) struct DocumentSymbol;

impl Request for DocumentSymbol {
    type Protocol = lsp::DocumentSymbolRequest;

    // Requested after every edit, but users do not look at it while typing.
    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.with_structure(&params.text_document.uri)?;
        let outline = lofting_ide::document_symbols(&view.snapshot, file);
        Some(if view.client.profile.hierarchical_symbols {
            lsp::DocumentSymbolResponse::DocumentSymbolList(nested(view, file, outline))
        } else {
            let mut list = Vec::new();
            flatten(view, file, outline, None, &mut list);
            lsp::DocumentSymbolResponse::SymbolInformationList(list)
        })
    }
}

/// The depth of the outline is bounded, and so is this recursion.
#[allow(deprecated, reason = "a field of the protocol that has to be named to be left out")]
fn nested(view: &View, file: FileId, outline: Vec<Symbol>) -> Vec<lsp::DocumentSymbol> {
    let symbol = |symbol: Symbol| lsp::DocumentSymbol {
        name: name(&symbol.name),
        detail: symbol.detail.as_deref().map(plain::line),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: view.range(file, symbol.range),
        selection_range: view.range(file, symbol.selection_range),
        children: (!symbol.children.is_empty()).then(|| nested(view, file, symbol.children)),
    };
    outline.into_iter().map(symbol).collect()
}

#[allow(deprecated, reason = "a field of the protocol that has to be named to be left out")]
fn flatten(
    view: &View,
    file: FileId,
    outline: Vec<Symbol>,
    container: Option<&str>,
    list: &mut Vec<lsp::SymbolInformation>,
) {
    for symbol in outline {
        let base_symbol_information = lsp::BaseSymbolInformation {
            name: name(&symbol.name),
            kind: kind(symbol.kind),
            tags: None,
            container_name: container.map(plain::line),
        };
        let location = view.location(lofting_document::Span::new(file, symbol.range));
        list.push(lsp::SymbolInformation { deprecated: None, location, base_symbol_information });
        flatten(view, file, symbol.children, Some(&symbol.name), list);
    }
}

/// Clients refuse a whole outline in which one name is empty or blank.
fn name(name: &str) -> String {
    if name.trim().is_empty() { "(empty)".to_owned() } else { plain::line(name) }
}

fn kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Document => lsp::SymbolKind::File,
        SymbolKind::Map => lsp::SymbolKind::Module,
        SymbolKind::Array => lsp::SymbolKind::Array,
        SymbolKind::String => lsp::SymbolKind::String,
        SymbolKind::Number => lsp::SymbolKind::Number,
        SymbolKind::Boolean => lsp::SymbolKind::Boolean,
        SymbolKind::Null => lsp::SymbolKind::Null,
        SymbolKind::Alias => lsp::SymbolKind::Key,
    }
}
