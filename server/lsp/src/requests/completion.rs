//! `textDocument/completion`

use lofting_document::FileId;
use lofting_ide::{CompletionItem, CompletionOptions, ItemKind, escape_snippet};
use lofting_text::Text;
use tower_lsp_server::gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::capabilities::Indentation;
use crate::to_proto;
use crate::view::View;

/// What can be inserted at the cursor.
pub(crate) struct Completion;

impl Request for Completion {
    type Protocol = lsp::CompletionRequest;

    type Lane = Waiting;

    // Who types on while the list is made still wants it: clients narrow it down by what was typed since, and those to
    // whom it is of no use any more cancel.
    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let (file, offset) = view.any_place(&params.text_document_position_params)?;
        let profile = &view.profile;
        let kind = params.context.map_or(lsp::CompletionTriggerKind::Invoked, |context| context.trigger_kind);
        // VS Code says "invoked" too when it asks by itself for each letter.
        let unasked = kind != lsp::CompletionTriggerKind::Invoked || view.typed_to == Some(offset);
        let options = CompletionOptions {
            snippets: profile.snippets,
            markup: View::markup(profile.completion_markdown),
            unasked,
            ahead: view.ahead,
        };
        let text = view.text(file);
        let indentation = indentation(&text, offset);
        let items = lofting_ide::completion(&view.snapshot, file, offset, &options);
        // What is typed out in full has to leave the list: with it, Enter would be taken for its acceptance.
        let is_incomplete = unasked && items.iter().any(CompletionItem::can_be_typed_out);
        let items = items.into_iter().filter_map(|found| item(view, file, &indentation, found)).collect();
        Some(lsp::CompletionResponse::CompletionList(lsp::CompletionList {
            is_incomplete,
            items,
            ..Default::default()
        }))
    }
}

/// An item as the protocol has it; `None` where the client would spoil its lines.
fn item(view: &View, file: FileId, indentation: &str, mut found: CompletionItem) -> Option<lsp::CompletionItem> {
    let profile = &view.profile;
    // Neovim 0.11 cuts plain text at its first white space and line break, but inserts snippets whole.
    let lines_as_snippet = profile.snippets && profile.indentation == Indentation::Unsaid;
    let has_lines = found.edit.1.contains('\n');
    let as_snippet =
        profile.snippets && !found.is_snippet && found.edit.1.contains([' ', '\n']) && (!has_lines || lines_as_snippet);
    let adjusted = match profile.indentation {
        Indentation::Adjusted => true,
        Indentation::Unsaid => found.is_snippet || as_snippet,
        Indentation::AsTold => false,
    };
    // Such clients add the line's indentation to further lines as it is now, not as it will be once it is mended, and tabs
    // may not be part of it at all.
    let first_line =
        if indentation.contains('\t') || !found.additional_edits.is_empty() { found.edit.1.find('\n') } else { None };
    if let Some(end) = first_line.filter(|_| adjusted) {
        if found.kind == ItemKind::Snippet {
            return None;
        }
        found.edit.1.truncate(end);
    }
    let new_text = if adjusted { found.text_relative_to(indentation) } else { found.edit.1.clone() };
    let new_text = if as_snippet { escape_snippet(&new_text) } else { new_text };
    let as_told = profile.indentation == Indentation::AsTold && new_text.contains('\n');
    let edit = |(range, new_text)| lsp::TextEdit { range: view.range(file, range), new_text };
    let additional: Vec<_> = found.additional_edits.into_iter().map(edit).collect();
    let documentation =
        found.documentation.map(|text| to_proto::markup::documentation(text, profile.completion_markdown));
    Some(lsp::CompletionItem {
        label: to_proto::plain::line(&found.label),
        kind: Some(kind(found.kind)),
        tags: (found.deprecated && profile.completion_deprecated_tag).then(|| vec![lsp::CompletionItemTag::Deprecated]),
        detail: found.detail.as_deref().map(to_proto::plain::line),
        documentation,
        sort_text: Some(found.sort_text),
        filter_text: Some(found.filter_text),
        insert_text_format: (found.is_snippet || as_snippet).then_some(lsp::InsertTextFormat::Snippet),
        insert_text_mode: as_told.then_some(lsp::InsertTextMode::AsIs),
        text_edit: Some(lsp::CompletionItemTextEdit::TextEdit(edit((found.edit.0, new_text)))),
        additional_text_edits: (!additional.is_empty()).then_some(additional),
        ..Default::default()
    })
}

/// The white space at the start of the cursor's line.
fn indentation(text: &Text, offset: usize) -> String {
    let line = text.line_range(text.line_of(offset));
    text.slice(line).chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
}

fn kind(kind: ItemKind) -> lsp::CompletionItemKind {
    match kind {
        ItemKind::Key => lsp::CompletionItemKind::Property,
        ItemKind::Value => lsp::CompletionItemKind::Value,
        ItemKind::EnumMember => lsp::CompletionItemKind::EnumMember,
        ItemKind::Constant => lsp::CompletionItemKind::Constant,
        ItemKind::Item => lsp::CompletionItemKind::Struct,
        ItemKind::Snippet => lsp::CompletionItemKind::Snippet,
        ItemKind::Alias => lsp::CompletionItemKind::Reference,
        ItemKind::Annotation => lsp::CompletionItemKind::Function,
        ItemKind::Keyword => lsp::CompletionItemKind::Keyword,
        ItemKind::Function => lsp::CompletionItemKind::Function,
        ItemKind::Variable => lsp::CompletionItemKind::Variable,
        ItemKind::Module => lsp::CompletionItemKind::Module,
        ItemKind::File => lsp::CompletionItemKind::File,
        ItemKind::Type => lsp::CompletionItemKind::Class,
    }
}
