//! What a workspace knows at one moment. [`crate::Workspace`] changes it, [`crate::Snapshot`] reads it.

use crate::association::state::AssociationState;
use crate::caches::derived::Derived;
use crate::caches::table::Table;
use crate::evaluation::Evaluated;
use crate::evaluation::state::EvaluatedState;
use crate::files::file::File;
use crate::files::sources::Sources;
use crate::findings::state::CheckState;
use crate::floors::built_on;
use crate::input_sets::state::SetsState;
use crate::settings::Settings;
use lofting_document::{FileId, Options};
use lofting_memo::{Budget, Forgetful, Stamp, sweep};
use std::path::PathBuf;
use std::sync::Arc;

/// How many files an editor renders after a pause of typing, in all sets and calls together: this keeps one core busy
/// only for a moment. The command line renders all of them.
const MOST_RENDERED: usize = 2_000;

/// Everything is shared by an `Arc`: a copy costs the same for a large workspace as for a small one.
#[derive(Clone)]
pub(crate) struct State {
    pub below: CheckState,
    /// Files, each as often as sets are rendered with it, that an editor renders by itself.
    pub most_rendered: usize,
    /// Results that features derived from the last state they looked at.
    pub last_derived: Arc<Derived>,
    /// What features derive from this state. Not shared with any other.
    pub derived: Arc<Derived>,
    /// Results of running files of private libraries in this state, as these are read there.
    pub in_libraries: Arc<Table<(FileId, Options), Arc<Evaluated>>>,
    budget: Budget,
}

built_on!(State, CheckState);

impl State {
    pub fn new(roots: Vec<PathBuf>, settings: Settings) -> State {
        let budget = Budget::default();
        let evaluated = EvaluatedState::new(SetsState::new(Sources::new(roots, settings)));
        State {
            below: CheckState::new(AssociationState::new(evaluated, &budget), &budget),
            most_rendered: MOST_RENDERED,
            last_derived: Arc::default(),
            derived: Arc::default(),
            in_libraries: Arc::default(),
            budget,
        }
    }

    /// A state that begins as a copy of this one.
    pub fn next(&self) -> State {
        let mut state = self.clone();
        state.begin();
        state
    }

    /// It is going to differ from all other states: nothing that was computed for one of them holds in it.
    pub fn begin(&mut self) {
        self.number = Stamp::next();
        self.forget_shared();
    }

    /// Forgets what was computed for the state as it was.
    pub fn forget_shared(&mut self) {
        self.shared = Arc::default();
        self.check_shared = Arc::default();
        self.derived = Arc::default();
        self.in_libraries = Arc::default();
    }

    /// Drops what was made for a file alone: it is no longer open, and what others need of it is made again.
    pub fn close(&self, file: FileId) {
        self.memos.close(file);
        self.check_memos.close(file);
    }

    /// Drops the least recently used answers until the memory in use is within the limit (bytes).
    pub fn keep_within(&self, most: usize) {
        let all: Vec<&dyn Forgetful> = self.memos.all().into_iter().chain(self.check_memos.all()).collect();
        sweep(&all, &self.budget, most);
    }

    /// How many bytes are held, approximately.
    #[cfg(test)]
    pub fn held(&self) -> usize {
        self.budget.held()
    }

    /// The state if a file had a different text: a hypothetical state, to see its consequences. The files of input sets
    /// stay as they are.
    pub fn with_text(&self, id: FileId, text: &str) -> State {
        let mut state = self.next();
        let Some(old) = self.file(id) else { return state };
        let new = File::with_text(id, old.path.clone(), Stamp::next(), old.origin, text, old.options);
        if old.facts != new.facts {
            state.structure = Stamp::next();
        }
        state.index.change(old, &new);
        let has_read = |evaluated: &Evaluated| evaluated.reads().iter().any(|(path, _)| **path == *old.path);
        let ran = self.evaluations.iter().filter(|(_, evaluated)| has_read(evaluated));
        let stale: Vec<FileId> = ran.map(|(file, _)| file).collect();
        for file in stale {
            state.evaluations.remove(file);
        }
        state.files.set(Arc::new(new));
        state
    }
}
