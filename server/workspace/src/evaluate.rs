//! Files whose documents depend on code: run, with the files they load.
//!
//! Nothing that answers a waiting user runs code: what was not run yet is read as it is written, with
//! unknown values where code stands. Findings run it first.

use crate::disk::read_text;
use crate::file::File;
use crate::inputs::{InputFile, Source};
use crate::kind::NameKind;
use crate::state::State;
use lofting_check::{Diagnostic, evaluation_failed, not_evaluated};
use lofting_document::{Document, DocumentSet, FileId, Span};
use lofting_eval::{
    Caller, EvalError, EvalErrorKind, Evaluation, EvaluationId, Evaluator, LibraryAnswer, LibraryFile, LibraryFiles,
    LibraryRequest, NoEvaluator, Place,
};
use lofting_template::{Compiled, Places, compile, documents};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What running a file gave.
pub(crate) struct Evaluated {
    /// The documents it made; as written where running failed.
    pub documents: Arc<DocumentSet>,
    /// The user's mistake or our limit that ended it.
    pub error: Option<Failure>,
    /// Keeps the functions of the run callable.
    _lease: Option<Lease>,
}

/// How a run ended, with places of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub error: EvalError,
    /// Where, the innermost frame first.
    pub frames: Vec<(Span, String)>,
}

impl Failure {
    /// Whether the innermost place is in `file`.
    pub(crate) fn is_in(&self, file: FileId) -> bool {
        self.frames.first().is_some_and(|(span, _)| span.file == file)
    }

    /// The finding about it in `file`: at the innermost place that lies there.
    pub(crate) fn finding(&self, file: FileId) -> Option<Diagnostic> {
        let at = self.frames.iter().position(|(span, _)| span.file == file)?;
        let (span, _) = self.frames.get(at)?;
        if self.error.kind.is_error() {
            let calls: Vec<(Span, String)> = self.frames.iter().filter(|(other, _)| other != span).cloned().collect();
            return Some(evaluation_failed(*span, &self.error.message, self.error.hint.as_deref(), &calls));
        }
        // A user who switched evaluation off need not be told in every file.
        (self.error.kind != EvalErrorKind::Unavailable).then(|| not_evaluated(*span, &self.error.message))
    }
}

/// The evaluator of a workspace.
#[derive(Clone)]
pub(crate) struct Runner {
    /// Runs code.
    pub evaluator: Arc<dyn Evaluator>,
    /// The programs of runs whose functions may still be called.
    programs: Arc<Mutex<FxHashMap<EvaluationId, Arc<Programs>>>>,
}

impl Default for Runner {
    fn default() -> Self {
        Runner::new(Arc::new(NoEvaluator))
    }
}

impl Runner {
    pub(crate) fn new(evaluator: Arc<dyn Evaluator>) -> Runner {
        Runner { evaluator, programs: Arc::default() }
    }

    /// The programs that a run is made of, for the places of what its functions return.
    pub(crate) fn programs(&self, id: EvaluationId) -> Option<Arc<Programs>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// Keeps a run's functions callable as long as the lease lives.
    fn lease(&self, id: EvaluationId, programs: Programs) -> Lease {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::new(programs));
        Lease { runner: self.clone(), id }
    }
}

/// Tells the evaluator when nobody needs a run's functions any more.
struct Lease {
    runner: Runner,
    id: EvaluationId,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.runner.programs.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        self.runner.evaluator.release(self.id);
    }
}

/// Runs the file's code if it has any that matters and it was not run yet.
pub(crate) fn ensure(state: &State, file: &File) {
    // Only schema and values are run: an ordinary template reads data values, which ytt has only once
    // these were merged, and to fail for want of them would be a false alarm.
    let holds = file.holds();
    if file.evaluated().is_none() && (holds.schema || holds.values) && file.needs_run() {
        file.set_evaluated(run(state, file));
    }
}

fn run(state: &State, file: &File) -> Evaluated {
    let scope = Scope::of(state, file);
    let compiled = compile(file.id, &scope.name_of(file), file.tree(), file.options);
    let evaluation = Evaluation {
        program: compiled.program.clone(),
        implicit_map_key_overrides: file.options.implicit_map_key_overrides,
        ..Evaluation::default()
    };
    let loaded = Loaded { scope, programs: RefCell::default() };
    let evaluated = state.runner.evaluator.evaluate(&evaluation, &loaded);
    match (evaluated.result, evaluated.id) {
        (Ok(outcome), id) => {
            let id = id.unwrap_or(EvaluationId(0));
            let programs = Programs { loaded: loaded.programs.into_inner(), main: compiled };
            let made: Vec<Document> = documents(&outcome.documents, id, &programs.main, &programs);
            let written = file.written();
            let set = DocumentSet {
                documents: made,
                is_template: true,
                issues: written.issues.clone(),
                tail: Default::default(),
            };
            let lease = Some(state.runner.lease(id, programs));
            Evaluated { documents: Arc::new(set), error: None, _lease: lease }
        }
        (Err(error), _) => {
            let whole = Span::new(file.id, 0..0);
            let frames = error.frames.iter().filter_map(|frame| {
                let span = loaded.scope.span_of(frame.place.as_ref()?, file)?;
                Some((span, frame.function.clone()))
            });
            let mut frames: Vec<(Span, String)> = frames.collect();
            if frames.is_empty() {
                frames.push((whole, String::new()));
            }
            Evaluated { documents: file.written().clone(), error: Some(Failure { error, frames }), _lease: None }
        }
    }
}

/// The files that code can reach, by their paths inside ytt.
struct Scope<'s> {
    state: &'s State,
    /// The inputs of the set that the file belongs to, if it is known.
    inputs: Option<&'s [InputFile]>,
    /// Otherwise paths are relative to here.
    root: PathBuf,
    main: FileId,
}

impl<'s> Scope<'s> {
    fn of(state: &'s State, file: &File) -> Scope<'s> {
        let set = state.sets.of_file(file.id).map(|(set, _)| set).find(|set| !set.inputs.is_empty());
        Scope { state, inputs: set.map(|set| &*set.inputs), root: state.root_of(&file.path).to_owned(), main: file.id }
    }

    fn name_of(&self, file: &File) -> String {
        let known = self.inputs.and_then(|inputs| {
            inputs.iter().find(|input| matches!(&input.source, Source::Path(path) if **path == *file.path))
        });
        match known {
            Some(input) => input.name.clone(),
            None if self.inputs.is_some() => crate::path::file_name(&file.path).to_owned(),
            None => crate::path::shown(&self.root, &file.path),
        }
    }

    /// Where the file of that path inside ytt is.
    fn path_of(&self, name: &str) -> Option<PathBuf> {
        if let Some(inputs) = self.inputs {
            let input = inputs.iter().find(|input| input.name == name)?;
            return match &input.source {
                Source::Path(path) => Some(path.clone()),
                Source::Text(_) => None,
            };
        }
        let path = self.root.join(name);
        (self.state.file_at(&path).is_some_and(|file| file.exists()) || path.is_file()).then_some(path)
    }

    fn text_of(&self, path: &Path) -> Option<String> {
        match self.state.file_at(path) {
            Some(file) if file.exists() => Some(file.text().to_string()),
            _ => read_text(path).ok(),
        }
    }

    fn span_of(&self, place: &Place, main: &File) -> Option<Span> {
        let range = place.start as usize..place.end as usize;
        if place.path == self.name_of(main) {
            return Some(Span::new(self.main, range));
        }
        let file = self.state.file_at(&self.path_of(&place.path)?)?;
        Some(Span::new(file.id, range))
    }
}

/// Hands files to the evaluator and keeps the programs among them.
struct Loaded<'s> {
    scope: Scope<'s>,
    programs: RefCell<FxHashMap<String, Compiled>>,
}

impl LibraryFiles for Loaded<'_> {
    fn library(&self, name: &str) -> LibraryFile {
        let Some(path) = self.scope.path_of(name) else { return LibraryFile::Missing };
        let kind = NameKind::of(name);
        if !matches!(kind, NameKind::YamlLibrary | NameKind::TextLibrary | NameKind::Starlark) {
            return LibraryFile::NotALibrary;
        }
        self.scope.state.loaded.note(&path, self.scope.main);
        let Some(text) = self.scope.text_of(&path) else { return LibraryFile::Missing };
        match kind {
            NameKind::Starlark => LibraryFile::Starlark(text),
            NameKind::TextLibrary => LibraryFile::Text(text),
            _ => {
                let known = self.scope.state.file_at(&path);
                let id = known.map_or(self.scope.main, |file| file.id);
                let tree = match known {
                    Some(file) => file.tree().clone(),
                    None => Arc::new(lofting_syntax::parse(&text)),
                };
                let options = known.map(|file| file.options).unwrap_or_default();
                let compiled = compile(id, name, &tree, options);
                let program = compiled.program.clone();
                self.programs.borrow_mut().insert(name.to_owned(), compiled);
                LibraryFile::Template(Box::new(program))
            }
        }
    }

    fn read(&self, name: &str) -> Option<String> {
        let path = self.scope.path_of(name)?;
        self.scope.state.loaded.note(&path, self.scope.main);
        self.scope.text_of(&path)
    }

    fn list(&self, below: &str) -> Vec<String> {
        let Some(inputs) = self.scope.inputs else { return Vec::new() };
        let within =
            |name: &&str| below.is_empty() || name.strip_prefix(below).is_some_and(|rest| rest.starts_with('/'));
        inputs
            .iter()
            .filter(|input| input.library.is_none())
            .map(|input| input.name.as_str())
            .filter(within)
            .map(str::to_owned)
            .collect()
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        Some(format!("{from}_ytt_lib/{name}/"))
    }

    fn run(&self, _request: &LibraryRequest, _caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        Err(EvalError::new(EvalErrorKind::Unsupported, "libraries can not be evaluated here"))
    }
}

/// The programs of a run: the file's own and those of the files it loaded, by their paths inside ytt.
pub(crate) struct Programs {
    main: Compiled,
    loaded: FxHashMap<String, Compiled>,
}

impl Places for Programs {
    fn compiled(&self, path: &str) -> Option<&Compiled> {
        self.main.compiled(path).or_else(|| self.loaded.get(path))
    }
}
