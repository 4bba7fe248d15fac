//! The whole check and the editor's questions, on any schema and values, never panic; every range lies inside its
//! text; and after edits the findings are those of the new text read afresh.
//!
//! A text is cut at lines `#-`: schema, values, then one text for each edit of the values.
#![no_main]

use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use lofting_document::FileId;
use lofting_ide::{CompletionOptions, Markup};
use lofting_workspace::{CancelFlag, Settings, Snapshot, Workspace};

/// No such folder: everything is in open buffers.
const ROOT: &str = "/lofting-fuzz";

fuzz_target!(|text: &str| {
    let mut parts = text.split("\n#-\n");
    let (schema, values) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let (mut workspace, schema_file, file) = opened(schema, values);
    ask(&workspace.snapshot(), schema_file, schema);
    ask(&workspace.snapshot(), file, values);

    let mut now = values.to_owned();
    for (number, inserted) in parts.enumerate().take(8) {
        // Places that depend on the text alone, spread over it.
        let start = boundary(&now, (number + 1) * 7919 % (now.len() + 1));
        let end = boundary(&now, (start + inserted.len() % 5).min(now.len())).max(start);
        now.replace_range(start..end, inserted);
        workspace.edit(file, 2 + i32::try_from(number).unwrap_or(0), start..end, inserted);
        assert_eq!(workspace.snapshot().text(file).to_string(), now);
        ask(&workspace.snapshot(), file, &now);
    }
    let (fresh, _, fresh_file) = opened(schema, &now);
    let cancel = CancelFlag::new();
    let shown = |snapshot: Snapshot, file: FileId| format!("{:#?}", snapshot.diagnostics(file, &cancel));
    assert_eq!(shown(workspace.snapshot(), file), shown(fresh.snapshot(), fresh_file));
});

fn opened(schema: &str, values: &str) -> (Workspace, FileId, FileId) {
    let mut workspace = Workspace::new(vec![PathBuf::from(ROOT)], Settings::default());
    let schema = workspace.open(&Path::new(ROOT).join("schema.yml"), 1, schema);
    let values = workspace.open(&Path::new(ROOT).join("values.yml"), 1, values);
    (workspace, schema, values)
}

/// Every feature at some places of the text.
fn ask(snapshot: &Snapshot, file: FileId, text: &str) {
    let cancel = CancelFlag::new();
    for finding in snapshot.diagnostics(file, &cancel).iter() {
        let range = finding.span.start as usize..finding.span.end as usize;
        assert!(finding.span.file != file || text.get(range.clone()).is_some(), "{range:?} of {}", finding.code);
    }
    for step in 0..=16 {
        let offset = boundary(text, text.len() * step / 16);
        let options = CompletionOptions { snippets: step % 2 == 0, markup: Markup::Markdown };
        for item in lofting_ide::completion(snapshot, file, offset, &options) {
            assert!(text.get(item.edit.0.clone()).is_some(), "{:?} of {}", item.edit, item.label);
        }
        if let Some(hover) = lofting_ide::hover(snapshot, file, offset, Markup::Plain) {
            assert!(text.get(hover.range.clone()).is_some());
        }
        lofting_ide::goto_definition(snapshot, file, offset);
        lofting_ide::selection_ranges(snapshot, file, offset);
    }
    lofting_ide::document_symbols(snapshot, file);
    lofting_ide::folding_ranges(snapshot, file);
}

/// The last boundary of a character at or before `offset`.
fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0)
}
