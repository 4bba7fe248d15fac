//! What the findings of many files of one state have in common.

use crate::caches::table::{Once, Table};
use crate::evaluation::Failure;
use crate::findings::calls::{Call, ValuesStamp};
use crate::findings::state::CheckState;
use crate::findings::unused_keys::SchemaUsers;
use crate::findings::unused_library::{self, LibrariesUsed};
use crate::input_sets::sets::CallId;
use lofting_document::FileId;
use lofting_memo::Stamp;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Computed for one state; the next one begins with an empty one.
#[derive(Default)]
pub(crate) struct CheckShared {
    /// What calls read.
    pub calls: Table<CallId, Arc<Call>>,
    /// Stamps of the values of sets, with functions that can be called (true) or without: these tell what schemas mean.
    pub values: Table<(usize, bool), ValuesStamp>,
    /// Stamps of what decides how files are checked, likewise.
    pub decided: Table<(FileId, bool), Stamp>,
    /// Files that may use the keys of schemas, likewise.
    schema_users: Table<bool, Arc<SchemaUsers>>,
    /// Private libraries that code gets.
    libraries_used: Once<Arc<LibrariesUsed>>,
    /// How code of the files of a set failed, by the file in which it failed.
    failures: Table<usize, Arc<Failures>>,
}

impl CheckShared {
    /// Files of `state`, which this belongs to, that may use the keys of schemas.
    pub fn schema_users(&self, state: &CheckState) -> Arc<SchemaUsers> {
        self.schema_users.get(state.calls_functions(), |_| Arc::new(SchemaUsers::of_all(state)))
    }

    /// Private libraries that the code of `state`, which this belongs to, gets.
    pub fn libraries_used(&self, state: &CheckState) -> Arc<LibrariesUsed> {
        self.libraries_used.get(|| unused_library::of_state(state)).clone()
    }
}

/// Failures of a set's code by the file of the innermost position, each with the file whose code was run.
type Failures = FxHashMap<FileId, Vec<(FileId, Stamp, Failure)>>;

/// How code of other files of a set failed in `file`.
pub(crate) fn failures_of_others(state: &CheckState, set: usize, file: FileId) -> Vec<(Stamp, Failure)> {
    let failures = state.check_shared.failures.get(set, |_| {
        let mut failures = Failures::default();
        let templates = state.sets.sets.get(set).into_iter().flat_map(|set| &set.templates);
        for run in templates.filter_map(|id| state.file(*id)) {
            let Some(evaluated) = state.evaluations.of(run) else { continue };
            if let Some((failure, place)) = evaluated.error.as_ref().and_then(|error| Some((error, error.file()?))) {
                failures.entry(place).or_default().push((run.id, evaluated.stamp, failure.clone()));
            }
        }
        Arc::new(failures)
    });
    let here = failures.get(&file).into_iter().flatten();
    here.filter(|(run, ..)| *run != file).map(|(_, stamp, failure)| (*stamp, failure.clone())).collect()
}
