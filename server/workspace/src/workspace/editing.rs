//! Edits of open files.

use crate::files::file::File;
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use lofting_text::Text;
use std::ops::Range;
use std::sync::Arc;

/// Edits of an open file that are not applied yet. Nothing changes before [`Workspace::apply`].
pub struct Editing {
    old: Arc<File>,
    edited: Arc<File>,
    version: i32,
}

impl Editing {
    /// The text after the edits so far.
    pub fn text(&self) -> &Text {
        self.edited.text()
    }

    /// Replaces a range (bytes) of that text.
    pub fn edit(&mut self, range: Range<usize>, new: &str) {
        self.edited = Arc::new(self.edited.edited(Stamp::next(), self.version, range, new));
    }
}

impl Workspace {
    /// Applies a single edit to an open file.
    pub fn edit(&mut self, file: FileId, version: i32, range: Range<usize>, new: &str) {
        if let Some(mut editing) = self.editing(file, version) {
            editing.edit(range, new);
            self.apply(editing);
        }
    }

    /// Begins the edits of one message to an open file: they are applied together or not at all.
    pub fn editing(&self, file: FileId, version: i32) -> Option<Editing> {
        let old = self.state.file(file).filter(|old| old.is_open())?.clone();
        Some(Editing { edited: old.clone(), old, version })
    }

    /// Applies the edits.
    pub fn apply(&mut self, editing: Editing) {
        let Editing { old, edited, .. } = editing;
        if !Arc::ptr_eq(&old, &edited) {
            self.replace_file(&old, edited);
        }
    }

    /// The user has stopped typing in a file: what the line in which they typed says about the file counts from now on.
    /// Returns whether it says anything new.
    pub fn typing_over(&mut self, file: FileId) -> bool {
        let Some(old) = self.state.file(file).cloned() else { return false };
        let Some(new) = old.as_written(Stamp::next()) else { return false };
        self.replace_file(&old, new);
        true
    }
}
