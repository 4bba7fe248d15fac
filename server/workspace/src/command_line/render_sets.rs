//! Renders the input sets of a workspace: those in `lofting.toml` and those of `ytt` commands.

use crate::command_line::check_below::ToRender;
use crate::command_line::check_set::Rendering;
use crate::command_line::outcome::Outcome;
use crate::command_line::render_error::RenderError;
use crate::command_line::report::CheckReport;
use crate::config;
use crate::disk::path::{normalise, relative};
use crate::evaluation::Need;
use crate::findings::calls::{CallReport, calls_of};
use crate::input_sets::sets::WorkspaceSet;
use crate::render::{
    AssumedSet, LibraryValues, PrintedBySets, SetFindings, files_of, is_beyond_ytt, output_inputs, own_files_of,
    render, with_assumed_set,
};
use crate::running::with_code;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::threads::threads;
use lofting_check::{Diagnostic, Severity};
use lofting_diagnostic::Distinct;
use lofting_document::FileId;
use lofting_eval::Evaluator;
use lofting_memo::CancelFlag;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Renders one input set of the workspace at `base`: the one with the name `target`, or the only one that contains the
/// file `target` or a file in the directory `target`. Without a target, the only set of the workspace.
pub fn render_set(
    base: &Path,
    target: Option<&str>,
    settings: Settings,
    evaluator: Arc<dyn Evaluator>,
    cancel: &CancelFlag,
) -> Result<Rendering, RenderError> {
    let Chosen { mut report, index, call } = chosen(base, target, settings, evaluator, cancel)?;
    let mut files = None;
    let mut library_values = LibraryValues::default();
    let state = report.snapshot.state.clone();
    if let Some(set) = state.sets.sets.get(index).filter(|_| report.is_ok()) {
        let rendered = render(&state, set, &call.values, None, threads(), cancel);
        files = rendered.files;
        library_values = rendered.library_values;
        let mut by_file: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
        for finding in rendered.findings {
            by_file.entry(finding.span.file).or_default().push(finding);
        }
        by_file.into_iter().for_each(|(file, more)| report.add(file, more));
    }
    Ok(Rendering { report, files, call: Some(call), library_values })
}

/// The final data values of one input set of the workspace, chosen as by [`render_set`].
pub fn set_outcome(
    base: &Path,
    target: Option<&str>,
    settings: Settings,
    evaluator: Arc<dyn Evaluator>,
) -> Result<Outcome, RenderError> {
    let Chosen { report, call, .. } = chosen(base, target, settings, evaluator, &CancelFlag::new())?;
    let given = call.schema.is_some() || call.has_values;
    Ok(Outcome { report, values: given.then(|| call.values.clone()), schema: call.schema.clone() })
}

/// A call of an input set, with the findings in its files.
struct Chosen {
    report: CheckReport,
    /// The number of the set.
    index: usize,
    call: Arc<CallReport>,
}

/// The call that a target names.
fn chosen(
    base: &Path,
    target: Option<&str>,
    settings: Settings,
    evaluator: Arc<dyn Evaluator>,
    cancel: &CancelFlag,
) -> Result<Chosen, RenderError> {
    let path = target.map(|target| normalise(base, Path::new(target)));
    let to_render = ToRender::scan(base, settings, evaluator, cancel)?;
    let scanned = to_render.state();
    let asked: FxHashSet<FileId> = match path.as_ref().and_then(|path| assumed(scanned, path)) {
        Some((assuming, _)) => files_of_all(&assuming, &meant(&assuming, target, path.as_deref())),
        None => files_of_all(scanned, &meant(scanned, target, path.as_deref())),
    };
    let mut report = to_render.check(|file| asked.contains(&file), cancel);
    let is_assumed = path.as_ref().is_some_and(|path| assume(&mut report, path));
    let state = report.snapshot.state.clone();
    let mut found = meant(&state, target, path.as_deref());
    if is_assumed {
        // With the schema's defaults if the file is not a values file.
        found.truncate(1);
    }
    let (index, set) = match found.as_slice() {
        [(index, set)] => (*index, *set),
        [] => return Err(RenderError::NoSet(target.map(str::to_owned))),
        several => {
            return Err(RenderError::SeveralSets(several.iter().map(|(_, set)| set.title().to_owned()).collect()));
        }
    };
    if let Some(why) = set.not_rendered() {
        return Err(RenderError::NotRendered { title: set.title().to_owned(), why });
    }
    let calls = calls_of(&state, index);
    let given = |call: &&(Option<FileId>, Arc<CallReport>)| {
        let file = call.0.and_then(|file| state.file(file));
        file.is_some_and(|file| path.as_ref().is_some_and(|path| *file.path == **path))
    };
    let call = match calls.as_slice() {
        [only] => only,
        several => several.iter().find(given).ok_or(RenderError::SeveralStages)?,
    };
    // Mistakes in the values files of other calls do not count.
    let is_other = |file: &FileId| set.alternatives.contains(file) && call.0 != Some(*file);
    let asked: FxHashSet<FileId> = own_files_of(&state, set).filter(|file| !is_other(file)).collect();
    report.files.retain(|file| asked.contains(&file.file));
    Ok(Chosen { report, index, call: call.1.clone() })
}

/// The sets that a target may mean: the one with this name, else those that contain the file or a file in the directory.
fn meant<'s>(state: &'s State, target: Option<&str>, path: Option<&Path>) -> Vec<(usize, &'s WorkspaceSet)> {
    let sets = || state.sets.sets.iter().enumerate();
    let named: Vec<_> = sets().filter(|(_, set)| target.is_some() && set.name.as_deref() == target).collect();
    if !named.is_empty() {
        return named;
    }
    let is_there = |path: &Path, file| state.file(file).is_some_and(|file| file.path.starts_with(path));
    let holds = |set: &WorkspaceSet| path.is_none_or(|path| files_of(state, set).any(|file| is_there(path, file)));
    sets().filter(|(_, set)| holds(set)).collect()
}

/// The files of some sets.
fn files_of_all(state: &State, sets: &[(usize, &WorkspaceSet)]) -> FxHashSet<FileId> {
    sets.iter().flat_map(|(_, set)| files_of(state, set)).collect()
}

/// The state with the set that is most likely meant by a file that belongs to no set.
fn assumed(state: &State, path: &Path) -> Option<(State, AssumedSet)> {
    let file = state.file_at(path).filter(|file| file.exists())?;
    let holds = |set: &WorkspaceSet| files_of(state, set).any(|id| id == file.id);
    if state.sets.sets.iter().any(holds) {
        return None;
    }
    with_assumed_set(state, file)
}

/// For a file that belongs to no set: continues with the set that is most likely meant, and says so. Whether that was
/// necessary.
fn assume(report: &mut CheckReport, path: &Path) -> bool {
    let state = &report.snapshot.state;
    let Some(file) = state.file_at(path) else { return false };
    let Some((assuming, set)) = assumed(state, path) else { return false };
    let shown = state.shown(path);
    let mut assuming = Arc::new(assuming);
    if let Some(runner) = &state.runner {
        let files = output_inputs(&assuming, file);
        assuming = with_code(&assuming, &files, Need::Values, &runner.apart(), 1, &mut |_| ());
    }
    report.snapshot = Snapshot { state: assuming };
    let own = relative(&set.folder, path).filter(|own| set.values_files.contains(own));
    let with = match &own {
        Some(own) => format!(" --data-values-file {own}`"),
        None if set.has_schema => "`, with the schema's defaults".to_owned(),
        None => "`".to_owned(),
    };
    let mut said = format!("no input set is known that {shown} belongs to: rendered like `{}{with}", set.command());
    if own.is_none() && !set.values_files.is_empty() {
        said += &format!("; there are values in {}", set.values_files.join(", "));
    }
    if let Some((description, _)) = config::with_set("", &set.name, &set.files, &set.values) {
        said += &format!("\nto name the set, write into {}:\n{}", config::FILE_NAME, description.trim_end());
    }
    report.messages.push(said);
    true
}

/// Renders each set that contains a file of the report and has no errors so far, and adds the findings. Messages list
/// the sets that were not rendered.
pub(crate) fn render_sets(report: &mut CheckReport) {
    let state = report.snapshot.state.clone();
    let asked: FxHashSet<FileId> = report.files.iter().map(|file| file.file).collect();
    let is_error = |finding: &Diagnostic| finding.severity == Severity::Error && !is_beyond_ytt(&state, finding);
    let wrong = report.files.iter().filter(|file| file.diagnostics.iter().any(is_error));
    let wrong: FxHashSet<FileId> = wrong.map(|file| file.file).collect();
    let mut found: BTreeMap<FileId, Distinct> = BTreeMap::new();
    let (mut rendered, mut printed) = (0, PrintedBySets::default());
    for (index, set) in state.sets.sets.iter().enumerate() {
        if !files_of(&state, set).any(|file| asked.contains(&file)) {
            continue;
        }
        let of_set = SetFindings::of(&state, index, set, &|file| wrong.contains(&file), threads(), &CancelFlag::new());
        rendered += of_set.rendered;
        report.messages.extend(of_set.left_out);
        printed.add(index, of_set.printed);
        for finding in of_set.findings {
            // Several sets may share templates and their errors.
            found.entry(finding.span.file).or_default().push(finding);
        }
    }
    if rendered == 0 && report.messages.is_empty() {
        let hint = "name one in lofting.toml, or pass the inputs with ytt's flags, such as -f config/";
        report.messages.push(format!("nothing is rendered: no input set is known; {hint}"));
    }
    let found: BTreeMap<FileId, Vec<Diagnostic>> =
        found.into_iter().map(|(file, found)| (file, found.into_list())).collect();
    report.drop_refuted(&printed.of_all(&state), found.values().flatten());
    for (file, more) in found {
        report.add(file, more);
    }
    report.files.sort_by(|a, b| a.shown.cmp(&b.shown));
}
