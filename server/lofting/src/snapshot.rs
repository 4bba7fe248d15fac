//! A file at one moment.

use std::path::{Path, PathBuf};

use lofting_document::{FileId, Span};
use lofting_text::{Breaks, visible};
use lofting_workspace::CancelFlag;

use crate::place::{DocumentVersion, Edit, FilePart, Range, version_of};
use crate::{Finding, PositionEncoding, Problem};

/// A file at one moment, with all files that matter to it. It never changes.
pub struct Snapshot {
    pub(crate) inner: lofting_workspace::Snapshot,
    pub(crate) file: FileId,
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) encoding: PositionEncoding,
}

impl Snapshot {
    /// The text of the file.
    pub fn text(&self) -> String {
        self.inner.text(self.file).to_string()
    }

    /// The version of that text: see [`version_of`].
    pub fn version(&self) -> String {
        version_of(&self.text())
    }

    /// The file and its version.
    pub fn document(&self) -> DocumentVersion {
        DocumentVersion { file: self.name.clone(), version: self.version() }
    }

    /// Refuses a version that is not the one of this snapshot.
    ///
    /// # Errors
    ///
    /// The text has changed.
    pub fn expect(&self, version: Option<&str>) -> Result<(), Problem> {
        let own = self.version();
        match version {
            Some(version) if version != own => Err(Problem::OtherVersion(self.name.clone(), own)),
            _ => Ok(()),
        }
    }

    /// The findings of the file, by place, with their fixes.
    pub fn findings(&self) -> Vec<Finding> {
        let found = self.inner.diagnostics(self.file, &CancelFlag::new());
        found.iter().map(|finding| Finding::of(self, finding)).collect()
    }

    /// The byte at a line and column (from 1).
    pub(crate) fn byte(&self, line: u32, column: u32) -> Result<usize, Problem> {
        self.encoding.byte(&self.inner.text(self.file), line, column)
    }

    /// How answers name a file: as the caller did, or relative to the folder.
    pub(crate) fn name_of(&self, file: FileId) -> String {
        if file == self.file {
            return self.name.clone();
        }
        self.name_of_path(self.inner.path(file))
    }

    pub(crate) fn name_of_path(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).to_string_lossy().into_owned()
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        self.encoding.range(&self.inner.text(span.file), span.range())
    }

    pub(crate) fn place(&self, span: Span) -> FilePart {
        FilePart { file: self.name_of(span.file), range: self.range(span) }
    }

    pub(crate) fn edit(&self, (span, text): (Span, String)) -> Edit {
        Edit { file: self.name_of(span.file), range: self.range(span), text }
    }

    /// Which schema governs the file and why, as lines for a terminal.
    #[doc(hidden)]
    pub fn explained_in_words(&self) -> String {
        let shown = |file| visible(&self.name_of(file), Breaks::Shown).into_owned();
        lofting_ide::explain(&self.inner, self.file).plain(shown)
    }
}
