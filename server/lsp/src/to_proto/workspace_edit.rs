//! Changes of texts and files.

use std::collections::HashMap;

use gen_lsp_types as lsp;
use lofting_ide::Change;

use crate::view::View;
use crate::{positions, uri};

/// Text edits by document, the documents in the order in which they first occur.
#[derive(Default)]
pub(crate) struct TextEdits(Vec<(lsp::Uri, Vec<lsp::TextEdit>)>);

impl TextEdits {
    /// Adds an edit.
    pub(crate) fn add(&mut self, uri: lsp::Uri, edit: lsp::TextEdit) {
        match self.0.iter_mut().find(|(known, _)| *known == uri) {
            Some((_, edits)) => edits.push(edit),
            None => self.0.push((uri, vec![edit])),
        }
    }

    /// The edit in the form that every client supports.
    pub(crate) fn into_edit(self) -> lsp::WorkspaceEdit {
        let changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> = self.0.into_iter().collect();
        lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() }
    }
}

/// A change in the form that the client announced. Files are created only by clients that support it.
pub(crate) fn of_change(view: &View, change: Change) -> lsp::WorkspaceEdit {
    let mut edits = TextEdits::default();
    for (span, new_text) in change.edits {
        let location = view.location(span);
        edits.add(location.uri, lsp::TextEdit { range: location.range, new_text });
    }
    for edit in change.outside {
        let range = positions::range(&edit.text, edit.range, view.client.profile.encoding);
        edits.add(uri::from_path(&edit.path), lsp::TextEdit { range, new_text: edit.new });
    }
    if !view.client.profile.document_changes {
        return edits.into_edit();
    }
    let mut changes = Vec::new();
    for (path, text) in change.new_files {
        let uri = uri::from_path(&path);
        let options = lsp::CreateFileOptions { ignore_if_exists: Some(false), ..Default::default() };
        let create = lsp::CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
        changes.push(lsp::DocumentChange::CreateFile(create));
        let start = lsp::Position { line: 0, character: 0 };
        let edit = lsp::TextEdit { range: lsp::Range { start, end: start }, new_text: text };
        changes.push(document_edit(uri, None, vec![edit]));
    }
    for (uri, edits) in edits.0 {
        // The client applies edits only to the text that they were made for.
        let version = view.file(&uri).and_then(|file| view.snapshot.version(file));
        changes.push(document_edit(uri, version, edits));
    }
    lsp::WorkspaceEdit { document_changes: Some(changes), ..Default::default() }
}

fn document_edit(uri: lsp::Uri, version: Option<i32>, edits: Vec<lsp::TextEdit>) -> lsp::DocumentChange {
    lsp::DocumentChange::TextDocumentEdit(lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
            version,
            text_document_identifier: lsp::TextDocumentIdentifier { uri },
        },
        edits: edits.into_iter().map(lsp::Edit::TextEdit).collect(),
    })
}
