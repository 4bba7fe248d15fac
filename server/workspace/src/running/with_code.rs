//! Which code has to run before the findings of a file are complete.

use super::evaluate::evaluate;
use crate::association::associate::associate;
use crate::association::reads::reads;
use crate::evaluation::{Evaluation, Need, Runner, is_due};
use crate::files::file::File;
use crate::findings::waits::others;
use crate::state::State;
use crate::threads::map;
use lofting_document::FileId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Adds the files whose code has to run.
fn due(state: &State, file: FileId, need: Need, found: &mut FxHashSet<FileId>) {
    let Some(file) = state.file(file) else { return };
    // Findings in files embedded in it are reported as its own.
    state.inline.of_host(file.id).iter().for_each(|inside| due(state, *inside, need, found));
    let mut add = |file: &Arc<File>| {
        if is_due(state, file) {
            found.insert(file.id);
        }
    };
    add(file);
    let (association, read) = (associate(state, file), reads(state, file));
    association.schemas().chain(&read.schemas).flat_map(|schema| schema.source.files()).for_each(&mut add);
    others(state, file, need).into_iter().for_each(add);
}

/// A later state for callers that may wait for code: everything that `files` need was evaluated, by this many threads,
/// and functions can be called. `reported` gets each evaluation.
pub(crate) fn with_code(
    state: &Arc<State>,
    files: &[FileId],
    need: Need,
    runner: &Runner,
    threads: usize,
    reported: &mut dyn FnMut(Evaluation),
) -> Arc<State> {
    let mut state = (**state).clone();
    state.runner = Some(runner.clone());
    while state.has_coded_files() {
        let mut found = FxHashSet::default();
        files.iter().for_each(|file| due(&state, *file, need, &mut found));
        if found.is_empty() {
            break;
        }
        let mut found: Vec<Arc<File>> = found.iter().filter_map(|id| state.file(*id)).cloned().collect();
        found.sort_unstable_by_key(|file| file.id);
        let evaluated = map(threads, &found, 1, |file| evaluate(&state, runner, file));
        state.forget_shared();
        for (file, evaluated) in found.iter().map(|file| file.id).zip(evaluated) {
            state.evaluations.put(file, evaluated.clone());
            reported(Evaluation { file, sets: state.sets.stamp, evaluated });
        }
    }
    Arc::new(state)
}
