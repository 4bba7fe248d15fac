//! Which code has to run before the findings of a file are complete.

use super::evaluate::evaluate;
use super::{Evaluation, Runner};
use crate::association::associate::{associate, kind};
use crate::association::kind::FileKind;
use crate::association::reads::{Reads, reads};
use crate::association::reason::Association;
use crate::files::file::File;
use crate::findings::calls;
use crate::state::State;
use crate::threads::map;
use lofting_document::FileId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Why code is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The findings of a file.
    Findings,
    /// The data values that are merged with those of a file, or that its code reads.
    Values,
}

/// Whether the findings of `file` are incomplete without running code: its own, or that of files they depend on.
pub(crate) fn waits_for_code(state: &State, file: &File, association: &Association, read: &Reads) -> bool {
    let schemas = || association.schemas().chain(&read.schemas);
    state.has_coded_files()
        && (file.is_coded() && file.needs_run()
            || schemas().any(|schema| schema.source.needs_run())
            || others(state, file, Need::Findings).iter().any(|other| other.is_coded() && other.needs_run()))
}

/// Files other than its schemas whose code affects a file.
fn others<'s>(state: &'s State, file: &File, need: Need) -> Vec<&'s Arc<File>> {
    match kind(state, file) {
        // A library shows how the code ends that loads it.
        FileKind::Library if need == Need::Findings => {
            let sets = state.sets.of_file(file.id).flat_map(|(set, _)| &set.templates);
            sets.filter_map(|id| state.file(*id)).collect()
        }
        FileKind::Template if need == Need::Findings => Vec::new(),
        _ => calls::inputs_with(state, file.id),
    }
}

/// Whether the code of a file still has to run. Only schema and values files are run: an ordinary template reads data
/// values, which exist only after these are merged, so it would fail without being wrong.
pub(crate) fn is_due(state: &State, file: &File) -> bool {
    if !file.is_coded() || state.evaluations.of(file).is_some() {
        return false;
    }
    let holds = file.holds();
    (holds.schema || holds.values) && file.needs_run()
}

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
/// and functions can be called. `told` gets each evaluation.
pub(crate) fn with_code(
    state: &Arc<State>,
    files: &[FileId],
    need: Need,
    runner: &Runner,
    threads: usize,
    told: &mut dyn FnMut(Evaluation),
) -> Arc<State> {
    let mut state = State { runner: Some(runner.clone()), ..(**state).clone() };
    while state.has_coded_files() {
        let mut found = FxHashSet::default();
        files.iter().for_each(|file| due(&state, *file, need, &mut found));
        if found.is_empty() {
            break;
        }
        let mut found: Vec<Arc<File>> = found.iter().filter_map(|id| state.file(*id)).cloned().collect();
        found.sort_unstable_by_key(|file| file.id);
        let evaluated = map(threads, &found, 1, |file| evaluate(&state, runner, file));
        state.shared = Arc::default();
        for (file, evaluated) in found.iter().map(|file| file.id).zip(evaluated) {
            state.evaluations.put(file, evaluated.clone());
            told(Evaluation { file, sets: state.sets.stamp, evaluated });
        }
    }
    Arc::new(state)
}
