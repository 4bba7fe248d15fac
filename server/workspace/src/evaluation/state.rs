//! What a state knows about the code of its files.

use crate::evaluation::{Evaluations, Runner};
use crate::files::file::File;
use crate::floors::built_on;
use crate::input_sets::state::SetsState;
use lofting_document::DocumentSet;
use lofting_memo::Stamp;
use std::sync::Arc;

/// Files and input sets, with the results of running code.
#[derive(Clone)]
pub(crate) struct EvaluatedState {
    pub below: SetsState,
    /// The results of running the code of files.
    pub evaluations: Evaluations,
    /// Changes when interrupted functions should be called again.
    pub attempt: Stamp,
    /// Calls functions of evaluated code. Only states for callers that may wait for code have it.
    pub runner: Option<Runner>,
}

built_on!(EvaluatedState, SetsState);

impl EvaluatedState {
    pub fn new(below: SetsState) -> EvaluatedState {
        EvaluatedState { below, evaluations: Evaluations::default(), attempt: Stamp::default(), runner: None }
    }

    /// Whether functions of evaluated code can be called. What they say decides what schemas mean, so answers that depend on
    /// it differ between states that share the same tables.
    pub fn calls_functions(&self) -> bool {
        self.runner.is_some()
    }

    /// The documents of a file: the result of its code after it was run, until then as written.
    pub fn documents<'a>(&'a self, file: &'a File) -> &'a Arc<DocumentSet> {
        self.evaluations.of(file).map_or_else(|| file.lowered(), |evaluated| &evaluated.documents)
    }

    /// Changes with the text of a file, and when its code is run.
    pub fn stamp(&self, file: &File) -> Stamp {
        self.evaluations.stamp(file)
    }
}
