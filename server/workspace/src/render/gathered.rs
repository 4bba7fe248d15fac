//! What the templates of a rendering share while several run at a time, and what each of them finds out.

use super::{LibrarySchema, LibraryValues};
use crate::files::file::File;
use crate::inputs::InputOptions;
use lofting_check::Diagnostic;
use lofting_document::{FileId, Node, Options, Span};
use lofting_template::Compiled;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many instances of a library are remembered to find where their values come from.
const MOST_INSTANCES: usize = 64;

/// What all templates of a rendering share.
#[derive(Default)]
pub(super) struct Shared {
    /// The errors of libraries that failed, by the number that the evaluation error carries.
    pub failures: Mutex<Vec<Vec<Diagnostic>>>,
    /// Files of libraries without syntax errors: many instances of a library share them.
    pub clean: Mutex<FxHashSet<(FileId, Options)>>,
    /// Files of libraries that are read with options that differ from those of the workspace; all instances share the
    /// results of their code.
    pub files: Mutex<FxHashMap<(FileId, Options), Arc<File>>>,
    /// Files of libraries as they run, by the names that they have there.
    pub compiled: Mutex<FxHashMap<(FileId, Options, String), Compiled>>,
    /// Schemas of libraries to which nothing is added, by directory and by how files are read.
    pub schemas: Mutex<FxHashMap<(String, InputOptions), Arc<LibrarySchema>>>,
}

/// What is found out while templates run, in their order.
#[derive(Default)]
pub(super) struct Gathered {
    /// What was not evaluated in libraries that still have a result: rules without an answer.
    pub notes: Vec<Diagnostic>,
    /// Positions of what was addressed to a library that was evaluated.
    pub used: FxHashSet<Span>,
    /// The data values with which files of libraries were rendered.
    pub library_values: LibraryValues,
}

impl Gathered {
    /// Keeps findings about code that was not evaluated.
    pub fn note(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        for finding in findings {
            // Each instance of a library has the same ones.
            if !self.notes.contains(&finding) {
                self.notes.push(finding);
            }
        }
    }

    /// Adds what was gathered by a template that comes later.
    pub fn add(&mut self, later: Gathered) {
        self.note(later.notes);
        self.used.extend(later.used);
        for (file, values) in later.library_values {
            self.note_values(file, values);
        }
    }

    /// Records the values with which a file of a library is rendered, each time that it is.
    pub fn note_values(&mut self, file: FileId, values: impl IntoIterator<Item = Arc<Node>>) {
        let known = self.library_values.entry(file).or_default();
        let room = MOST_INSTANCES.saturating_sub(known.len());
        known.extend(values.into_iter().take(room));
    }
}
