//! The checks of the command line: of one input set, or of a workspace.

use crate::association::bundles;
use crate::command_line::check_error::{CheckError, CheckProblem};
use crate::command_line::coverage::{self, Coverage};
use crate::command_line::progress::{CheckStep, Progress};
use crate::command_line::render_sets::render_sets;
use crate::command_line::report::{CheckReport, CheckedFile};
use crate::command_line::touched::touched;
use crate::disk::path::{normalise, shown};
use crate::disk::{Reach, StoredFolder, Volume};
use crate::evaluation::Need;
use crate::files::fetched::Fetch;
use crate::files::file::{BY_YTT, File, Origin};
use crate::files::scan::ScanProgress;
use crate::findings::calls::{CallReport, only_call_of};
use crate::findings::closed_files;
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
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which languages are looked for in the files of an input set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Languages {
    All,
    /// What other languages say about a file does not keep ytt from rendering it.
    Ytt,
}

/// Checks the inputs of one `ytt` call.
pub fn check_input_set(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> CheckReport {
    checked(inputs, evaluator, Languages::All)
}

fn checked(inputs: &InputSet, evaluator: Arc<dyn Evaluator>, languages: Languages) -> CheckReport {
    let (mut workspace, order, names) = workspace_of(inputs, languages, &*evaluator);
    workspace.set_evaluator(evaluator);
    read_ahead(&workspace.state);
    let snapshot = workspace.evaluate(&order, Need::Values, threads());
    let cancel = CancelFlag::new();
    let files: Vec<CheckedFile> = files_of(&snapshot, &order, &names, &cancel);
    let mut report = CheckReport {
        snapshot,
        files,
        names,
        messages: Vec::new(),
        unchecked: Vec::new(),
        coverage: Coverage::default(),
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
    rendered(inputs, evaluator, Languages::All)
}

/// Renders the inputs of one `ytt` call as `ytt` does, which knows no language but its own.
pub fn render_as_ytt(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> Rendering {
    rendered(inputs, evaluator, Languages::Ytt)
}

fn rendered(inputs: &InputSet, evaluator: Arc<dyn Evaluator>, languages: Languages) -> Rendering {
    let mut report = checked(inputs, evaluator, languages);
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
        render(&state, set, &run.values, None, threads(), &CancelFlag::new());
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

/// Texts of this size in bytes, all together, are worth a thread.
const LARGE: usize = 64 * 1024;

/// How many threads look at the files of a set.
fn threads_for(state: &State) -> usize {
    let size: usize = state.files.iter().map(|file| file.text().len()).sum();
    threads().min(size / LARGE + 1)
}

/// Reads files in parallel, because what depends on several of them would read these one by one.
fn read_ahead(state: &State) {
    let files: Vec<&Arc<File>> = state.files.iter().collect();
    match threads_for(state) {
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
    map(threads_for(&snapshot.state), order, 1, |file| CheckedFile {
        file: *file,
        shown: names.get(file).cloned().unwrap_or_default(),
        diagnostics: snapshot.diagnostics(*file, cancel),
    })
}

/// A workspace with only the inputs of one `ytt` call, the files that ytt reads, and their names in messages.
fn workspace_of(
    inputs: &InputSet,
    languages: Languages,
    evaluator: &dyn Evaluator,
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
                    if !is_prepared && workspace.state.file(id).is_some_and(|file| file.facts.code) {
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

/// Services that a check needs from outside this crate.
pub struct Outside<'a> {
    /// Runs code.
    pub evaluator: Arc<dyn Evaluator>,
    /// Fetches schemas; None to fetch nothing.
    pub fetch: Option<&'a dyn Fetch>,
    /// A text that stands for a file, whether or not there is one: what an editor pipes in. Its path is as given.
    pub unsaved: Option<(&'a str, &'a str)>,
    /// Is notified of each step.
    pub progress: Option<Progress<'a>>,
    /// Files that stand for those of a folder: what a revision holds.
    pub stored: Option<StoredFolder>,
    /// Which of the files are checked, by their names in messages; None for all of them.
    pub only: Option<&'a dyn Fn(&str) -> bool>,
    /// A folder as it was: files that the difference cannot touch are not checked, because nothing in them is new.
    pub since: Option<StoredFolder>,
    /// Whether input sets know all their files afterwards, so that they can be rendered.
    pub all_inputs: bool,
}

impl From<Arc<dyn Evaluator>> for Outside<'_> {
    fn from(evaluator: Arc<dyn Evaluator>) -> Self {
        Outside {
            evaluator,
            fetch: None,
            unsaved: None,
            progress: None,
            stored: None,
            only: None,
            since: None,
            all_inputs: false,
        }
    }
}

/// Checks all relevant files below `paths` (as given by the user, relative to `base`); files that are named are always
/// checked. Without paths, checks everything below `base`.
pub fn check_workspace<'a>(
    base: &Path,
    paths: &[String],
    settings: Settings,
    outside: impl Into<Outside<'a>>,
    cancel: &CancelFlag,
) -> Result<CheckReport, CheckError> {
    check_below(base, paths, settings, outside.into(), cancel)
}

/// Like [`check_workspace`], and also renders all input sets that contain a checked file.
pub fn render_workspace<'a>(
    base: &Path,
    paths: &[String],
    settings: Settings,
    outside: impl Into<Outside<'a>>,
    cancel: &CancelFlag,
) -> Result<CheckReport, CheckError> {
    let outside = Outside { all_inputs: true, ..outside.into() };
    let progress = outside.progress;
    let mut report = check_below(base, paths, settings, outside, cancel)?;
    progress.iter().for_each(|say| say(CheckStep::Rendering));
    render_sets(&mut report);
    Ok(report)
}

/// Checks all files below `base`; afterwards, input sets know all their files.
pub(crate) fn check_to_render(
    base: &Path,
    settings: Settings,
    evaluator: Arc<dyn Evaluator>,
    cancel: &CancelFlag,
) -> Result<CheckReport, CheckError> {
    check_below(base, &[], settings, Outside { all_inputs: true, ..evaluator.into() }, cancel)
}

fn check_below(
    base: &Path,
    paths: &[String],
    settings: Settings,
    outside: Outside<'_>,
    cancel: &CancelFlag,
) -> Result<CheckReport, CheckError> {
    let volume = Volume::of(outside.stored);
    let prepare = |workspace: &mut Workspace| {
        workspace.read_from(volume.clone());
        workspace.set_evaluator(outside.evaluator);
        workspace.change().most_calls = usize::MAX;
        if let Some((path, text)) = outside.unsaved {
            workspace.open(&normalise(base, Path::new(path)), 0, text);
        }
    };
    let is_there = |path: &str| outside.unsaved.is_some_and(|(unsaved, _)| unsaved == path);
    let say = |step: CheckStep| outside.progress.iter().for_each(|say| say(step));
    let mut reading = |scan: ScanProgress| say(CheckStep::Reading { files: scan.files });
    let (mut workspace, mut wanted) =
        workspace_given((base, &volume), paths, settings, prepare, is_there, &mut reading, cancel)?;
    if outside.all_inputs {
        workspace.take_all_inputs();
    }
    wanted.sort_by(|a, b| (&a.1, a.0).cmp(&(&b.1, b.0)));
    wanted.dedup_by_key(|(id, ..)| *id);
    let touched = outside.since.and_then(|since| touched(&workspace, &since));
    wanted.retain(|(id, ..)| touched.as_ref().is_none_or(|touched| touched.contains(id)));
    let is_asked = |name: &str| outside.only.is_none_or(|only| only(name));
    // What files need from bundles is reported where a `lofting.toml` names these, whichever files are asked for.
    if !bundles::are_configured(&workspace.state) {
        wanted.retain(|(_, name, _)| is_asked(name));
    }
    let checked: Vec<FileId> = wanted.iter().map(|(id, ..)| *id).collect();
    say(CheckStep::Schemas);
    workspace.find_schemas_of(&checked, outside.fetch);
    let mut messages = workspace.take_messages();
    messages.dedup();
    let mut names: FxHashMap<FileId, String> = FxHashMap::default();
    for (id, name, _) in &wanted {
        names.entry(*id).or_insert_with(|| name.clone());
    }
    let need = if outside.all_inputs { Need::Values } else { Need::Findings };
    say(CheckStep::Code);
    let snapshot = workspace.evaluate(&checked, need, threads());
    wanted.retain(|(_, name, _)| is_asked(name));
    let found = check_files(&snapshot, &wanted, &say, cancel);
    let files = wanted
        .into_iter()
        .zip(found)
        .filter_map(|((file, shown, _), found)| Some(CheckedFile { file, shown, diagnostics: found? }))
        .collect();
    // Related places can lie in files that are not below the paths.
    for id in snapshot.files() {
        names.entry(id).or_insert_with(|| shown(base, snapshot.path(id)));
    }
    let unchecked = coverage::unchecked(&snapshot.state, &checked);
    let coverage = Coverage::of(&snapshot.state, &checked);
    let at_entries = coverage::at_entries(&snapshot.state, &checked);
    let mut report = CheckReport { snapshot, files, names, messages, unchecked, coverage };
    for (config, finding) in at_entries {
        if is_asked(report.name(config)) {
            report.add(config, vec![finding]);
        }
    }
    Ok(report)
}

/// A file from the command line: its id, its name in messages, and whether it was named directly.
pub(crate) type GivenFile = (FileId, String, bool);

/// The workspace for paths on the command line, and the files they name or contain; some may occur twice. `is_there`:
/// the workspace knows a path without the disk, once it is prepared. `volume`: where the files are.
pub(crate) fn workspace_given(
    (base, volume): (&Path, &Volume),
    paths: &[String],
    settings: Settings,
    prepare: impl FnOnce(&mut Workspace),
    is_there: impl Fn(&str) -> bool,
    progress: &mut dyn FnMut(ScanProgress),
    cancel: &CancelFlag,
) -> Result<(Workspace, Vec<GivenFile>), CheckError> {
    let user = Reach::of_user().on(volume);
    let here = [".".to_owned()];
    let given: Vec<(&String, PathBuf)> = match paths {
        [] => here.iter(),
        paths => paths.iter(),
    }
    .map(|path| (path, normalise(base, Path::new(path))))
    .collect();
    for (written, path) in &given {
        if !is_there(written) && user.look(path).is_err() {
            return Err(CheckError::of(written, CheckProblem::Missing));
        }
    }
    let mut workspace = Workspace::new(roots(base, &user, &given), settings);
    prepare(&mut workspace);
    workspace.scan(progress, cancel);
    let mut wanted: Vec<GivenFile> = Vec::new();
    for (written, path) in &given {
        if user.is_directory(path) {
            let below = workspace.state.index.directories_below(path).flat_map(|(_, files)| files);
            let prefix = written.trim_end_matches('/');
            for id in below {
                let Some(file) = workspace.state.file(*id) else { continue };
                let relative = shown(path, &file.path);
                let name = if matches!(prefix, "." | "") { relative } else { format!("{prefix}/{relative}") };
                wanted.push((*id, name, false));
            }
        } else {
            let id = workspace.add_named(path);
            wanted.push((id, (*written).clone(), true));
        }
    }
    Ok((workspace, wanted))
}

/// The findings of all files, made by several threads; None for files that do not count. Neighbouring files go to one
/// thread, because they share a schema.
fn check_files(
    snapshot: &Snapshot,
    wanted: &[(FileId, String, bool)],
    progress: Progress<'_>,
    cancel: &CancelFlag,
) -> Vec<Option<Arc<[Diagnostic]>>> {
    let done = AtomicUsize::new(0);
    map(threads(), wanted, BATCH, |(file, _, named)| {
        let found = closed_files::findings(&snapshot.state, *file, *named, cancel).map(|found| found.list);
        progress(CheckStep::Checking { done: done.fetch_add(1, Ordering::Relaxed) + 1, of: wanted.len() });
        found
    })
}

/// How many files a thread takes at a time.
const BATCH: usize = 16;

/// The folders to search for schemas: `base` for paths inside it, otherwise the path itself.
fn roots(base: &Path, user: &Reach, given: &[(&String, PathBuf)]) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for (_, path) in given {
        let root = if path.starts_with(base) {
            base.to_owned()
        } else if user.is_directory(path) {
            path.clone()
        } else {
            path.parent().unwrap_or(path).to_owned()
        };
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    roots
}
