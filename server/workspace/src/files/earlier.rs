//! What was read of a text before its last edit, from which what is read of it now often follows.

use crate::files::file::File;
use lofting_document::{DocumentSet, code_after, lowered_after};
use lofting_eval::code::Code;
use lofting_syntax::Tree;
use std::ops::Range;
use std::sync::Arc;

/// What was read of the text before the last edit.
pub(super) struct Earlier {
    /// The tree of that text.
    pub tree: Arc<Tree>,
    /// The bytes of it that were replaced.
    pub edit: Range<usize>,
    /// Its documents, if they were read.
    pub documents: Option<Arc<DocumentSet>>,
    /// Its code, if it was read.
    pub code: Option<Arc<Code>>,
}

impl Earlier {
    /// The code after the edit.
    pub fn code(&self, file: &File) -> Option<Code> {
        code_after(self.code.as_ref()?, &self.tree, file.tree(), self.edit.clone())
    }

    /// The documents after the edit.
    pub fn documents(&self, file: &File) -> Option<DocumentSet> {
        let read = (file.profile(), file.options);
        lowered_after(self.documents.as_ref()?, (&self.tree, file.tree()), read, self.edit.clone())
    }
}
