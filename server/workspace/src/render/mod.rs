//! Rendering: all templates of a set evaluated with its final data values, private libraries evaluated when templates
//! ask for them, overlays applied to the result (docs/ytt.md 2, 14, 15).
//!
//! The result is documents and texts by file; printing them is left to others.

mod assumed;
mod findings;
mod gathered;
mod level;
mod libraries;
mod origin;
mod output;
mod overlays;
mod printed;
mod resources;
mod together;
mod values;

pub use assumed::AssumedSet;
pub(crate) use assumed::with_assumed_set;
pub(crate) use findings::{OutputFindings, SetFindings};
pub(crate) use level::Level;
pub(crate) use libraries::LibrariesOf;
pub use origin::MadeParts;
pub use origin::Origin;
pub(crate) use origin::Origins;
pub use output::{Output, OutputCall};
pub(crate) use output::{calls_of_set, output, output_calls, output_inputs};
pub(crate) use printed::{FoundInPrint, Printed, PrintedBySets, is_beyond_ytt};
pub(crate) use together::Around;

use crate::evaluation::scope::is_private;
use crate::evaluation::{Code, Executed, Failure, ReadFiles, RunId, Scope, compiled, execute, file_of};
use crate::files::file::File;
use crate::input_sets::sets::CallId;
use crate::input_sets::sets::{SetOrigin, WorkspaceSet};
use crate::inputs::NameKind;
use crate::inputs::{InputFile, Role};
use crate::state::State;
use crate::threads::map;
use gathered::{Gathered, Shared};
use level::Addressed;
use lofting_check::{
    Diagnostic, Related, Stage, evaluation_failed, is_not_evaluated, key_in_struct, not_evaluated, unused_for_library,
};
use lofting_document::{Document, FileId, Fingerprint, Fingerprints, Node, Span};
use lofting_eval::{Data, EvalError, EvalErrorKind};
use lofting_memo::CancelFlag;
use lofting_template::{Compiled, data_values};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One rendering of a set.
pub(crate) struct Render<'s> {
    pub state: &'s State,
    pub set: &'s WorkspaceSet,
    shared: Arc<Shared>,
    gathered: Mutex<Gathered>,
    /// The call that is rendered, if it is likely to be rendered again, and the number of this rendering.
    call: Option<(CallId, u64)>,
    /// Raised once the result is no longer needed.
    cancel: CancelFlag,
    /// How many threads run the set's own templates.
    threads: usize,
}

/// The final data values of instances of private libraries, by the files of these.
pub(crate) type LibraryValues = FxHashMap<FileId, Vec<Arc<Node>>>;

/// A library's own schema, without errors.
pub(crate) struct LibrarySchema {
    read: Option<lofting_dialect::Read>,
}

/// Why there is no result.
pub(crate) enum Stopped {
    /// The user's mistakes.
    Wrong(Vec<Diagnostic>),
    /// No error is known: code could not be run, or not to its end.
    Unknown(EvalError, Span),
}

/// A rendered file.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderedFile {
    /// Its path inside ytt, under which it is written.
    pub name: String,
    /// The template.
    pub template: FileId,
    /// Its content.
    pub content: RenderedContent,
}

/// The content of a rendered file.
#[derive(Debug, Clone, PartialEq)]
pub enum RenderedContent {
    /// The documents of a YAML file that are not empty. Each node has the span that its value comes from.
    Documents(Vec<Document>),
    /// The text of a file that is not YAML, which is written only to files.
    Text(String),
}

/// The result of rendering.
pub(crate) struct Rendered {
    /// The files in ytt's order; `None` if there are errors, or if something is not known.
    pub files: Option<Vec<RenderedFile>>,
    /// The errors.
    pub findings: Vec<Diagnostic>,
    /// The data values that templates of private libraries got.
    pub library_values: LibraryValues,
}

/// The files that determine a set's values and what is rendered.
pub(crate) fn files_of<'s>(state: &'s State, set: &'s WorkspaceSet) -> impl Iterator<Item = FileId> + 's {
    let config = match set.origin {
        SetOrigin::Config { file } => Some(file),
        _ => None,
    };
    let inputs = set.inputs.iter().filter_map(|input| Some(file_of(state, input)?.id));
    inputs.chain(set.plain.iter().copied()).chain(set.alternatives.iter().copied()).chain(config)
}

/// The files of a set whose errors keep it from being rendered. What is wrong in private libraries, rendering says of those
/// that a template evaluates.
pub(crate) fn own_files_of<'s>(state: &'s State, set: &'s WorkspaceSet) -> impl Iterator<Item = FileId> + 's {
    let is_own = |input: &InputFile| input.library.is_none();
    let own: FxHashSet<FileId> =
        set.inputs.iter().filter(|input| is_own(input)).filter_map(|input| Some(file_of(state, input)?.id)).collect();
    let private = set.inputs.iter().filter(move |input| !is_own(input));
    let private: FxHashSet<FileId> = private.filter_map(|input| Some(file_of(state, input)?.id)).collect();
    files_of(state, set).filter(move |file| own.contains(file) || !private.contains(file))
}

/// Renders the set with its final data values, in a number of threads. Once `cancel` is raised, the result is of no use.
/// What the templates of a `call` give is remembered for the next time.
pub(crate) fn render(
    state: &State,
    set: &WorkspaceSet,
    values: &Node,
    call: Option<CallId>,
    threads: usize,
    cancel: &CancelFlag,
) -> Rendered {
    let runs = state.runner.as_ref().map(|runner| &runner.last_runs);
    let call = call.and_then(|call| Some((call, runs?.begin())));
    let render = Render { call, threads, cancel: cancel.clone(), ..Render::new(state, set) };
    let level = Level::root(&render);
    let result = render.files(&level, values).map(|(files, _)| files);
    // After the first problem whose cause is unknown, no more templates ran.
    if let (Some(runs), Some((call, rendering)), Ok(_) | Err(Stopped::Wrong(_))) = (runs, call, &result) {
        runs.end(call, rendering);
    }
    let unused = render.unused(&level.into_it);
    let Gathered { notes: mut findings, library_values, .. } = render.gathered.into_inner();
    match result {
        Ok(files) => {
            findings.extend(unused);
            Rendered { files: Some(files), findings, library_values }
        }
        Err(stopped) => {
            match stopped {
                Stopped::Wrong(wrong) => findings.extend(wrong),
                // It is not known which libraries would have been evaluated.
                Stopped::Unknown(error, span) => findings.push(not_evaluated(span, &error.message)),
            }
            findings::drop_followers(&mut findings);
            Rendered { files: None, findings, library_values }
        }
    }
}

/// The data values of a library's templates.
struct TemplateValues {
    data: Data,
    fingerprint: Fingerprint,
    /// The files of the library that were loaded with them, by their paths inside ytt.
    loaded: Mutex<FxHashSet<String>>,
}

impl TemplateValues {
    /// Notes what was loaded for a file of a library. Private libraries inside it have values of their own.
    fn note_loaded(&self, level: &Level<'_>, run: &Executed) {
        let is_own = |path: &&String| path.strip_prefix(&level.directory).is_some_and(|path| !is_private(path));
        self.loaded.lock().extend(run.modules.iter().filter(is_own).cloned());
    }
}

/// Whether a file is evaluated only for what it might export.
fn is_only_loaded(input: &InputFile) -> bool {
    matches!(input.role, Role::Library | Role::Starlark) && !input.for_output.unwrap_or(false)
}

/// A file of a set or library, and what its template gave.
type Template<'l> = (&'l InputFile, &'l Arc<File>, Result<Option<Made>, Stopped>);

/// A file that is being rendered.
struct Made {
    content: RenderedContent,
    /// Functions in annotations of the documents are callable as long as it lives.
    run: Option<Arc<Executed>>,
}

/// What a run printed: a copy of it if the run is remembered as well, for later renderings.
fn content_of(run: &mut Arc<Executed>) -> RenderedContent {
    let (text, documents) = match Arc::get_mut(run) {
        Some(run) => (run.text.take(), std::mem::take(&mut run.documents)),
        None => (run.text.clone(), run.documents.clone()),
    };
    text.map_or(RenderedContent::Documents(documents), RenderedContent::Text)
}

impl Made {
    fn documents(documents: Vec<Document>) -> Made {
        Made { content: RenderedContent::Documents(documents), run: None }
    }

    fn text(text: String) -> Made {
        Made { content: RenderedContent::Text(text), run: None }
    }
}

impl<'s> Render<'s> {
    pub fn new(state: &'s State, set: &'s WorkspaceSet) -> Render<'s> {
        Render {
            state,
            set,
            shared: Arc::default(),
            gathered: Mutex::default(),
            call: None,
            cancel: CancelFlag::new(),
            threads: 1,
        }
    }

    /// This rendering for one template of several that run at the same time.
    fn apart(&self) -> Render<'s> {
        let Render { state, set, call, threads, .. } = *self;
        let (shared, cancel) = (Arc::clone(&self.shared), self.cancel.clone());
        Render { state, set, shared, gathered: Mutex::default(), call, cancel, threads }
    }

    /// Keeps findings about code that was not evaluated, of a library without findings that stop it.
    fn note(&self, findings: &[Diagnostic]) {
        let found = findings.iter().filter(|finding| is_not_evaluated(finding));
        self.gathered.lock().note(found.cloned());
    }

    /// What is wrong with values and schemas that are addressed to libraries which did not get them.
    fn unused(&self, addressed: &[Addressed]) -> Vec<Diagnostic> {
        let used = &self.gathered.lock().used;
        let unused = addressed.iter().filter(|addressed| !used.contains(&addressed.place));
        unused.map(|addressed| unused_for_library(addressed.place, &addressed.address)).collect()
    }

    /// Records that a library got what is addressed to it.
    fn uses(&self, addressed: &Addressed) {
        self.gathered.lock().used.insert(addressed.place);
    }

    /// The documents of all templates of a library, with the runs that keep functions in their annotations callable.
    fn documents(&self, level: &Level<'s>, values: &Node) -> Result<(Vec<Document>, Vec<Arc<Executed>>), Stopped> {
        let (files, mut runs) = self.files(level, values)?;
        let documents = files.into_iter().filter_map(|file| match file.content {
            RenderedContent::Documents(documents) => Some(documents),
            RenderedContent::Text(_) => None,
        });
        runs.retain(|run| run.has_functions());
        Ok((documents.flatten().collect(), runs))
    }

    /// Evaluates all templates of a library with its final data values, and returns what they rendered and the runs of
    /// their code. All failures are reported.
    fn files(&self, level: &Level<'s>, values: &Node) -> Result<(Vec<RenderedFile>, Vec<Arc<Executed>>), Stopped> {
        let nowhere = level.files.first().map_or(values.span, |(_, file)| Span::new(file.id, 0..0));
        if !values.is_known() {
            let message =
                "some data values are not known: code could not be evaluated, or too many default values are added";
            return Err(Stopped::Unknown(EvalError::new(EvalErrorKind::Unsupported, message), nowhere));
        }
        if !level.directory.is_empty() {
            self.note_values(level, values);
        }
        let data = data_values(values)
            .map_err(|(span, key)| Stopped::Wrong(vec![key_in_struct(span, &format!("`{key}`"))]))?;
        let fingerprint = Fingerprints::default().of(values);
        let values = TemplateValues { data, fingerprint, loaded: Mutex::default() };
        let mut rendered = Vec::new();
        let mut runs = Vec::new();
        let mut wrong = Vec::new();
        let templates = self.templates(level, &values);
        if self.cancel.is_cancelled() {
            return Err(Stopped::Unknown(EvalError::new(EvalErrorKind::Interrupted, "cancelled"), nowhere));
        }
        for (input, file, made) in templates {
            match made {
                Ok(None) => {}
                Ok(Some(made)) => {
                    rendered.push(RenderedFile { name: input.name.clone(), template: file.id, content: made.content });
                    runs.extend(made.run);
                }
                Err(Stopped::Wrong(findings)) => wrong.extend(findings),
                // Earlier findings are not lost.
                Err(Stopped::Unknown(error, span)) if !wrong.is_empty() => {
                    wrong.push(not_evaluated(span, &error.message));
                    break;
                }
                Err(unknown) => return Err(unknown),
            }
        }
        if !wrong.is_empty() {
            return Err(Stopped::Wrong(wrong));
        }
        // Functions in annotations of overlays are called while the runs live.
        let files = overlays::apply(self.state, rendered).map_err(Stopped::Wrong)?;
        Ok((files, runs))
    }

    /// The output of the files of a library, in their order, up to the first one of which nothing is known.
    fn templates<'l>(&self, level: &'l Level<'s>, values: &TemplateValues) -> Vec<Template<'l>> {
        // A template waits for its library, and keeps its worker meanwhile.
        let threads = if level.directory.is_empty() { self.threads } else { 1 };
        let unknown_from = AtomicUsize::new(usize::MAX);
        let make = |(index, (input, file)): &(usize, &'l (&'s InputFile, Arc<File>))| {
            if *index > unknown_from.load(Ordering::Relaxed) || self.cancel.is_cancelled() {
                return None;
            }
            let render = self.apart();
            let made = render.template(level, input, file, values);
            if matches!(made, Err(Stopped::Unknown(..))) {
                unknown_from.fetch_min(*index, Ordering::Relaxed);
            }
            Some((*index, *input, file, made, render.gathered.into_inner()))
        };
        // Libraries come last: most of them are loaded by then.
        let files = level.files.iter().enumerate();
        let (libraries, others): (Vec<_>, Vec<_>) = files.partition(|(_, (input, _))| is_only_loaded(input));
        let made = [others, libraries].into_iter().flat_map(|files| map(threads, &files, 1, make));
        let mut made: Vec<_> = made.flatten().collect();
        made.sort_unstable_by_key(|(index, ..)| *index);
        let mut templates = Vec::new();
        for (_, input, file, made, gathered) in made {
            self.gathered.lock().add(gathered);
            let is_last = matches!(made, Err(Stopped::Unknown(..)));
            templates.push((input, file, made));
            if is_last {
                break;
            }
        }
        templates
    }

    /// Records the values with which the files of a library are rendered.
    fn note_values(&self, level: &Level<'s>, values: &Node) {
        let values = Arc::new(values.clone());
        let mut gathered = self.gathered.lock();
        for (_, file) in &level.files {
            gathered.note_values(file.id, [values.clone()]);
        }
    }

    /// The output of one file, if it is rendered at all.
    fn template(
        &self,
        level: &Level<'s>,
        input: &InputFile,
        file: &Arc<File>,
        values: &TemplateValues,
    ) -> Result<Option<Made>, Stopped> {
        let holds = file.holds();
        let is_schema_or_values = input.role == Role::YamlTemplate && (holds.schema || holds.values);
        let is_library =
            matches!(NameKind::of(&input.name), NameKind::YamlLibrary | NameKind::TextLibrary | NameKind::Starlark);
        // Marks say what is rendered, but schema and values files never are; libraries are evaluated even if they are
        // not loaded, for what they might export.
        let is_output = match input.role {
            Role::Library | Role::Starlark => false,
            // A mark that makes a library plain leaves it a library.
            Role::YamlPlain | Role::TextPlain => !has_library_ending(&input.name),
            Role::YamlTemplate | Role::TextTemplate | Role::Data => true,
        };
        let rendered = !is_schema_or_values && input.for_output.unwrap_or(is_output);
        if !rendered {
            return match input.role {
                Role::Starlark => self.library_file(level, input, file, values).map(|()| None),
                Role::Library if is_library => self.library_file(level, input, file, values).map(|()| None),
                _ => Ok(None),
            };
        }
        let code = match input.role {
            Role::YamlTemplate if holds.template && !file.needs_run() => {
                return Ok(Some(Made::documents(file.lowered().documents.clone())));
            }
            Role::YamlTemplate if holds.template => Code::Yaml,
            Role::YamlTemplate | Role::YamlPlain => {
                let read = file.plain();
                values::stop_at_errors(values::parse_findings(self, file, &read))?;
                let mut documents = read.documents.clone();
                documents.iter_mut().for_each(Document::make_plain);
                return Ok(Some(Made::documents(documents)));
            }
            Role::TextTemplate => {
                let text = file.text_of_bytes();
                if !lofting_eval::code::is_text_template(&text) {
                    return Ok(Some(Made::text(text)));
                }
                Code::Text
            }
            Role::TextPlain => return Ok(Some(Made::text(file.text_of_bytes()))),
            Role::Starlark => return Err(Stopped::Wrong(vec![unknown_for_output(file)])),
            Role::Library => match NameKind::of(&input.name) {
                NameKind::YamlLibrary => Code::Yaml,
                NameKind::TextLibrary => Code::Text,
                _ => return Err(Stopped::Wrong(vec![unknown_for_output(file)])),
            },
            Role::Data if input.for_output == Some(true) => return Err(Stopped::Wrong(vec![unknown_for_output(file)])),
            Role::Data => return Ok(None),
        };
        let mut run = self.run(level, input, file, code, values).map_err(|failure| self.explain(&failure))?;
        Ok(Some(Made { content: content_of(&mut run), run: Some(run) }))
    }

    /// Runs the code of a file, unless it is known what it gives.
    fn run(
        &self,
        level: &Level<'s>,
        input: &InputFile,
        file: &Arc<File>,
        code: Code,
        values: &TemplateValues,
    ) -> Result<Arc<Executed>, Box<Failure>> {
        let id = |call: CallId| RunId {
            call,
            file: file.id,
            options: file.options,
            library: level.directory.clone(),
            name: input.name.clone(),
            values: values.fingerprint,
        };
        let runs = self.state.runner.as_ref().map(|runner| &runner.last_runs);
        let known = self.call.and_then(|(call, rendering)| Some((runs?, id(call), rendering)));
        if let Some(run) = known.as_ref().and_then(|(runs, id, rendering)| runs.get(self.state, file, id, *rendering)) {
            values.note_loaded(level, &run);
            return Ok(run);
        }
        let scope = Scope::in_set(self.state, self.set, &level.directory, file, &input.name);
        let read = ReadFiles::default();
        let compiled = self.compiled(level, file, &scope.name, code);
        let run =
            execute(file, scope, code, compiled, Some(&values.data), &LibrariesOf { render: self, level }, &read)?;
        let run = Arc::new(run);
        values.note_loaded(level, &run);
        if let Some((runs, id, rendering)) = known.filter(|_| !read.evaluated_library()) {
            runs.put(self.state, file, id, rendering, read.into_list(), &run);
        }
        Ok(run)
    }

    /// What runs for a file. All instances of a library share it.
    fn compiled(&self, level: &Level<'s>, file: &Arc<File>, name: &str, code: Code) -> Compiled {
        let new = || compiled(file, name, code);
        if level.directory.is_empty() || code != Code::Yaml {
            return new();
        }
        let key = (file.id, file.options, name.to_owned());
        self.shared.compiled.lock().entry(key).or_insert_with(new).clone()
    }

    /// Evaluates a library file to find its errors.
    fn library_file(
        &self,
        level: &Level<'s>,
        input: &InputFile,
        file: &Arc<File>,
        values: &TemplateValues,
    ) -> Result<(), Stopped> {
        let code = match NameKind::of(&input.name) {
            _ if input.role == Role::Starlark => Code::Starlark,
            NameKind::Starlark => Code::Starlark,
            NameKind::TextLibrary => Code::Text,
            _ => {
                values::stop_at_errors(values::text_findings(self, file))?;
                if !file.holds().template {
                    return Ok(());
                }
                Code::Yaml
            }
        };
        // The template that loaded it ran all of its code.
        if values.loaded.lock().contains(&input.name) {
            return Ok(());
        }
        match self.run(level, input, file, code, values) {
            Ok(_) => Ok(()),
            Err(failure) => match self.explain(&failure) {
                // The file that loads it reports this, and it may not be loaded at all.
                Stopped::Unknown(error, _) if error.kind == EvalErrorKind::Unsupported => Ok(()),
                stopped => Err(stopped),
            },
        }
    }

    /// Why a template failed: the position, or the errors in the library it evaluates.
    fn explain(&self, failure: &Failure) -> Stopped {
        let Some((span, _)) = failure.frames.first() else { return Stopped::Wrong(Vec::new()) };
        let error = &failure.error;
        match error.kind {
            EvalErrorKind::Library(number) => {
                let failures = self.shared.failures.lock();
                let mut findings = failures.get(number as usize).cloned().unwrap_or_default();
                for finding in &mut findings {
                    if (finding.span.file, finding.span.start) != (span.file, span.start) {
                        finding
                            .related
                            .push(Related { span: *span, message: "the library is evaluated here".to_owned() });
                    }
                }
                // Code that fails makes all its callers fail, as on a call stack.
                if findings.iter().any(|finding| finding.stage == Stage::Template) {
                    let mut finding = evaluation_failed(*span, &error.message, error.hint.as_deref(), &[]);
                    let inside = findings.iter().filter(|inner| inner.stage == Stage::Template);
                    for inner in inside {
                        finding.related.push(Related { span: inner.span, message: "it fails here".to_owned() });
                        let after = inner.related.iter().filter(|related| related.span != *span);
                        finding.related.extend(after.cloned());
                    }
                    findings.retain(|inner| inner.stage != Stage::Template);
                    findings.push(finding);
                }
                Stopped::Wrong(findings)
            }
            kind if kind.is_error() => {
                let mut findings =
                    vec![evaluation_failed(*span, &error.message, error.hint.as_deref(), &failure.frames)];
                findings.extend(failure.also.iter().filter_map(|other| other.finding(span.file)));
                Stopped::Wrong(findings)
            }
            _ => Stopped::Unknown(error.clone(), *span),
        }
    }

    /// The error that a template gets for a library without a result.
    fn tell(&self, stopped: Stopped) -> EvalError {
        match stopped {
            Stopped::Unknown(error, _) => EvalError { frames: Vec::new(), ..error },
            Stopped::Wrong(findings) => {
                let message = findings.first().map_or_else(String::new, |first| match &first.path {
                    Some(path) => format!("{path}: {}", first.message),
                    None => first.message.clone(),
                });
                let mut failures = self.shared.failures.lock();
                failures.push(findings);
                EvalError::new(EvalErrorKind::Library((failures.len() - 1) as u32), message)
            }
        }
    }
}

/// Whether a name ends in `.lib.` and something else (docs/ytt.md 3.2), which makes the file a library whatever it holds.
fn has_library_ending(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let mut parts = base.rsplit('.').skip(1);
    parts.next() == Some("lib") && parts.next().is_some()
}

/// A mark requests output for a file whose type ytt does not know.
fn unknown_for_output(file: &File) -> Diagnostic {
    let message = "this file is marked for output, but for ytt it is neither YAML nor text";
    evaluation_failed(Span::new(file.id, 0..0), message, Some("give it a type with another file mark"), &[])
}
