//! Small workspaces in one string: `#- path` begins the next file, `$0` is the cursor.

use crate::{CompletionItem, CompletionOptions};
use lofting_document::FileId;
use lofting_workspace::{Settings, Snapshot, Workspace};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The workspace of a fixture. No such directory exists: all files are open.
const ROOT: &str = "/lofting-ide-fixture";

/// An application's schema with every kind of place that matters for completion.
pub(crate) const APP_SCHEMA: &str = include_str!("fixture/app_schema.yml");

/// A parsed fixture.
pub(crate) struct Fixture {
    pub snapshot: Snapshot,
    /// The file with the cursor, or the last one.
    pub file: FileId,
    pub offset: usize,
    pub text: String,
}

/// Opens the files of `fixture`. A text without `#- ` lines is one file, `values.yml`.
pub(crate) fn open(fixture: &str) -> Fixture {
    open_with(Settings::default(), fixture)
}

/// Opens a fixture with settings.
pub(crate) fn open_with(settings: Settings, fixture: &str) -> Fixture {
    let mut workspace = Workspace::new(vec![PathBuf::from(ROOT)], settings);
    let mut found = None;
    for lofting_fixture::File { path, text } in lofting_fixture::files_or("values.yml", fixture) {
        let (text, cursor) = lofting_fixture::cursor(&text);
        let file = workspace.open(&Path::new(ROOT).join(path), 1, &text);
        if cursor.is_some() || found.as_ref().is_none_or(|(_, offset, _): &(_, Option<usize>, _)| offset.is_none()) {
            found = Some((file, cursor, text));
        }
    }
    let (file, offset, text) = found.expect("a fixture has a file");
    Fixture { snapshot: workspace.snapshot(), file, offset: offset.unwrap_or(0), text }
}

/// A values file next to the application's schema.
pub(crate) fn open_app(values: &str) -> Fixture {
    if values.starts_with("#- ") {
        return open(&format!("#- schema.yml\n{APP_SCHEMA}{values}"));
    }
    open(&format!("#- schema.yml\n{APP_SCHEMA}#- values.yml\n{values}"))
}

impl Fixture {
    pub(crate) fn completions(&self, snippets: bool) -> Vec<CompletionItem> {
        self.items(&CompletionOptions { snippets, unasked: false })
    }

    /// What completion offers automatically while the user types.
    pub(crate) fn unasked(&self) -> Vec<CompletionItem> {
        self.items(&CompletionOptions { snippets: true, unasked: true })
    }

    fn items(&self, options: &CompletionOptions) -> Vec<CompletionItem> {
        let mut items = crate::completion(&self.snapshot, self.file, self.offset, options);
        items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
        items
    }

    /// The text after an item has been accepted.
    pub(crate) fn accept(&self, item: &CompletionItem) -> String {
        let mut edits: Vec<(Range<usize>, String)> = item.additional_edits.clone();
        edits.push(item.edit.clone());
        edits.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
        let mut text = self.text.clone();
        let mut limit = text.len();
        for (range, new) in edits {
            assert!(range.end <= limit, "edits of {} overlap", item.label);
            limit = range.start;
            text.replace_range(range, &new);
        }
        text
    }
}
