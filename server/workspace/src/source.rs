//! The text of files, for code that words findings.

use crate::files::file::File;
use crate::files::sources::Sources;
use lofting_check::Source;
use lofting_document::{FileId, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// Where texts come from.
#[derive(Clone, Copy)]
pub(crate) enum TextSource<'a> {
    /// All files of a workspace.
    All(&'a Sources),
    /// All files of a workspace, one of which is at hand already: the workspace may not keep what was read of it.
    Of(&'a Sources, &'a File),
    /// One file: what is found in others is moved to it or dropped, wherever it is there.
    Only(&'a File),
    /// Some files.
    Files(&'a [Arc<File>]),
}

impl<'a> TextSource<'a> {
    fn file(self, id: FileId) -> Option<&'a File> {
        match self {
            TextSource::Of(_, file) if file.id == id => Some(file),
            TextSource::Only(file) => Some(file).filter(|file| file.id == id),
            TextSource::All(state) | TextSource::Of(state, _) => state.file(id).map(Arc::as_ref),
            TextSource::Files(files) => files.iter().find(|file| file.id == id).map(Arc::as_ref),
        }
    }
}

impl Source for TextSource<'_> {
    fn text(&self, span: Span) -> Option<Cow<'_, str>> {
        let file = self.file(span.file)?;
        Some(file.tree().text(span.range()))
    }
}
