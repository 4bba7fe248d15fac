//! The checks of one input set.

use crate::command_line::coverage::Coverage;
use crate::command_line::report::{CheckReport, CheckedFile};
use crate::disk::Reach;
use crate::evaluation::Need;
use crate::files::file::{BY_YTT, File, Origin};
use crate::findings::calls::{CallReport, only_call_of};
use crate::input_sets::sets::{
    FileRole, FlagPlace, FlagValue, SetOrigin, Sets, WorkspaceSet, parts, plain_for_libraries,
};
use crate::inputs::NameKind;
use crate::inputs::{InputSet, Role, Source};
use crate::render::{Around, LibraryValues, Origins, Rendered, RenderedFile, output_findings, render};
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::source::TextSource;
use crate::state::State;
use crate::threads::{map, threads};
use crate::workspace::Workspace;
use lofting_check::{Diagnostic, Severity, Stage};
use lofting_document::{FileId, Node, Options};
use lofting_eval::Evaluator;
use lofting_memo::CancelFlag;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which languages are looked for in the files of an input set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Languages {
    All,
    /// What other languages say about a file does not keep ytt from rendering it.
    Ytt,
}

/// What runs the code of a call.
enum Runs<'a> {
    /// This evaluator.
    By(Arc<dyn Evaluator>),
    /// The one that is chosen once all files are read.
    Chosen(&'a dyn Fn(AllRead) -> Arc<dyn Evaluator>),
}

/// What was read of the files of a call.
#[derive(Debug, Clone, Copy)]
pub struct AllRead {
    /// The size of their texts, in bytes.
    pub size: usize,
    /// Some are not held in memory: they are large, or not text, and it is not known whether code asks for them.
    pub is_partial: bool,
    /// Code may pass values to private libraries.
    pub passes_values: bool,
}

/// Checks the inputs of one `ytt` call.
pub fn check_input_set(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> CheckReport {
    checked(inputs, &Runs::By(evaluator), Languages::All)
}

fn checked(inputs: &InputSet, runs: &Runs<'_>, languages: Languages) -> CheckReport {
    let (mut workspace, order, names) = workspace_of(inputs, languages, runs);
    let evaluator = match runs {
        Runs::By(evaluator) => Arc::clone(evaluator),
        Runs::Chosen(choose) => choose(all_read(&mut workspace, inputs)),
    };
    workspace.set_evaluator(evaluator);
    read_ahead(&workspace.state, &order);
    let snapshot = workspace.evaluate(&order, Need::Values, threads_for(&workspace.state, CODE));
    let cancel = CancelFlag::new();
    let files: Vec<CheckedFile> = files_of(&snapshot, &order, &names, &cancel);
    let mut report = CheckReport {
        snapshot,
        files,
        names,
        messages: Vec::new(),
        unchecked: Vec::new(),
        coverage: Coverage::default(),
        earlier: None,
    };
    tell_where_it_happened(&mut report);
    tell_of_loaded_files(&mut report);
    tell_causes_only(&mut report);
    report.files.sort_by(|a, b| a.shown.cmp(&b.shown));
    report
}

/// Moves a failure in a loaded file to that file, where it is reported once instead of in every file that loads it.
fn tell_where_it_happened(report: &mut CheckReport) {
    let state = report.snapshot.state.clone();
    let mut moved: Vec<Diagnostic> = Vec::new();
    for checked in &mut report.files {
        let evaluated = state.file(checked.file).and_then(|file| state.evaluations.of(file));
        let failures = evaluated.and_then(|evaluated| evaluated.error.as_ref());
        for failure in failures.into_iter().flat_map(|failure| std::iter::once(failure).chain(&failure.also)) {
            let inner = failure.file().filter(|file| *file != checked.file && failure.error.kind.is_error());
            let (Some(here), Some(there)) =
                (failure.finding(checked.file), inner.and_then(|file| failure.finding(file)))
            else {
                continue;
            };
            if checked.diagnostics.contains(&here) {
                checked.diagnostics = checked.diagnostics.iter().filter(|finding| **finding != here).cloned().collect();
                let is_same = |known: &&mut Diagnostic| known.span == there.span && known.message == there.message;
                match moved.iter_mut().find(is_same) {
                    Some(known) => known.related.extend(there.related),
                    None => moved.push(there),
                }
            }
        }
    }
    moved.into_iter().for_each(|finding| report.add(finding.span.file, vec![finding]));
}

/// Drops findings that ytt would not reach and that may be consequences of what stops ytt: without the values of a file
/// that cannot be read or run, all merged values differ.
fn tell_causes_only(report: &mut CheckReport) {
    let is_error = |finding: &&Diagnostic| finding.severity == Severity::Error;
    let is_of_file = |finding: &Diagnostic| lofting_check::rules::OF_FILES.contains(&finding.code().as_ref());
    // A file that cannot be read is a cause, whatever else is found.
    let stops = |finding: &Diagnostic| {
        let by_stage = matches!(finding.stage, Stage::Parse | Stage::Template);
        by_stage && *finding.rule != lofting_check::rules::UNREADABLE_FILE || is_of_file(finding)
    };
    let stopped = |checked: &CheckedFile| checked.diagnostics.iter().filter(is_error).any(stops);
    // Templates are only run with the final values.
    let state = report.snapshot.state.clone();
    let is_early = |checked: &CheckedFile| {
        let holds = state.file(checked.file).map(|file| file.holds());
        let template = holds.is_some_and(|holds| holds.template && !holds.schema && !holds.values);
        let before_code = |finding: &Diagnostic| finding.stage == Stage::Parse || is_of_file(finding);
        !template || checked.diagnostics.iter().filter(is_error).any(before_code)
    };
    if !report.files.iter().any(|checked| stopped(checked) && is_early(checked)) {
        return;
    }
    let wrong: Vec<String> = report.files.iter().filter(|file| stopped(file)).map(|file| file.shown.clone()).collect();
    for checked in &mut report.files {
        let here = checked.diagnostics.iter().filter(is_error);
        let damaged = here.clone().any(|finding| finding.stage == Stage::Parse);
        let own = stopped(checked);
        let first_of_file = here.clone().find(|finding| is_of_file(finding)).cloned();
        let shown = checked.shown.clone();
        // A file that cannot be loaded has findings of its own.
        let loads_wrong = |finding: &Diagnostic| {
            let path = finding.message.strip_prefix("cannot load ").and_then(|rest| rest.split_once(": "));
            let is_loaded = |name: &String| path.is_some_and(|(path, _)| *name != shown && ends_with_path(name, path));
            wrong.iter().any(is_loaded)
        };
        let hidden = |finding: &Diagnostic| match finding.stage {
            _ if is_of_file(finding) => damaged || first_of_file.as_ref().is_some_and(|first| first != finding),
            Stage::Template => damaged || loads_wrong(finding),
            Stage::Schema => own,
            Stage::Overlay | Stage::Type | Stage::Validation => true,
            _ => false,
        };
        let hidden = |finding: &Diagnostic| finding.severity == Severity::Error && hidden(finding);
        if checked.diagnostics.iter().any(hidden) {
            checked.diagnostics = checked.diagnostics.iter().filter(|finding| !hidden(finding)).cloned().collect();
        }
    }
}

/// Whether a file's path ends with the parts of a path in code.
fn ends_with_path(name: &str, path: &str) -> bool {
    let path = path.trim_start_matches('/');
    name.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Adds the syntax errors of files that code loads: ytt stops at them.
fn tell_of_loaded_files(report: &mut CheckReport) {
    let state = report.snapshot.state.clone();
    let read = state.evaluations.iter().flat_map(|(_, evaluated)| evaluated.reads());
    let read: BTreeSet<&PathBuf> = read.map(|(path, _)| path).collect();
    for path in read {
        let Some(file) = state.file_at(path).filter(|_| NameKind::of_path(path) == NameKind::YamlLibrary) else {
            continue;
        };
        let mut found = lofting_check::check_syntax(file.id, file.tree(), BY_YTT);
        found.extend(lofting_check::check_documents(file.lowered(), &TextSource::All(&state)));
        found.retain(|finding| finding.severity == Severity::Error);
        if !found.is_empty() {
            report.add(file.id, found);
        }
    }
}

/// The result of rendering one `ytt` call.
pub struct Rendering {
    /// All findings.
    pub report: CheckReport,
    /// The files in ytt's order; None if there are errors or code was not evaluated.
    pub files: Option<Vec<RenderedFile>>,
    /// The merged values.
    pub(crate) call: Option<Arc<CallReport>>,
    /// The data values of private libraries.
    pub(crate) library_values: LibraryValues,
}

impl Rendering {
    /// The layers of a rendered value: overlays first, the template last.
    pub fn origins(&self, node: &Node) -> Vec<crate::render::Origin> {
        let Some(call) = &self.call else { return Vec::new() };
        let state = &self.report.snapshot.state;
        Origins { state, values: &call.values, library_values: &self.library_values }.of(node)
    }
}

/// Checks the inputs of one `ytt` call and, if there are no errors, renders their templates.
pub fn render_input_set(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> Rendering {
    rendered(inputs, &Runs::By(evaluator), Languages::All)
}

/// Renders the inputs of one `ytt` call as `ytt` does, which knows no language but its own.
pub fn render_as_ytt(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> Rendering {
    rendered(inputs, &Runs::By(evaluator), Languages::Ytt)
}

/// Renders the inputs of one `ytt` call as `ytt` does, with the evaluator that is chosen once all files are read. Unless
/// something is [`AllRead::is_partial`], nothing is read, opened or started from then on.
pub fn render_after_reading(inputs: &InputSet, choose: &dyn Fn(AllRead) -> Arc<dyn Evaluator>) -> Rendering {
    rendered(inputs, &Runs::Chosen(choose), Languages::Ytt)
}

/// How many bytes of files are read that nothing may ask for.
const MOST_READ: u64 = 4 << 20;

/// Reads what code may ask for later.
fn all_read(workspace: &mut Workspace, inputs: &InputSet) -> AllRead {
    // The number of processors is in files of the system.
    let _ = threads();
    let mut left = MOST_READ;
    let mut is_partial = false;
    for file in &inputs.files {
        let Source::Path(path) = &file.source else { continue };
        if workspace.state.file_at(path).is_some() {
            continue;
        }
        match Reach::of_user().stat(path).map(|stat| stat.size) {
            Some(size) if size <= left => {
                left -= size;
                workspace.add_input(path, Reach::of_user());
            }
            Some(_) => is_partial = true,
            None => {}
        }
    }
    // What is not text is read again when code asks for it.
    is_partial |= workspace.state.files.iter().any(|file| file.exists() && file.problem().is_some());
    let texts = || workspace.state.files.iter().map(|file| file.text());
    AllRead {
        size: texts().map(|text| text.len()).sum(),
        is_partial,
        passes_values: texts().any(|text| String::from(text).contains("with_data_values")),
    }
}

fn rendered(inputs: &InputSet, runs: &Runs<'_>, languages: Languages) -> Rendering {
    let mut report = checked(inputs, runs, languages);
    // Running the code tells what it reads, and also which code is never reached.
    let read_statically = |finding: &Diagnostic| lofting_check::rules::READ_STATICALLY.contains(&finding.rule);
    for file in &mut report.files {
        if file.diagnostics.iter().any(read_statically) {
            file.diagnostics = file.diagnostics.iter().filter(|finding| !read_statically(finding)).cloned().collect();
        }
    }
    if !report.is_ok() {
        return Rendering { report, files: None, call: None, library_values: LibraryValues::default() };
    }
    let state = report.snapshot.state.clone();
    let (Some(set), Some(run)) = (state.sets.sets.first(), only_call_of(&state, 0)) else {
        return Rendering { report, files: None, call: None, library_values: LibraryValues::default() };
    };
    let Rendered { files, findings, library_values } =
        render(&state, set, &run.values, None, threads_for(&state, CODE), &CancelFlag::new());
    let mut by_file: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
    let of_output = match (&languages, &files) {
        (Languages::All, Some(files)) => output_findings(&state, files, Around::Nothing, &CancelFlag::new()),
        _ => Vec::new(),
    };
    for finding in findings.into_iter().chain(of_output) {
        by_file.entry(finding.span.file).or_default().push(finding);
    }
    for (file, found) in by_file {
        report.add(file, found);
    }
    report.files.sort_by(|a, b| a.shown.cmp(&b.shown));
    Rendering { report, files, call: Some(run), library_values }
}

/// Texts of this size in bytes, all together, are worth a thread that looks at them.
const LARGE: usize = 64 * 1024;
/// Texts of this size in bytes, all together, are worth a thread that runs their code.
const CODE: usize = 16 * 1024;

/// How many threads work on the files of a set, if texts of so many bytes are worth one.
fn threads_for(state: &State, worth: usize) -> usize {
    let size: usize = state.files.iter().map(|file| file.text().len()).sum();
    threads().min(size / worth + 1)
}

/// Reads the templates among the files that are checked in parallel, because what depends on several of them would read
/// these one by one. Of others, not everything may be needed.
fn read_ahead(state: &State, checked: &[FileId]) {
    let files = checked.iter().filter_map(|file| state.file(*file));
    let files: Vec<&Arc<File>> = files.filter(|file| file.facts.ytt).collect();
    match threads_for(state, LARGE) {
        1 => {}
        several => drop(map(several, &files, 1, |file| drop(file.lowered().clone()))),
    }
}

fn files_of(
    snapshot: &Snapshot,
    order: &[FileId],
    names: &FxHashMap<FileId, String>,
    cancel: &CancelFlag,
) -> Vec<CheckedFile> {
    map(threads_for(&snapshot.state, LARGE), order, 1, |file| CheckedFile {
        file: *file,
        shown: names.get(file).cloned().unwrap_or_default(),
        diagnostics: snapshot.diagnostics(*file, cancel),
    })
}

/// A workspace with only the inputs of one `ytt` call, the files that ytt reads, and their names in messages.
fn workspace_of(
    inputs: &InputSet,
    languages: Languages,
    runs: &Runs<'_>,
) -> (Workspace, Vec<FileId>, FxHashMap<FileId, String>) {
    let mut workspace = Workspace::new(Vec::new(), Settings::default());
    workspace.only_ytt = languages == Languages::Ytt;
    workspace.options = Options {
        ignore_unknown_comments: inputs.options.ignore_unknown_comments,
        implicit_map_key_overrides: inputs.options.implicit_map_key_overrides,
        strict: inputs.options.strict,
        ..Options::default()
    };
    let mut names = FxHashMap::default();
    let mut known: FxHashMap<PathBuf, FileId> = FxHashMap::default();
    let mut is_prepared = false;
    let mut number = |source: &Source, name: &str| {
        let id = match source {
            Source::Path(path) => match known.get(path) {
                Some(known) => *known,
                None => {
                    let id = workspace.add_input(path, Reach::of_user());
                    known.insert(path.clone(), id);
                    let evaluator = if let Runs::By(evaluator) = runs { Some(evaluator) } else { None };
                    if let Some(evaluator) = evaluator.filter(|_| !is_prepared)
                        && workspace.state.file(id).is_some_and(|file| file.facts.code)
                    {
                        evaluator.prepare();
                        is_prepared = true;
                    }
                    id
                }
            },
            Source::Text(text) => {
                let id = workspace.id_of(Path::new(name));
                workspace.set_text(id, Origin::Given, text);
                id
            }
        };
        names.entry(id).or_insert_with(|| name.to_owned());
        Some(id)
    };
    let parts = parts(inputs, &mut number);
    let plain_for_libraries = plain_for_libraries(inputs, &mut number);
    // Files of libraries and loaded files, because findings can lie in them.
    for file in inputs.files.iter().filter(|file| file.role != Role::Data || file.for_output == Some(true)) {
        number(&file.source, &file.shown);
    }
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    for (id, part) in &parts {
        if *part != FileRole::Other && seen.insert(*id) {
            order.push(*id);
        }
    }
    let mut flags = Vec::new();
    for value in &inputs.data_values {
        let id = workspace.add_given(&value.origin, &value.written);
        names.insert(id, value.origin.clone());
        order.push(id);
        flags.push(FlagValue { value: value.clone(), file: id, place: FlagPlace::Text(0) });
    }
    let of_part = |part: FileRole| parts.iter().filter(|(_, other)| *other == part).map(|(id, _)| *id).collect();
    let set = WorkspaceSet {
        name: None,
        origin: SetOrigin::Flags,
        templates: of_part(FileRole::Template),
        plain: of_part(FileRole::PlainValues),
        alternatives: Vec::new(),
        plain_for_libraries,
        options: inputs.options,
        reach: Reach::of_user(),
        inputs: inputs.files.as_slice().into(),
        errors: Vec::new(),
        left_out: Vec::new(),
        flags,
    };
    let flag_parts: Vec<(FileId, FileRole)> = set.flags.iter().map(|flag| (flag.file, FileRole::Flag)).collect();
    let mut sets = Sets::new();
    sets.add(set, parts.into_iter().chain(flag_parts));
    *workspace.change().sets = Arc::new(sets);
    (workspace, order, names)
}
