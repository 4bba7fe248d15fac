//! What several targets ask: a workspace of open buffers, and every question of an editor at some places of a text.

use std::path::{Path, PathBuf};

use lofting_document::FileId;
use lofting_ide::{CompletionOptions, Markup};
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};

/// No such folder: everything is in open buffers.
const ROOT: &str = "/lofting-fuzz";

/// A workspace with these files open.
pub fn workspace(files: &[(&str, &str)]) -> (Workspace, Vec<FileId>) {
    let mut workspace = Workspace::new(vec![PathBuf::from(ROOT)], Settings::default());
    let files = files.iter().map(|(name, text)| workspace.open(&Path::new(ROOT).join(name), 1, text)).collect();
    (workspace, files)
}

/// Every feature at some places of the text.
pub fn ask(snapshot: &Snapshot, file: FileId, text: &str) {
    let cancel = CancelFlag::new();
    for finding in snapshot.diagnostics(file, &cancel).iter() {
        let range = finding.span.start as usize..finding.span.end as usize;
        assert!(finding.span.file != file || text.get(range.clone()).is_some(), "{range:?} of {}", finding.code());
    }
    for step in 0..=16 {
        let offset = boundary(text, text.len() * step / 16);
        let options = CompletionOptions { snippets: step % 2 == 0, unasked: step % 3 == 0 };
        for item in lofting_ide::completion(snapshot, file, offset, &options) {
            assert!(text.get(item.edit.0.clone()).is_some(), "{:?} of {}", item.edit, item.label);
        }
        if let Some(hover) = lofting_ide::hover(snapshot, file, offset, Markup::Plain) {
            assert!(text.get(hover.range.clone()).is_some());
        }
        lofting_ide::goto_definition(snapshot, file, offset);
        lofting_ide::type_definition(snapshot, file, offset);
        lofting_ide::linked_editing(snapshot, file, offset);
        lofting_ide::selection_ranges(snapshot, file, offset);
    }
    lofting_ide::document_symbols(snapshot, file);
    lofting_ide::folding_ranges(snapshot, file);
    lofting_ide::inlay_hints(snapshot, file, 0..text.len(), &lofting_ide::HintChoices::default());
}

/// The last boundary of a character at or before `offset`.
pub fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0)
}
