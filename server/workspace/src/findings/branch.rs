//! What the current branch breaks in schemas, for as long as their texts stay the same. Callers that know revisions find it.

use crate::files::file::File;
use crate::findings::diagnostics::Findings;
use crate::findings::levels;
use crate::findings::state::CheckState;
use crate::findings::suppressions::{self, SuppressionFindings};
use lofting_check::{Diagnostic, LIMIT};
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashMap;

/// The findings in schemas compared with where the branch began.
#[derive(Debug, Default, PartialEq)]
pub struct BranchFindings {
    files: FxHashMap<FileId, FoundInFile>,
}

#[derive(Debug, PartialEq)]
struct FoundInFile {
    /// The text that was compared.
    revision: Stamp,
    list: Vec<Diagnostic>,
    plan: Option<String>,
}

/// What the branch breaks in one file.
#[derive(Debug, Default)]
pub struct FoundSinceBranch {
    /// The findings.
    pub list: Vec<Diagnostic>,
    /// A plan for a migration of what the file is a schema of, as `lofting migrate` reads it, if anything has moved.
    pub plan: Option<String>,
}

impl BranchFindings {
    /// Findings in the texts that files have in a state.
    pub(crate) fn new(state: &CheckState, found: Vec<(FileId, FoundSinceBranch)>) -> BranchFindings {
        let found = found.into_iter().filter(|(_, found)| !found.list.is_empty());
        let in_file = found.filter_map(|(file, FoundSinceBranch { list, plan })| {
            let revision = state.file(file)?.revision;
            Some((file, FoundInFile { revision, list, plan }))
        });
        BranchFindings { files: in_file.collect() }
    }

    /// A plan for what has moved in the current text of a file.
    pub(crate) fn plan(&self, file: &File) -> Option<&str> {
        self.files.get(&file.id).filter(|here| here.revision == file.revision)?.plan.as_deref()
    }

    /// The findings in the current text of a file, with the levels that were chosen and without those that comments suppress.
    fn of(state: &CheckState, file: &File) -> Vec<Diagnostic> {
        let here = state.branch.files.get(&file.id).filter(|here| here.revision == file.revision);
        let Some(here) = here else { return Vec::new() };
        let mut list = here.list.clone();
        suppressions::apply(file, &mut list, SuppressionFindings::Nothing);
        levels::apply(state, file, &mut list);
        list
    }
}

/// Adds what the current branch breaks in a file to its findings.
pub(crate) fn with_branch(state: &CheckState, file: &File, found: Findings) -> Findings {
    let broken = BranchFindings::of(state, file);
    if broken.is_empty() {
        return found;
    }
    let mut list: Vec<Diagnostic> = found.list.iter().cloned().chain(broken).collect();
    lofting_check::limit_to(LIMIT, &mut list, 0);
    Findings { list: list.into(), ..found }
}
