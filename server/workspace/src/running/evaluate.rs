//! Runs the code of a file, with the private libraries that it asks for.

use crate::disk::path::shown;
use crate::evaluation::{Evaluated, Libraries, LibraryResult, ReadFiles, Runner, Scope, Seen, file_of, run, scope};
use crate::files::file::File;
use crate::input_sets::sets::WorkspaceSet;
use crate::inputs::{InputFile, Role, Source};
use crate::render::{Level, LibrariesOf, Render};
use crate::state::State;
use lofting_document::Document;
use lofting_eval::{EvalError, EvalErrorKind, LibraryRequest};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

/// Runs the code of a file and of the files it loads.
pub(crate) fn evaluate(state: &State, runner: &Runner, file: &File) -> Arc<Evaluated> {
    // Another thread may have evaluated the same already, in a state that is still to come.
    let known = runner.latest(file.id).filter(|known| known.is_of(file) && known.reads_hold_in(state));
    if let Some(known) = known {
        return known;
    }
    let scope = Scope::of(state, file);
    let read = ReadFiles::default();
    let set = state.sets.of_file(file.id).map(|(set, _)| set).find(|set| !set.inputs.is_empty());
    let evaluated = match set {
        Some(set) => {
            let render = Render::new(state, set);
            let level = Level::unaddressed(&render, "");
            run(file, &scope, &LibrariesOf { render: &render, level: &level }, read)
        }
        None => {
            let root = scope.root().to_owned();
            let beside = LibrariesBeside { state, root, missing: RefCell::default() };
            let mut evaluated = run(file, &scope, &beside, read);
            // The workspace may still be scanned. Then these files become known later, and the file is run again.
            let seen = |path: PathBuf| (path.clone(), Seen::now(state, &path));
            evaluated.add_reads(beside.missing.into_inner().into_iter().map(seen));
            evaluated
        }
    };
    evaluated.error.iter().for_each(|failure| runner.note(&failure.error));
    let evaluated = Arc::new(evaluated);
    runner.set_latest(file.id, &evaluated);
    evaluated
}

/// Libraries next to files without a known input set: there is only one directory in which a library with a given name
/// can be.
struct LibrariesBeside<'s> {
    state: &'s State,
    /// The root of paths inside ytt.
    root: PathBuf,
    /// Files of libraries that the workspace does not know.
    missing: RefCell<Vec<PathBuf>>,
}

impl Libraries for LibrariesBeside<'_> {
    fn run(&self, request: &LibraryRequest, given: Vec<Document>) -> Result<LibraryResult, EvalError> {
        let unknown = |message: &str| Err(EvalError::new(EvalErrorKind::Unsupported, message));
        let directory = self.root.join(&request.directory);
        // A link must not lead code out of the workspace.
        let reach = self.state.bounds_of(&self.root.join(crate::config::FILE_NAME));
        let below = match reach.files_below(&directory, scope::MAX_ENTRIES, &|_| true) {
            Ok(below) => below,
            Err(problem) => return unknown(&format!("the library cannot be listed: {problem}")),
        };
        let mut inputs: Vec<InputFile> = below
            .files
            .into_iter()
            .map(|path| {
                let name = shown(&self.root, &path);
                InputFile::new(Source::Path(path), name.clone(), name)
            })
            .collect();
        inputs.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        let is_code = |input: &&InputFile| matches!(input.role, Role::YamlTemplate | Role::Library);
        let missing = inputs.iter().filter(is_code).filter(|input| file_of(self.state, input).is_none());
        let mut complete = true;
        for input in missing {
            complete = false;
            if let Source::Path(path) = &input.source {
                self.missing.borrow_mut().push(path.clone());
            }
        }
        if !complete {
            return unknown("some files of the library are ignored here; name the input set in lofting.toml");
        }
        let set = WorkspaceSet::of_library(inputs, reach);
        let render = Render::new(self.state, &set);
        let level = Level::unaddressed(&render, "");
        LibrariesOf { render: &render, level: &level }.run(request, given)
    }
}
