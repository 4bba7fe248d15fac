//! The text of files for those who word findings.

use crate::file::File;
use crate::state::State;
use lofting_check::Source;
use lofting_document::{FileId, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// Where texts come from.
#[derive(Clone, Copy)]
pub(crate) enum Texts<'a> {
    /// All files of a workspace.
    State(&'a State),
    /// Some files.
    Files(&'a [Arc<File>]),
}

impl<'a> Texts<'a> {
    fn file(self, id: FileId) -> Option<&'a Arc<File>> {
        match self {
            Texts::State(state) => state.file(id),
            Texts::Files(files) => files.iter().find(|file| file.id == id),
        }
    }
}

impl Source for Texts<'_> {
    fn text(&self, span: Span) -> Option<Cow<'_, str>> {
        let file = self.file(span.file)?;
        Some(file.tree().text(span.range()))
    }
}
