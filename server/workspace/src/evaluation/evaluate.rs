//! Runs the code of a file, with the files it loads.

use super::read_files::ReadFiles;
use super::runner::{Lease, Programs};
use super::underway::{Going, files_of_code};
use super::{Evaluated, Failure};
use crate::evaluation::scope::Scope;
use crate::files::file::{BY_YTT, File};
use crate::inputs::NameKind;
use lofting_document::{Document, DocumentSet, FileId, Issue, Node, NodeValue, Notes, Span};
use lofting_eval::{
    Call, Caller, Data, EvalError, Evaluation, EvaluationId, FileAnswer, FileQuestion, Given, LibraryAnswer,
    LibraryFile, LibraryFiles, LibraryRequest, NoFiles, OVERLAY_ITEM,
};
use lofting_memo::Stamp;
use lofting_syntax::Kind;
use lofting_template::{Compiled, FromLibraries, compile, documents, value_node};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// Runs the code of a file of a library, within the library's inputs.
pub(crate) fn evaluate_in(file: &File, scope: &Scope<'_>, libraries: &dyn Libraries) -> Arc<Evaluated> {
    let evaluated = run(file, scope, libraries, ReadFiles::default());
    if let (Some(runner), Some(failure)) = (&scope.state.runner, &evaluated.error) {
        runner.note(&failure.error);
    }
    Arc::new(evaluated)
}

/// How many parts of a file are left out before giving up.
const MAX_LEFT_OUT: usize = 8;

/// Runs a file. What fails is left out and the rest is run again, so that while one line is being typed, everything
/// else stays known.
pub(crate) fn run(file: &File, scope: &Scope<'_>, libraries: &dyn Libraries, read: ReadFiles) -> Evaluated {
    let mut compiled = compiled(file, &scope.name, Code::Yaml);
    let mut error = None;
    // A failure in damaged text is not reported, because ytt does not even run it.
    let whole = file.tree().errors_in(BY_YTT).is_empty() && !file.lowered().issues.iter().any(ends_compiling);
    let mut made = None;
    for _ in 0..=MAX_LEFT_OUT {
        match execute(file, scope.clone(), Code::Yaml, compiled.clone(), None, libraries, &read) {
            Ok(mut executed) => {
                if error.is_some() {
                    let values = executed.documents.iter_mut().map(|document| &mut document.value);
                    values.for_each(|value| forget_nulls_of_code(file, value));
                }
                let set = DocumentSet {
                    documents: executed.documents,
                    is_template: true,
                    templated_keys: false,
                    in_functions: false,
                    issues: file.lowered().issues.clone(),
                    tail: Default::default(),
                };
                made = Some((Arc::new(set), executed.lease));
                break;
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
    let (documents, lease) = match made {
        Some((documents, lease)) => (documents, lease),
        None => (file.lowered().clone(), None),
    };
    Evaluated {
        stamp: Stamp::next(),
        documents,
        error: error.filter(|_| whole),
        of: (file.revision, file.options),
        read: read.into_list(),
        _lease: lease,
    }
}

/// Leaves out the cause of a failure and, the first time, everything known to be half-typed. Returns whether anything
/// was left out.
fn leave_out(file: &File, compiled: &mut Compiled, failure: &Failure, first: bool) -> bool {
    if !failure.error.kind.is_error() {
        return false;
    }
    let mut any = false;
    for issue in file.lowered().issues.iter().filter(|_| first) {
        any |= match issue {
            Issue::Arguments { span, .. } | Issue::Code { span, .. } => compiled.leave_out(span.start..span.end, false),
            // Without these all blocks are closed.
            Issue::HalfOpenBlock { span, closed: false }
            | Issue::UnclosedBlock { span }
            | Issue::UnexpectedEnd { span }
            | Issue::CodeWithoutSpace { unclosed: Some(span), .. } => compiled.leave_out(span.start..span.end, true),
            _ => false,
        };
    }
    // The call in this file that failed, instead of the function it called.
    let calls = failure.frames.iter().position(|(_, function)| function == OVERLAY_ITEM);
    let calls = failure.frames.get(..calls.unwrap_or(failure.frames.len())).unwrap_or_default();
    let mut own = calls.iter().rev().filter(|(span, _)| span.file == file.id);
    any || own.any(|(span, _)| compiled.leave_out(span.start..span.end, false))
}

/// Takes the nulls that code of the file gave for unknown: something in it was left out, such as what a function returns.
fn forget_nulls_of_code(file: &File, value: &mut Node) {
    lofting_memo::step();
    match &mut value.value {
        NodeValue::Null if value.span.file == file.id => {
            let token = file.tree().token_at(value.span.range().start);
            if token.is_some_and(|token| token.kind() == Kind::Comment) {
                value.value = NodeValue::Unknown;
            }
        }
        NodeValue::Map(items) => items.values_mut().for_each(|value| forget_nulls_of_code(file, value)),
        NodeValue::Array(items) => items.iter_mut().for_each(|item| forget_nulls_of_code(file, &mut item.value)),
        _ => {}
    }
}

/// Whether ytt stops at it before running the file.
fn ends_compiling(issue: &Issue) -> bool {
    matches!(
        issue,
        Issue::OrdinaryComment { .. }
            | Issue::Arguments { .. }
            | Issue::Code { .. }
            | Issue::CodeAndValue { .. }
            | Issue::UnclosedBlock { .. }
            | Issue::HalfOpenBlock { .. }
            | Issue::UnexpectedEnd { .. }
            | Issue::CodeWithoutSpace { .. }
            | Issue::CodeAfterSlashEnd { .. }
    )
}

/// The kind of code in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Yaml,
    Text,
    /// It produces no documents.
    Starlark,
}

/// The result of a run.
pub(crate) struct Executed {
    pub documents: Vec<Document>,
    /// The text that a text template produced.
    pub text: Option<String>,
    /// Keeps functions in annotations of the documents callable, if there are annotations.
    pub lease: Option<Lease>,
    /// The library files whose code ran for it, as in [`lofting_eval::Outcome`].
    pub modules: Vec<String>,
    /// Runs of libraries' templates whose functions its documents pass on, if it has none of its own.
    of_libraries: Vec<Arc<Executed>>,
}

impl Executed {
    /// Whether functions in its documents may be called, so that it has to be kept as long as these.
    pub(crate) fn has_functions(&self) -> bool {
        self.lease.is_some() || !self.of_libraries.is_empty()
    }
}

/// What runs for a file that is called `name` inside ytt.
pub(crate) fn compiled(file: &File, name: &str, code: Code) -> Compiled {
    match code {
        Code::Yaml => compile(file.id, name, file.tree(), file.options),
        Code::Text | Code::Starlark => Compiled::text(file.id, name),
    }
}

/// Runs a file, which was compiled. `data_values` are those that templates see; schema and values files see none. `read`
/// gets the files that the code reads.
pub(crate) fn execute(
    file: &File,
    scope: Scope<'_>,
    code: Code,
    mut compiled: Compiled,
    data_values: Option<&Data>,
    libraries: &dyn Libraries,
    read: &ReadFiles,
) -> Result<Executed, Box<Failure>> {
    let runner = scope.state.runner.clone().unwrap_or_default();
    let evaluation = Evaluation {
        program: compiled.take_program(),
        text: (code != Code::Yaml).then(|| file.text_of_bytes()),
        starlark: code == Code::Starlark,
        library: scope.library.clone(),
        data_values: data_values.cloned(),
        implicit_map_key_overrides: file.options.implicit_map_key_overrides,
        proposed: file.has_proposal(),
    };
    let files = files_of_code(&file.path);
    let programs = RefCell::new(Programs {
        main: compiled,
        loaded: FxHashMap::default(),
        files_loaded: FxHashMap::default(),
        from_libraries: FromLibraries::default(),
        of_libraries: Vec::new(),
        files: files.clone(),
    });
    let going = runner.underway.begin(files);
    let loaded = Loaded { scope, programs, libraries, read, going, sees_values: data_values.is_some() };
    let evaluated = runner.evaluator.evaluate(&evaluation, &loaded);
    if !loaded.is_wanted() {
        lofting_memo::abandon();
    }
    match evaluated.result {
        Ok(outcome) => {
            let id = evaluated.id.unwrap_or(EvaluationId(0));
            let mut programs = loaded.programs.into_inner();
            let documents = documents(outcome.documents, id, &programs.main, &programs);
            // Asked only where there are functions: it looks at all that was made.
            let is_annotated = |documents: &[Document]| documents.iter().any(Document::has_annotations);
            let (text, modules) = (outcome.text, outcome.loaded);
            let mut executed = Executed { documents, text, lease: None, modules, of_libraries: Vec::new() };
            match evaluated.id {
                // An evaluation without a number has no functions of its own; it may pass on those of libraries.
                None if !programs.of_libraries.is_empty() && is_annotated(&executed.documents) => {
                    executed.of_libraries = std::mem::take(&mut programs.of_libraries);
                }
                Some(id) => {
                    executed.lease = Some(runner.lease(id, programs)).filter(|_| is_annotated(&executed.documents))
                }
                None => {}
            }
            Ok(executed)
        }
        Err(error) => Err(Box::new(loaded.failure(error, file.id))),
    }
}

/// Evaluates private libraries for the templates of one library.
pub(crate) trait Libraries {
    /// Answers the request of a template; `given` are the values it passed, in order.
    fn run(&self, request: &LibraryRequest, given: Vec<Document>) -> Result<LibraryResult, EvalError>;
}

/// What a template gets from a library.
pub(crate) enum LibraryResult {
    /// Its final data values, in the form for code.
    Values(Data),
    /// The output of its templates, and the runs that keep functions in annotations callable.
    Documents(Vec<Document>, Vec<Arc<Executed>>),
}

/// Passes files to the evaluator and keeps the programs among them.
struct Loaded<'s> {
    scope: Scope<'s>,
    programs: RefCell<Programs>,
    libraries: &'s dyn Libraries,
    read: &'s ReadFiles,
    going: Going<'s>,
    sees_values: bool,
}

impl Loaded<'_> {
    /// A failure of `file`, with places converted to those of the workspace.
    fn failure(&self, mut error: EvalError, file: FileId) -> Failure {
        // One level is enough: further errors have no further errors themselves.
        let also = std::mem::take(&mut error.also);
        let placed = |mut error: EvalError| {
            let frames = error.frames.iter().filter_map(|frame| {
                let span = self.scope.span_of(frame.place.as_ref()?)?;
                Some((span, frame.function.clone()))
            });
            let mut frames: Vec<(Span, String)> = frames.collect();
            if frames.is_empty() {
                frames.push((Span::new(file, 0..0), String::new()));
            }
            if self.reads_empty_values(&error, frames.first()) {
                let hint = "`data.values` has no keys while files with schemas and data values run";
                error.hint = Some(hint.to_owned());
            }
            Failure { error, frames, also: Vec::new() }
        };
        let also = also.into_iter().map(placed).collect();
        Failure { also, ..placed(error) }
    }

    /// Whether it fails because data values are not known yet, at this place (docs/ytt.md 16.1).
    fn reads_empty_values(&self, error: &EvalError, place: Option<&(Span, String)>) -> bool {
        let is_key = || error.message.starts_with("struct has no .") || error.message.ends_with(" not in struct");
        let text = |span: &Span| Some(self.scope.state.file(span.file)?.text().slice(span.range()).into_owned());
        let is_whole = |text: String| text.strip_prefix("data.values").is_some_and(|rest| rest.starts_with(['.', '[']));
        !self.sees_values && is_key() && place.and_then(|(span, _)| text(span)).is_some_and(is_whole)
    }

    /// A value that a template passed to a library, as a document. Values that code created are placed at the call.
    fn given(&self, given: &Given) -> Document {
        let start = Span::new(self.scope.main, 0..0);
        let span = given.place.as_ref().and_then(|place| self.scope.span_of(place)).unwrap_or(start);
        let value = value_node(&given.value, EvaluationId::CALLER, span, &*self.programs.borrow());
        Document { span, marker: Some(span), notes: Notes::default(), value, conditional: false }
    }
}

impl Loaded<'_> {
    /// Notes that code asked for a file.
    fn note(&self, path: &Path) {
        self.read.note(self.scope.state, path);
        self.going.reads(path);
    }

    /// Makes known which files' values the code sees.
    fn knows_values(&self) {
        if self.sees_values {
            self.going.sees_values(|| self.scope.files_of_values());
        }
    }

    fn load(&self, name: &str) -> LibraryFile {
        let kind = NameKind::of(name);
        if let (Some(text), NameKind::Starlark) = (self.scope.given(name), kind) {
            return LibraryFile::Starlark(text.to_owned());
        }
        let Some(path) = self.scope.path_of(name) else { return LibraryFile::Missing };
        if !matches!(kind, NameKind::YamlLibrary | NameKind::TextLibrary | NameKind::Starlark) {
            return LibraryFile::NotALibrary;
        }
        self.note(&path);
        if let Some(file) = self.scope.state.file_at(&path) {
            self.programs.borrow_mut().files_loaded.insert(name.to_owned(), file.id);
        }
        let text = match kind {
            NameKind::Starlark | NameKind::TextLibrary => self.scope.text_of_bytes(&path),
            _ => self.scope.text_of(&path),
        };
        let Some(text) = text else { return LibraryFile::Missing };
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
                let mut compiled = compile(id, name, &tree, options);
                let program = compiled.take_program();
                self.programs.borrow_mut().loaded.insert(name.to_owned(), compiled);
                LibraryFile::Template(Box::new(program))
            }
        }
    }

    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        if let Some(text) = self.scope.given(name) {
            return Some(text.as_bytes().to_owned());
        }
        let path = self.scope.path_of(name)?;
        self.note(&path);
        self.scope.bytes_of(&path)
    }
}

impl LibraryFiles for Loaded<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        match question {
            FileQuestion::Library(path) => FileAnswer::Library(self.load(path)),
            FileQuestion::Read(path) => FileAnswer::Read(self.bytes(path)),
            FileQuestion::List(below) => FileAnswer::List(self.scope.list(below)),
            FileQuestion::Find { from, name } => FileAnswer::Find(self.scope.find(from, name)),
        }
    }

    fn run(&self, request: &LibraryRequest, _caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        self.read.note_library();
        for path in self.scope.paths_below(&request.directory) {
            self.note(&path);
        }
        // What is evaluated for the library asks also whether this template is still wanted.
        self.knows_values();
        // The evaluator can call functions of the waiting template itself.
        let given = request.given.iter().map(|given| self.given(given)).collect();
        Ok(match self.libraries.run(request, given)? {
            LibraryResult::Values(values) => LibraryAnswer::Values(values),
            LibraryResult::Documents(documents, runs) => {
                let mut programs = self.programs.borrow_mut();
                programs.of_libraries.extend(runs);
                LibraryAnswer::Documents(programs.from_libraries.documents(&documents))
            }
        })
    }

    fn is_wanted(&self) -> bool {
        self.knows_values();
        self.going.is_wanted()
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        match &self.scope.state.runner {
            Some(runner) => runner.evaluator.call(evaluation, calls),
            None => NoFiles.call(evaluation, calls),
        }
    }
}
