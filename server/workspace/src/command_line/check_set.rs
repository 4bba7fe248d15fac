//! The checks of one input set.

use crate::command_line::check_below::Outside;
use crate::command_line::coverage::{self, Coverage};
use crate::command_line::report::{CheckReport, CheckedFile};
use crate::disk::Reach;
use crate::disk::path::shown;
use crate::evaluation::Need;
use crate::files::fetched::Fetch;
use crate::files::file::{BY_YTT, File, Origin};
use crate::findings::calls::{CallReport, only_call_of};
use crate::findings::levels;
use crate::input_sets::sets::{
    FileRole, FlagPlace, FlagValue, SetOrigin, Sets, WorkspaceSet, parts, plain_for_libraries,
};
use crate::inputs::NameKind;
use crate::inputs::{InputSet, Role, Source};
use crate::render::{
    Around, LibraryValues, MadeParts, Origins, OutputFindings, Rendered, RenderedFile, is_beyond_ytt, render,
};
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::source::TextSource;
use crate::state::State;
use crate::threads::{map, threads};
use crate::workspace::Workspace;
use lofting_check::{Diagnostic, LIMIT, Severity, Stage};
use lofting_document::{FileId, Node, Options};
use lofting_eval::Evaluator;
use lofting_memo::CancelFlag;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// What decides about the files of a call besides ytt.
enum Rules<'a> {
    /// All languages, the settings and the `lofting.toml` of a file.
    All {
        settings: &'a Settings,
        /// Fetches schemas; None to fetch nothing.
        fetch: Option<&'a dyn Fetch>,
        /// Templates are rendered, and what they give is checked.
        renders: bool,
    },
    /// Nothing: what other languages say about a file does not keep ytt from rendering it.
    Ytt,
}

/// Checks the inputs of one `ytt` call, by the rules and schemas that apply to them in their workspace. Of `outside`, only the
/// evaluator and what fetches schemas matter.
pub fn check_input_set<'a>(inputs: &InputSet, settings: Settings, outside: impl Into<Outside<'a>>) -> CheckReport {
    let outside = outside.into();
    let rules = Rules::All { settings: &settings, fetch: outside.fetch, renders: false };
    let Checked { mut report, configurations } = checked(inputs, &Runs::By(outside.evaluator), &rules);
    add_configurations(&mut report, &configurations);
    report
}

/// The findings in the files of a call.
struct Checked {
    report: CheckReport,
    /// The `lofting.toml` of the files. A mistake in one does not keep ytt from rendering.
    configurations: Vec<FileId>,
}

/// Adds what is wrong with the configuration.
fn add_configurations(report: &mut CheckReport, configurations: &[FileId]) {
    for config in configurations {
        let found = report.snapshot.diagnostics(*config, &CancelFlag::new());
        if !found.is_empty() {
            report.add(*config, found.to_vec());
        }
    }
    report.files.sort_by(|a, b| a.shown.cmp(&b.shown));
}

fn checked(inputs: &InputSet, runs: &Runs<'_>, rules: &Rules<'_>) -> Checked {
    let (mut workspace, order, mut names) = workspace_of(inputs, rules, runs);
    let mut configurations = Vec::new();
    if let Rules::All { fetch, renders, .. } = rules {
        configurations = workspace.add_configurations_of(&order);
        for config in configurations.iter().filter_map(|id| workspace.state.file(*id)) {
            names.insert(config.id, shown(&inputs.base, &config.path));
        }
        let is_resource = |file: &File| file.facts.known_parts && (*renders || !file.facts.ytt);
        let resources = order.iter().filter(|id| workspace.state.file(**id).is_some_and(|file| is_resource(file)));
        let resources: Vec<FileId> = resources.copied().collect();
        if !resources.is_empty() {
            workspace.find_schemas_of(&resources, *fetch);
        }
    }
    let evaluator = match runs {
        Runs::By(evaluator) => Arc::clone(evaluator),
        Runs::Chosen(choose) => choose(all_read(&mut workspace, inputs)),
    };
    workspace.set_evaluator(evaluator);
    read_ahead(&workspace.state, &order);
    let messages = workspace.take_messages();
    let snapshot = workspace.evaluate(&order, Need::Values, threads_for(&workspace.state, CODE));
    let cancel = CancelFlag::new();
    let files: Vec<CheckedFile> = files_of(&snapshot, &order, &names, &cancel);
    let unchecked = match rules {
        Rules::All { .. } => coverage::unchecked(&snapshot.state, &order),
        Rules::Ytt => Vec::new(),
    };
    let mut report = CheckReport {
        snapshot,
        files,
        names,
        messages,
        unchecked,
        coverage: Coverage::default(),
        earlier: None,
        most: LIMIT,
    };
    tell_where_it_happened(&mut report);
    tell_of_loaded_files(&mut report);
    tell_causes_only(&mut report);
    report.files.sort_by(|a, b| a.shown.cmp(&b.shown));
    Checked { report, configurations }
}

/// A call with ytt's own flags is as successful as ytt: what only other languages find does not count as an error.
fn not_an_error(finding: &mut Diagnostic) {
    finding.severity = finding.severity.max(Severity::Warning);
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
    pub fn origins(&self, node: &Node, made: &MadeParts) -> Vec<crate::render::Origin> {
        let Some(call) = &self.call else { return Vec::new() };
        let state = &self.report.snapshot.state;
        Origins { state, values: &call.values, library_values: &self.library_values }.of(node, made)
    }

    /// The paths inside ytt of the files that were given to it.
    pub fn paths_inside_ytt(&self) -> FxHashMap<FileId, &str> {
        let state = &self.report.snapshot.state;
        let inputs = state.sets.sets.first().into_iter().flat_map(|set| set.inputs.iter());
        let named = inputs.filter_map(|input| match &input.source {
            Source::Path(path) => Some((state.file_at(path)?.id, input.name.as_str())),
            Source::Text(_) => None,
        });
        named.collect()
    }
}

/// Checks the inputs of one `ytt` call as [`check_input_set`] does and, if there are no errors, renders their templates, and
/// checks what they give.
pub fn render_input_set<'a>(inputs: &InputSet, settings: Settings, outside: impl Into<Outside<'a>>) -> Rendering {
    let outside = outside.into();
    let rules = Rules::All { settings: &settings, fetch: outside.fetch, renders: true };
    rendered(inputs, &Runs::By(outside.evaluator), &rules)
}

/// Renders the inputs of one `ytt` call as `ytt` does, which knows no language but its own.
pub fn render_as_ytt(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> Rendering {
    rendered(inputs, &Runs::By(evaluator), &Rules::Ytt)
}

/// Renders the inputs of one `ytt` call as `ytt` does, with the evaluator that is chosen once all files are read. Unless
/// something is [`AllRead::is_partial`], nothing is read, opened or started from then on.
pub fn render_after_reading(inputs: &InputSet, choose: &dyn Fn(AllRead) -> Arc<dyn Evaluator>) -> Rendering {
    rendered(inputs, &Runs::Chosen(choose), &Rules::Ytt)
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

fn rendered(inputs: &InputSet, runs: &Runs<'_>, rules: &Rules<'_>) -> Rendering {
    let Checked { report, configurations } = checked(inputs, runs, rules);
    let mut rendering = rendered_if_ok(report, rules);
    add_configurations(&mut rendering.report, &configurations);
    rendering
}

fn rendered_if_ok(mut report: CheckReport, rules: &Rules<'_>) -> Rendering {
    // Running the code tells what it reads, and also which code is never reached.
    let read_statically = |finding: &Diagnostic| lofting_check::rules::READ_STATICALLY.contains(&finding.rule);
    let mut read: Vec<Diagnostic> = Vec::new();
    for file in &mut report.files {
        if file.diagnostics.iter().any(read_statically) {
            read.extend(file.diagnostics.iter().filter(|finding| read_statically(finding)).cloned());
            file.diagnostics = file.diagnostics.iter().filter(|finding| !read_statically(finding)).cloned().collect();
        }
    }
    let state = report.snapshot.state.clone();
    let stops = |finding: &Diagnostic| finding.severity == Severity::Error && !is_beyond_ytt(&state, finding);
    let call = state.sets.sets.first().filter(|_| !report.diagnostics().any(stops)).zip(only_call_of(&state, 0));
    let Some((set, run)) = call else {
        return Rendering { report, files: None, call: None, library_values: LibraryValues::default() };
    };
    let cancel = CancelFlag::new();
    let Rendered { files, mut findings, library_values } =
        render(&state, set, &run.values, None, threads_for(&state, CODE), &cancel);
    lofting_check::explain_reads(&mut findings, &read);
    let OutputFindings { mut found, printed } = match (rules, &files) {
        (Rules::All { .. }, Some(files)) => OutputFindings::of(&state, set, files, Around::Nothing, &cancel),
        _ => OutputFindings::default(),
    };
    report.drop_refuted(&printed, found.iter());
    found.iter_mut().for_each(not_an_error);
    let mut by_file: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
    for finding in findings.into_iter().chain(found) {
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
        diagnostics: with_ytts_errors(&snapshot.state, *file, snapshot.diagnostics(*file, cancel)),
    })
}

/// The findings of a file, of which only those are errors that ytt knows or `lofting.toml` says so of.
fn with_ytts_errors(state: &State, file: FileId, found: Arc<[Diagnostic]>) -> Arc<[Diagnostic]> {
    let is_too_severe = |finding: &Diagnostic| finding.severity == Severity::Error && is_beyond_ytt(state, finding);
    if !found.iter().any(is_too_severe) {
        return found;
    }
    let mut found = found.to_vec();
    found.iter_mut().filter(|finding| is_too_severe(finding)).for_each(not_an_error);
    if let Some(file) = state.file(file) {
        levels::apply(state, file, &mut found);
    }
    found.into()
}

/// A workspace with only the inputs of one `ytt` call, the files that ytt reads, and their names in messages.
fn workspace_of(
    inputs: &InputSet,
    rules: &Rules<'_>,
    runs: &Runs<'_>,
) -> (Workspace, Vec<FileId>, FxHashMap<FileId, String>) {
    let settings = match rules {
        Rules::All { settings, .. } => (*settings).clone(),
        Rules::Ytt => Settings::default(),
    };
    let mut workspace = Workspace::new(Vec::new(), settings);
    workspace.only_ytt = matches!(rules, Rules::Ytt);
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
        if part.is_read() && seen.insert(*id) {
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
        excluded: Vec::new(),
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
