//! Completion lists. Values that most items share are sent once for the list, if the client supports that.

use gen_lsp_types as lsp;
use lofting_document::FileId;
use lofting_ide::{CompletionItem, ItemKind, escape_snippet};
use lofting_text::Text;
use serde_json::Value;
use std::ops::Range;

use crate::capabilities::{CompletionProfile, Indentation, SUGGEST};
use crate::to_proto;
use crate::view::View;

/// The context of a request for a list.
pub(crate) struct Asked<'v> {
    view: &'v View,
    file: FileId,
    /// In bytes.
    offset: usize,
    text: Text,
    /// The white space at the start of the cursor's line.
    indentation: String,
}

/// An item, and the values that a list can set for all items.
struct Made {
    item: lsp::CompletionItem,
    text: String,
    range: lsp::EditRange,
    format: lsp::InsertTextFormat,
    mode: Option<lsp::InsertTextMode>,
}

impl<'v> Asked<'v> {
    pub(crate) fn new(view: &'v View, file: FileId, offset: usize) -> Self {
        let text = view.text(file);
        let line = text.line_range(text.line_of(offset));
        let indentation = text.slice(line).chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        Self { view, file, offset, text, indentation }
    }

    /// The list in the form that the client supports. `data` is returned by clients that request details of an item.
    pub(crate) fn list(&self, items: Vec<CompletionItem>, is_incomplete: bool, data: Value) -> lsp::CompletionList {
        let profile = self.profile();
        // All items of a list replace the same few words.
        let mut ranges: Vec<(Range<usize>, lsp::EditRange)> = Vec::new();
        let mut range = |bytes: &Range<usize>| match ranges.iter().find(|(known, _)| known == bytes) {
            Some((_, range)) => *range,
            None => {
                let range = self.range(bytes.clone());
                ranges.push((bytes.clone(), range));
                range
            }
        };
        let made: Vec<Made> = items.into_iter().filter_map(|item| self.made(item, &mut range)).collect();
        let data = profile.resolves_documentation.then_some(data);
        let snippets = made.iter().filter(|made| made.format == lsp::InsertTextFormat::Snippet).count();
        let defaults = lsp::CompletionItemDefaults {
            edit_range: made.first().filter(|_| profile.defaults.edit_range).map(|made| made.range),
            insert_text_format: (profile.defaults.insert_text_format && snippets * 2 > made.len())
                .then_some(lsp::InsertTextFormat::Snippet),
            insert_text_mode: made.iter().find_map(|made| made.mode).filter(|_| profile.defaults.insert_text_mode),
            data: data.clone().filter(|_| profile.defaults.data),
            ..Default::default()
        };
        let items = made.into_iter().map(|made| made.beside(&defaults, data.as_ref())).collect();
        let is_said = defaults != lsp::CompletionItemDefaults::default();
        lsp::CompletionList { is_incomplete, item_defaults: is_said.then_some(defaults), items, ..Default::default() }
    }

    fn profile(&self) -> &'v CompletionProfile {
        &self.view.client.profile.completion
    }

    /// What an item replaces: with the text to the right of the cursor, and without.
    fn range(&self, bytes: Range<usize>) -> lsp::EditRange {
        let whole = self.view.range(self.file, bytes.clone());
        // A quote that closes what the item replaces is never left.
        let right = self.text.slice(self.offset.min(bytes.end)..bytes.end);
        let is_split = bytes.start <= self.offset && !right.trim().is_empty() && !right.ends_with(['"', '\'']);
        if !self.profile().insert_replace || !is_split {
            return lsp::EditRange::Range(whole);
        }
        let insert = self.view.range(self.file, bytes.start..self.offset);
        lsp::EditRange::EditRangeWithInsertReplace(lsp::EditRangeWithInsertReplace { insert, replace: whole })
    }

    /// An item in the protocol's form; `None` if the client would spoil its lines.
    fn made(&self, mut found: CompletionItem, range: &mut dyn FnMut(&Range<usize>) -> lsp::EditRange) -> Option<Made> {
        let profile = self.profile();
        // Neovim 0.11 cuts plain text at its first white space or line break, but inserts snippets completely.
        let lines_as_snippet = profile.snippets && profile.indentation == Indentation::Unsaid;
        let has_lines = found.edit.1.contains('\n');
        let as_snippet = profile.snippets
            && !found.is_snippet
            && found.edit.1.contains([' ', '\n'])
            && (!has_lines || lines_as_snippet);
        let adjusted = match profile.indentation {
            Indentation::Adjusted => true,
            Indentation::Unsaid => found.is_snippet || as_snippet,
            Indentation::AsTold => false,
        };
        // Such clients copy the line's indentation to further lines before it is corrected, possibly with tabs.
        let indented_to = self.text.line_range(self.text.line_of(self.offset)).start + self.indentation.len();
        let moves_line = found.additional_edits.iter().any(|(range, _)| range.start <= indented_to);
        let is_doubtful = self.indentation.contains('\t') || moves_line;
        let first_line = found.edit.1.find('\n').filter(|_| adjusted && is_doubtful);
        if let Some(end) = first_line {
            // Without its first line nothing would be left.
            if found.kind == ItemKind::Snippet || found.edit.1[..end].trim().is_empty() {
                return None;
            }
            found.edit.1.truncate(end);
            found.triggers_suggest = false;
        }
        let text = if adjusted { found.text_relative_to(&self.indentation) } else { found.edit.1.clone() };
        let text = if as_snippet { escape_snippet(&text) } else { text };
        let is_reported = profile.indentation == Indentation::AsTold && text.contains('\n');
        let documentation = if profile.resolves_documentation { None } else { documentation(self.view, &found) };
        let additional: Vec<_> = std::mem::take(&mut found.additional_edits)
            .into_iter()
            .map(|(range, new_text)| lsp::TextEdit { range: self.view.range(self.file, range), new_text })
            .collect();
        let label = lofting_ide::plain::line(&found.label);
        // Clients compare this with what is typed, and some show it.
        let filter_text = lofting_ide::plain::line(&found.filter_text);
        let detail = found.detail.as_deref().map(lofting_ide::plain::line);
        let label_details = detail.as_deref().filter(|_| profile.label_details).map(|detail| beside(&label, detail));
        let item = lsp::CompletionItem {
            label_details,
            kind: Some(kind(found.kind)),
            tags: (found.deprecated && profile.deprecated_tag).then(|| vec![lsp::CompletionItemTag::Deprecated]),
            detail: detail.filter(|_| !(profile.label_details && profile.resolves_detail)),
            documentation,
            sort_text: Some(found.sort_text),
            filter_text: (filter_text != label).then_some(filter_text),
            additional_text_edits: (!additional.is_empty()).then_some(additional),
            command: (found.triggers_suggest && profile.suggests_again).then(|| lsp::Command {
                title: "Suggest".to_owned(),
                command: SUGGEST.to_owned(),
                ..Default::default()
            }),
            label,
            ..Default::default()
        };
        let is_snippet = found.is_snippet || as_snippet;
        Some(Made {
            item,
            text,
            range: range(&found.edit.0),
            format: if is_snippet { lsp::InsertTextFormat::Snippet } else { lsp::InsertTextFormat::PlainText },
            mode: is_reported.then_some(lsp::InsertTextMode::AsIs),
        })
    }
}

impl Made {
    /// The item with everything that the list does not set.
    fn beside(self, defaults: &lsp::CompletionItemDefaults, data: Option<&Value>) -> lsp::CompletionItem {
        let Self { item, text, range, format, mode } = self;
        let (text_edit, text_edit_text) = match defaults.edit_range {
            Some(default) if default == range => (None, Some(text)),
            _ => (Some(text_edit(range, text)), None),
        };
        let usual = defaults.insert_text_format.unwrap_or(lsp::InsertTextFormat::PlainText);
        lsp::CompletionItem {
            text_edit,
            text_edit_text,
            insert_text_format: (format != usual).then_some(format),
            insert_text_mode: mode.filter(|_| defaults.insert_text_mode.is_none()),
            data: data.filter(|_| defaults.data.is_none()).cloned(),
            ..item
        }
    }
}

fn text_edit(range: lsp::EditRange, new_text: String) -> lsp::CompletionItemTextEdit {
    match range {
        lsp::EditRange::Range(range) => lsp::TextEdit { range, new_text }.into(),
        lsp::EditRange::EditRangeWithInsertReplace(lsp::EditRangeWithInsertReplace { insert, replace }) => {
            lsp::InsertReplaceEdit { new_text, insert, replace }.into()
        }
    }
}

/// The text next to a label: parameters of a function directly after its name, everything else at the end of the line.
fn beside(label: &str, detail: &str) -> lsp::CompletionItemLabelDetails {
    match detail.strip_prefix(label).filter(|rest| rest.starts_with('(')) {
        Some(parameters) => {
            lsp::CompletionItemLabelDetails { detail: Some(parameters.to_owned()), ..Default::default() }
        }
        None => lsp::CompletionItemLabelDetails { description: Some(detail.to_owned()), ..Default::default() },
    }
}

/// The text for the panel next to the list.
pub(crate) fn documentation(view: &View, item: &CompletionItem) -> Option<lsp::Documentation> {
    let markdown = view.client.profile.completion.markdown;
    let text = item.documentation(&view.snapshot, View::markup(markdown))?;
    Some(to_proto::markup::documentation(text, markdown))
}

/// The icon of an item.
pub(crate) fn kind(kind: ItemKind) -> lsp::CompletionItemKind {
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
