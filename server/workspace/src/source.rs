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
    /// The same, one of them being at hand already: the workspace may not keep what was read of it.
    Of(&'a State, &'a File),
    /// Some files.
    Files(&'a [Arc<File>]),
}

impl<'a> Texts<'a> {
    fn file(self, id: FileId) -> Option<&'a File> {
        match self {
            Texts::Of(_, file) if file.id == id => Some(file),
            Texts::State(state) | Texts::Of(state, _) => state.file(id).map(Arc::as_ref),
            Texts::Files(files) => files.iter().find(|file| file.id == id).map(Arc::as_ref),
        }
    }
}

impl Source for Texts<'_> {
    fn text(&self, span: Span) -> Option<Cow<'_, str>> {
        let file = self.file(span.file)?;
        Some(file.tree().text(span.range()))
    }
}
