//! What is remembered about values and findings across states.

use crate::caches::coded::Coded;
use crate::caches::memos;
use crate::findings::base_values::BaseValues;
use crate::findings::calls::CallReport;
use crate::findings::decided::Decided;
use crate::findings::diagnostics::Remembered;
use crate::findings::unused_keys::{FileReads, FileSets, UnusedKeys};
use crate::findings::unused_library::{LibrariesOfFile, LibrariesUsed};
use crate::input_sets::sets::CallId;
use lofting_document::FileId;
use lofting_memo::{Memo, Stamp};

memos! {
    /// The memos of a workspace about values and findings.
    pub(crate) struct CheckMemos {
        /// What a file's values are merged onto.
        base_values: Coded<FileId, BaseValues> => is_file,
        /// Identifies what a file's values are merged onto, as long as it means the same.
        base_meanings: Memo<FileId, Stamp> => is_file,
        /// Results of calls.
        calls: Coded<CallId, CallReport> => is_alternative,
        /// Results of calls without validations, for requests that wait and need only the values.
        merged_calls: Memo<CallId, CallReport> => is_alternative,
        /// Identifies the values files of a set, by its index: those that all its calls get, or those that go to one
        /// call each.
        set_values: Memo<(usize, bool), Stamp>,
        /// What decides how a file is checked.
        decided: Memo<FileId, Decided> => is_file,
        /// The findings of a file.
        findings: Coded<FileId, Remembered> => is_file,
        /// What the code of a file reads, as a library or not.
        keys_read: Memo<(FileId, bool), FileReads>,
        /// What a values file sets.
        keys_set: Memo<FileId, FileSets>,
        /// The keys of a schema file that nothing uses.
        unused_keys: Memo<FileId, UnusedKeys>,
        /// The libraries that the code of a file gets.
        libraries_of_file: Memo<FileId, LibrariesOfFile>,
        /// The libraries that the code of all files uses.
        libraries_used: Memo<(), LibrariesUsed>,
    }
}

fn is_file(of: &FileId, file: FileId) -> bool {
    *of == file
}

fn is_alternative((_, alternative): &CallId, file: FileId) -> bool {
    *alternative == Some(file)
}
