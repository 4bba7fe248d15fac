//! Files whose documents depend on code: run, with the files they load.
//!
//! Nothing that answers a waiting user runs code: what was not run yet is read as it is written, with
//! unknown values where code stands. Findings run it first.

use crate::answers::Answers;
use crate::file::File;
use crate::inputs::{InputFile, Role, Source};
use crate::kind::NameKind;
use crate::render::{Asker, Level, Render};
use crate::scope::{MAX_ENTRIES, Scope, file_of};
use crate::sets::WorkspaceSet;
use crate::state::State;
use lofting_check::{Diagnostic, evaluation_failed, not_evaluated};
use lofting_document::{Document, DocumentSet, FileId, Issue, Notes, Span};
use lofting_eval::{
    Caller, Data, EvalError, EvalErrorKind, Evaluation, EvaluationId, Evaluator, Given, LibraryAnswer, LibraryFile,
    LibraryFiles, LibraryRequest, NoEvaluator,
};
use lofting_template::{Compiled, Places, compile, documents, value_node};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What running a file gave.
pub(crate) struct Evaluated {
    /// The documents it made; where running failed, those it made without what failed, or as written.
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
    /// What else is wrong, in the same way.
    pub also: Vec<Failure>,
}

impl Failure {
    /// The file that the innermost place is in.
    pub(crate) fn file(&self) -> Option<FileId> {
        self.frames.first().map(|(span, _)| span.file)
    }

    /// The findings about it in `file`.
    pub(crate) fn findings(&self, file: FileId) -> Vec<Diagnostic> {
        self.finding(file).into_iter().chain(self.also.iter().filter_map(|other| other.finding(file))).collect()
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
    /// What their functions answered.
    answers: Arc<Mutex<Answers>>,
    /// Nothing is run: files are read as they are written, as long as they were not run before.
    asleep: bool,
    /// Something was interrupted since anybody looked.
    interrupted: Arc<AtomicBool>,
    /// How many files were run.
    evaluations: Arc<AtomicU64>,
}

impl Default for Runner {
    fn default() -> Self {
        Runner::new(Arc::new(NoEvaluator))
    }
}

impl Runner {
    pub(crate) fn new(evaluator: Arc<dyn Evaluator>) -> Runner {
        Runner {
            evaluator,
            programs: Arc::default(),
            answers: Arc::default(),
            asleep: false,
            interrupted: Arc::default(),
            evaluations: Arc::default(),
        }
    }

    /// One that runs nothing, for those who can not wait.
    pub(crate) fn asleep() -> Runner {
        Runner { asleep: true, ..Runner::default() }
    }

    /// Whether it is [`Runner::asleep`].
    pub(crate) fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Grows whenever running code made documents: what was made of files with code before may differ now.
    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Acquire)
    }

    /// Notes how something ended that may end otherwise when it is asked again.
    pub(crate) fn note(&self, error: &EvalError) {
        if error.kind == EvalErrorKind::Interrupted {
            self.interrupted.store(true, Ordering::Relaxed);
        }
    }

    /// Whether something was interrupted since this was asked last.
    pub(crate) fn take_interrupted(&self) -> bool {
        self.interrupted.swap(false, Ordering::Relaxed)
    }

    /// What functions of runs that still last answered.
    pub(crate) fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
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
pub(crate) struct Lease {
    runner: Runner,
    id: EvaluationId,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.runner.programs.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        self.runner.answers().forget(self.id);
        self.runner.evaluator.release(self.id);
    }
}

/// Runs the file's code if it has any that matters and it was not run yet.
pub(crate) fn ensure(state: &State, file: &File) {
    if is_due(file) && !state.runner.asleep {
        let scope = Scope::of(state, file);
        let set = state.sets.of_file(file.id).map(|(set, _)| set).find(|set| !set.inputs.is_empty());
        match set {
            Some(set) => {
                let render = Render::new(state, set);
                let level = Level::unaddressed(&render, "");
                ensure_in(file, scope, &Asker { render: &render, level: &level });
            }
            None => {
                let beside = LibrariesBeside { state, root: scope.root().to_owned(), main: file.id };
                ensure_in(file, scope, &beside);
            }
        }
    }
}

/// The same for a file whose place among the inputs is known.
pub(crate) fn ensure_in(file: &File, scope: Scope<'_>, libraries: &dyn Libraries) {
    if is_due(file) && !scope.state.runner.asleep {
        let loaded = scope.state.loaded.clone();
        let running = loaded.begin(file.id);
        let runner = scope.state.runner.clone();
        let evaluated = run(file, scope, libraries);
        // What was read may have changed, or been found, meanwhile: who looks at the new state runs it again.
        if !running.is_outdated() {
            evaluated.error.iter().for_each(|failure| runner.note(&failure.error));
            file.set_evaluated(evaluated);
            runner.evaluations.fetch_add(1, Ordering::Release);
        }
    }
}

/// Only schema and values are run: an ordinary template reads data values, which ytt has only once these
/// were merged, and to fail for want of them would be a false alarm.
pub(crate) fn is_due(file: &File) -> bool {
    let holds = file.holds();
    file.evaluated().is_none() && (holds.schema || holds.values) && file.needs_run()
}

/// So many parts of a file are left out before it is given up.
const MAX_LEFT_OUT: usize = 8;

/// Runs a file. What fails is left out and the rest is run again: while one line is being typed, what the others say is
/// still known.
fn run(file: &File, scope: Scope<'_>, libraries: &dyn Libraries) -> Evaluated {
    let mut compiled = compile(file.id, &scope.name, file.tree(), file.options);
    let mut error = None;
    // How running damaged text fails is of no interest: ytt does not even begin.
    let whole = file.tree().errors().is_empty();
    for _ in 0..=MAX_LEFT_OUT {
        match execute_compiled(file, scope.clone(), Code::Yaml, compiled.clone(), None, libraries) {
            Ok(executed) => {
                let set = DocumentSet {
                    documents: executed.documents,
                    is_template: true,
                    templated_keys: false,
                    issues: file.written().issues.clone(),
                    tail: Default::default(),
                };
                return Evaluated {
                    documents: Arc::new(set),
                    error: error.filter(|_| whole),
                    _lease: Some(executed.lease),
                };
            }
            Err(failure) => {
                let left_out = leave_out(file, &mut compiled, &failure, error.is_none());
                error.get_or_insert(*failure);
                if !left_out {
                    break;
                }
            }
        }
    }
    Evaluated { documents: file.written().clone(), error: error.filter(|_| whole), _lease: None }
}

/// Leaves out what made a run fail, and at the first time what is known to be half-typed. Says whether it could.
fn leave_out(file: &File, compiled: &mut Compiled, failure: &Failure, first: bool) -> bool {
    if !failure.error.kind.is_error() {
        return false;
    }
    let mut any = false;
    for issue in file.written().issues.iter().filter(|_| first) {
        any |= match issue {
            Issue::Arguments { span, .. } | Issue::Code { span, .. } => compiled.leave_out(span.start..span.end, false),
            // Without them all blocks are whole.
            Issue::HalfOpenBlock { span, closed: false }
            | Issue::UnclosedBlock { span }
            | Issue::UnexpectedEnd { span } => compiled.leave_out(span.start..span.end, true),
            _ => false,
        };
    }
    // The call that failed, rather than what it called.
    let mut own = failure.frames.iter().rev().filter(|(span, _)| span.file == file.id);
    any || own.any(|(span, _)| compiled.leave_out(span.start..span.end, false))
}

/// What kind of code a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Yaml,
    Text,
    /// It makes no documents.
    Starlark,
}

/// What a run made.
pub(crate) struct Executed {
    pub documents: Vec<Document>,
    /// What a text template came to.
    pub text: Option<String>,
    /// Functions in annotations of the documents are callable as long as it lives.
    pub lease: Lease,
}

/// Runs a file. `data_values`: as templates see them; schema and values files see none.
pub(crate) fn execute(
    file: &File,
    scope: Scope<'_>,
    code: Code,
    data_values: Option<&Data>,
    libraries: &dyn Libraries,
) -> Result<Executed, Box<Failure>> {
    let compiled = match code {
        Code::Yaml => compile(file.id, &scope.name, file.tree(), file.options),
        Code::Text | Code::Starlark => Compiled::text(file.id, &scope.name),
    };
    execute_compiled(file, scope, code, compiled, data_values, libraries)
}

fn execute_compiled(
    file: &File,
    scope: Scope<'_>,
    code: Code,
    compiled: Compiled,
    data_values: Option<&Data>,
    libraries: &dyn Libraries,
) -> Result<Executed, Box<Failure>> {
    let runner = scope.state.runner.clone();
    let evaluation = Evaluation {
        program: compiled.program.clone(),
        text: (code != Code::Yaml).then(|| file.text().to_string()),
        starlark: code == Code::Starlark,
        library: scope.library.clone(),
        data_values: data_values.cloned(),
        implicit_map_key_overrides: file.options.implicit_map_key_overrides,
    };
    let programs = RefCell::new(Programs { main: compiled, loaded: FxHashMap::default() });
    let loaded = Loaded { scope, programs, libraries };
    let evaluated = runner.evaluator.evaluate(&evaluation, &loaded);
    match (evaluated.result, evaluated.id) {
        (Ok(outcome), id) => {
            let id = id.unwrap_or(EvaluationId(0));
            let programs = loaded.programs.into_inner();
            let documents = documents(&outcome.documents, id, &programs.main, &programs);
            Ok(Executed { documents, text: outcome.text, lease: runner.lease(id, programs) })
        }
        (Err(error), _) => Err(Box::new(loaded.failure(error, file.id))),
    }
}

/// Evaluates private libraries for the templates of one library.
pub(crate) trait Libraries {
    /// Answers a template; `documents` are what it gave, in order.
    fn run(&self, request: &LibraryRequest, given: Vec<Document>) -> Result<LibraryAnswer, EvalError>;
}

/// The libraries beside files of which nobody knows what is given to ytt with them: there is only one place
/// where a library of that name can lie.
struct LibrariesBeside<'s> {
    state: &'s State,
    /// Where paths inside ytt begin.
    root: PathBuf,
    /// The file that is run.
    main: FileId,
}

impl Libraries for LibrariesBeside<'_> {
    fn run(&self, request: &LibraryRequest, given: Vec<Document>) -> Result<LibraryAnswer, EvalError> {
        let unknown = |message: &str| Err(EvalError::new(EvalErrorKind::Unsupported, message));
        let directory = self.root.join(&request.directory);
        // A link must not lead code out of the workspace.
        let reach = self.state.bounds_of(&self.root.join(crate::config::FILE_NAME));
        let below = match reach.files_below(&directory, MAX_ENTRIES, &|_| true) {
            Ok(below) => below,
            Err(problem) => return unknown(&format!("the library cannot be listed: {problem}")),
        };
        let mut inputs: Vec<InputFile> = below
            .files
            .into_iter()
            .map(|path| {
                let name = crate::path::shown(&self.root, &path);
                InputFile::new(Source::Path(path), name.clone(), name)
            })
            .collect();
        inputs.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        let is_code = |input: &&InputFile| matches!(input.role, Role::YamlTemplate | Role::Library);
        let missing = inputs.iter().filter(is_code).filter(|input| file_of(self.state, input).is_none());
        let mut complete = true;
        for input in missing {
            complete = false;
            // The workspace may still be scanned: then it will be known, and the file run again.
            if let Source::Path(path) = &input.source {
                self.state.loaded.note(path, self.main);
            }
        }
        if !complete {
            return unknown("some files of the library are ignored here; name the input set in lofting.toml");
        }
        let set = WorkspaceSet::of_library(inputs, reach);
        let render = Render::new(self.state, &set);
        let level = Level::unaddressed(&render, "");
        Asker { render: &render, level: &level }.run(request, given)
    }
}

/// Hands files to the evaluator and keeps the programs among them.
struct Loaded<'s> {
    scope: Scope<'s>,
    programs: RefCell<Programs>,
    libraries: &'s dyn Libraries,
}

impl Loaded<'_> {
    /// A failure of `file` with places of the workspace.
    fn failure(&self, mut error: EvalError, file: FileId) -> Failure {
        // One level: what is told besides has nothing besides.
        let also = std::mem::take(&mut error.also);
        let placed = |error: EvalError| {
            let frames = error.frames.iter().filter_map(|frame| {
                let span = self.scope.span_of(frame.place.as_ref()?)?;
                Some((span, frame.function.clone()))
            });
            let mut frames: Vec<(Span, String)> = frames.collect();
            if frames.is_empty() {
                frames.push((Span::new(file, 0..0), String::new()));
            }
            Failure { error, frames, also: Vec::new() }
        };
        let also = also.into_iter().map(placed).collect();
        Failure { also, ..placed(error) }
    }

    /// What a template gave to a library, as a document. What code made stands where the call does.
    fn given(&self, given: &Given) -> Document {
        let start = Span::new(self.scope.main, 0..0);
        let span = given.place.as_ref().and_then(|place| self.scope.span_of(place)).unwrap_or(start);
        let value = value_node(&given.value, EvaluationId::CALLER, span, &*self.programs.borrow());
        Document { span, marker: Some(span), notes: Notes::default(), value, conditional: false }
    }
}

impl LibraryFiles for Loaded<'_> {
    fn library(&self, name: &str) -> LibraryFile {
        let kind = NameKind::of(name);
        if let (Some(text), NameKind::Starlark) = (self.scope.given(name), kind) {
            return LibraryFile::Starlark(text.to_owned());
        }
        let Some(path) = self.scope.path_of(name) else { return LibraryFile::Missing };
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
                self.programs.borrow_mut().loaded.insert(name.to_owned(), compiled);
                LibraryFile::Template(Box::new(program))
            }
        }
    }

    fn read(&self, name: &str) -> Option<String> {
        if let Some(text) = self.scope.given(name) {
            return Some(text.to_owned());
        }
        let path = self.scope.path_of(name)?;
        self.scope.state.loaded.note(&path, self.scope.main);
        self.scope.text_of(&path)
    }

    fn list(&self, below: &str) -> Vec<String> {
        self.scope.list(below)
    }

    fn find(&self, from: &str, name: &str) -> Option<String> {
        self.scope.find(from, name)
    }

    fn run(&self, request: &LibraryRequest, _caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        for path in self.scope.paths_below(&request.directory) {
            self.scope.state.loaded.note(&path, self.scope.main);
        }
        // The evaluator itself can be asked about functions of the template that waits.
        self.libraries.run(request, request.given.iter().map(|given| self.given(given)).collect())
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
