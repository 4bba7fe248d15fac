//! The answers about one file.

use std::path::Path;

use lofting_diagnostic::{Diagnostic, Tag, manual};
use lofting_document::{FileId, Span};
use lofting_ide::{
    Abilities, ActionsAsked, Changes, CodeAction, CompletionItem, CompletionOptions, ItemKind, Markup, Symbol,
    SymbolKind, explain, plain,
};
use lofting_text::{Encoding, Text};
use lofting_workspace::{CancelFlag, Snapshot};

use crate::answer::{
    Action, Choices, Completion, FileRange, Finding, Findings, Hover, NewFile, Outline, Position, Range, Related,
    Replacement, Status,
};
use crate::session::ROOT;

/// How JavaScript counts.
const UNITS: Encoding = Encoding::Utf16;

/// A file at one moment, about which questions are answered.
pub(crate) struct OneFile {
    snapshot: Snapshot,
    file: FileId,
    text: Text,
}

fn position(text: &Text, byte: usize) -> Position {
    let lofting_text::Position { line, column } = text.position(byte, UNITS);
    Position { line, character: column }
}

fn range(text: &Text, bytes: std::ops::Range<usize>) -> Range {
    Range { start: position(text, bytes.start), end: position(text, bytes.end) }
}

/// How answers name a path.
fn name_of(path: &Path) -> String {
    path.strip_prefix(ROOT).unwrap_or(path).to_string_lossy().into_owned()
}

impl OneFile {
    pub(crate) fn new(snapshot: Snapshot, file: FileId) -> OneFile {
        let text = snapshot.text(file);
        OneFile { snapshot, file, text }
    }

    fn byte(&self, position: Position) -> usize {
        self.text.offset(lofting_text::Position::new(position.line, position.character), UNITS)
    }

    fn range(&self, bytes: std::ops::Range<usize>) -> Range {
        range(&self.text, bytes)
    }

    /// The place of a span in a file of the page; None if it is in a text of the program.
    fn place(&self, span: Span) -> Option<FileRange> {
        let span = self.snapshot.placed(span);
        let is_file = self.snapshot.is_file(span.file);
        let place = || FileRange {
            file: name_of(self.snapshot.path(span.file)),
            range: range(&self.snapshot.text(span.file), span.range()),
        };
        is_file.then(place)
    }

    fn edit(&self, bytes: std::ops::Range<usize>, text: String) -> Replacement {
        Replacement { file: name_of(self.snapshot.path(self.file)), range: self.range(bytes), text }
    }

    pub(crate) fn findings(&self) -> Findings {
        let found = self.snapshot.findings(self.file, &CancelFlag::new());
        Findings {
            findings: found.list.iter().map(|finding| self.finding(finding)).collect(),
            needs_code: found.partial,
        }
    }

    fn finding(&self, finding: &Diagnostic) -> Finding {
        let related = finding.places_beside().filter_map(|related| {
            Some(Related { place: self.place(related.span)?, message: plain::message(&related.message) })
        });
        Finding {
            range: self.range(finding.marked().range()),
            severity: finding.severity.as_str(),
            code: finding.code().into_owned(),
            page: manual::address(finding.rule),
            message: plain::message(&finding.message_with_help()),
            related: related.collect(),
            deprecated: finding.tags.contains(&Tag::Deprecated),
            unnecessary: finding.tags.contains(&Tag::Unnecessary),
        }
    }

    pub(crate) fn completion(&self, position: Position, options: CompletionOptions) -> Choices {
        let offset = self.byte(position);
        let line = self.text.line_range(self.text.line_of(offset));
        let line = self.text.slice(line);
        let indentation = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let mut items = lofting_ide::completion(&self.snapshot, self.file, offset, &options);
        items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
        let items = items.into_iter().map(|item| self.choice(item, indentation)).collect();
        Choices { items, is_incomplete: !options.unasked }
    }

    fn choice(&self, item: CompletionItem, indentation: &str) -> Completion {
        let text = if item.is_snippet { item.text_relative_to(indentation) } else { item.edit.1.clone() };
        Completion {
            label: plain::line(&item.label),
            kind: kind(item.kind),
            detail: item.detail.as_deref().map(plain::line),
            filter: plain::line(&item.filter_text),
            range: self.range(item.edit.0),
            text,
            is_snippet: item.is_snippet,
            more: item.additional_edits.into_iter().map(|(bytes, text)| self.edit(bytes, text)).collect(),
            deprecated: item.deprecated,
            goes_on: item.triggers_suggest,
        }
    }

    pub(crate) fn documentation(&self, position: Position, label: &str, snippets: bool) -> Option<String> {
        let options = CompletionOptions { snippets, unasked: false };
        let items = lofting_ide::completion(&self.snapshot, self.file, self.byte(position), &options);
        let item = items.iter().find(|item| plain::line(&item.label) == label)?;
        Some(item.documentation(&self.snapshot, Markup::Markdown)?.into_string())
    }

    pub(crate) fn hover(&self, position: Position) -> Option<Hover> {
        let found = lofting_ide::hover(&self.snapshot, self.file, self.byte(position), Markup::Markdown)?;
        Some(Hover { markdown: found.text.into_string(), range: self.range(found.range) })
    }

    pub(crate) fn definition(&self, position: Position) -> Vec<FileRange> {
        let found = lofting_ide::goto_definition(&self.snapshot, self.file, self.byte(position));
        found.into_iter().filter_map(|found| self.place(found.target_selection)).collect()
    }

    pub(crate) fn format(&self) -> Vec<Replacement> {
        if !self.snapshot.shows_structure(self.file) {
            return Vec::new();
        }
        let edits = lofting_ide::formatting(&self.snapshot, self.file, None);
        edits.into_iter().map(|edit: lofting_format::Edit| self.edit(edit.range, edit.text)).collect()
    }

    pub(crate) fn actions(&self, range: Range) -> Vec<Action> {
        let start = self.byte(range.start);
        let bytes = start..self.byte(range.end).max(start);
        let abilities = Abilities { creates_files: true };
        let asked = ActionsAsked { kinds: &[], abilities, changes: Changes::All, unasked: false };
        let found = lofting_ide::code_actions(&self.snapshot, self.file, bytes, &asked, &CancelFlag::new());
        found.into_iter().filter_map(|action| self.action(action)).collect()
    }

    fn action(&self, action: CodeAction) -> Option<Action> {
        let change = action.change?;
        let edit =
            |(span, text)| self.place(span).map(|place| Replacement { file: place.file, range: place.range, text });
        Some(Action {
            title: plain::line(&action.name.title),
            kind: action.kind.as_str(),
            code: action.finding.as_ref().map(|finding| finding.code().into_owned()),
            range: action.finding.as_ref().map(|finding| self.range(finding.marked().range())),
            preferred: action.preferred,
            // An action is not offered with a part of its change.
            edits: change.edits.into_iter().map(edit).collect::<Option<_>>()?,
            new_files: change
                .new_files
                .into_iter()
                .map(|(path, text)| NewFile { file: name_of(&path), text })
                .collect(),
        })
    }

    pub(crate) fn status(&self) -> Status {
        let status = explain(&self.snapshot, self.file).status();
        let file = |file: &FileId| plain::line(&name_of(self.snapshot.path(*file)));
        Status {
            schemas: status.schema.iter().map(file).collect(),
            names: status.names.iter().map(|name| plain::line(name)).collect(),
            reason: plain::message(&status.reason),
            sets: status.sets.iter().map(|set| plain::line(set)).collect(),
        }
    }

    pub(crate) fn outline(&self) -> Vec<Outline> {
        if !self.snapshot.shows_structure(self.file) {
            return Vec::new();
        }
        lofting_ide::document_symbols(&self.snapshot, self.file).into_iter().map(|symbol| self.entry(symbol)).collect()
    }

    /// Outlines are of bounded depth.
    fn entry(&self, symbol: Symbol) -> Outline {
        Outline {
            name: plain::line(&symbol.name),
            detail: symbol.detail.as_deref().map(plain::line),
            kind: symbol_kind(symbol.kind),
            range: self.range(symbol.range),
            selection: self.range(symbol.selection_range),
            children: symbol.children.into_iter().map(|symbol| self.entry(symbol)).collect(),
        }
    }
}

fn kind(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Key => "key",
        ItemKind::Value => "value",
        ItemKind::EnumMember => "choice",
        ItemKind::Constant => "constant",
        ItemKind::Item => "item",
        ItemKind::Snippet => "snippet",
        ItemKind::Alias => "alias",
        ItemKind::Annotation => "annotation",
        ItemKind::Keyword => "keyword",
        ItemKind::Function => "function",
        ItemKind::Variable => "variable",
        ItemKind::Module => "module",
        ItemKind::File => "file",
        ItemKind::Type => "type",
    }
}

fn symbol_kind(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Document => "document",
        SymbolKind::Map => "map",
        SymbolKind::Array => "array",
        SymbolKind::String => "string",
        SymbolKind::Number => "number",
        SymbolKind::Boolean => "boolean",
        SymbolKind::Null => "null",
        SymbolKind::Alias => "alias",
    }
}
