//! What rendering found in files, for as long as their texts stay the same.

use crate::files::file::File;
use lofting_check::Diagnostic;
use lofting_diagnostic::Identity;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashMap;

/// The findings of rendering in files of the workspace. If the text of a file has changed since, nothing is known about
/// it.
#[derive(Default)]
pub struct RenderFindings {
    pub(crate) files: FxHashMap<FileId, RenderedInFile>,
    /// Titles of the sets that were left to `lofting check --render`.
    pub(crate) too_large: Vec<String>,
}

#[derive(PartialEq)]
pub(crate) struct RenderedInFile {
    /// The text that was rendered.
    pub revision: Stamp,
    pub list: Vec<Diagnostic>,
    /// Findings of the file by itself that do not hold for what is printed.
    pub refuted: Vec<Identity>,
}

impl RenderFindings {
    /// What was found in the current text of a file.
    pub(crate) fn of(&self, file: &File) -> Option<&RenderedInFile> {
        self.files.get(&file.id).filter(|here| here.revision == file.revision)
    }

    /// Whether both are the same for the same texts.
    pub(crate) fn says_the_same(&self, other: &RenderFindings) -> bool {
        self.files == other.files
    }
}
