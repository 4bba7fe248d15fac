//! The checks of a workspace: all files below the paths of the command line.

use crate::association::bundles;
use crate::command_line::check_error::{CheckError, CheckProblem};
use crate::command_line::coverage::{self, Coverage};
use crate::command_line::kept_findings::{FoundInFile, KeptFindings};
use crate::command_line::progress::{CheckStep, Progress};
use crate::command_line::render_sets::render_sets;
use crate::command_line::report::{CheckReport, CheckedFile};
use crate::command_line::touched::{Touched, touched};
use crate::disk::path::{normalise, shown};
use crate::disk::{Reach, StoredFolder, Volume};
use crate::evaluation::Need;
use crate::files::contents::KeepsFindings;
use crate::files::fetched::Fetch;
use crate::files::scan::ScanProgress;
use crate::findings::closed_files;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::threads::{map, threads};
use crate::workspace::Workspace;
use lofting_check::{Diagnostic, LIMIT};
use lofting_document::FileId;
use lofting_eval::Evaluator;
use lofting_memo::CancelFlag;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// A folder as it was. If it is easy to tell what the difference can touch, the report says what was found before.
    pub since: Option<StoredFolder>,
    /// Files that this difference certainly cannot touch are not checked, because nothing in them is new.
    pub only_touched: bool,
    /// Whether input sets know all their files afterwards, so that they can be rendered.
    pub all_inputs: bool,
    /// Keeps findings from one run to the next.
    pub keeper: Option<Arc<dyn KeepsFindings>>,
    /// How many findings of one file the report has, usually [`LIMIT`]. Where they are compared with earlier ones, all of
    /// them: what is new may be among those that are cut.
    pub most: usize,
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
            only_touched: false,
            all_inputs: false,
            keeper: None,
            most: LIMIT,
        }
    }
}

impl<E: Evaluator + 'static> From<Arc<E>> for Outside<'_> {
    fn from(evaluator: Arc<E>) -> Self {
        Outside::from(evaluator as Arc<dyn Evaluator>)
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

/// A workspace whose input sets know all their files. Nothing in it is checked yet: what is wrong elsewhere does not matter
/// to a set that is rendered, and its code need not run.
pub(crate) struct ToRender<'a> {
    base: &'a Path,
    workspace: Workspace,
    files: Vec<GivenFile>,
    outside: Outside<'a>,
}

impl<'a> ToRender<'a> {
    /// The workspace at `base`.
    pub fn scan(
        base: &'a Path,
        settings: Settings,
        evaluator: Arc<dyn Evaluator>,
        cancel: &CancelFlag,
    ) -> Result<ToRender<'a>, CheckError> {
        let outside = Outside { all_inputs: true, ..evaluator.into() };
        let (workspace, files) = scanned(base, &[], settings, &outside, cancel)?;
        Ok(ToRender { base, workspace, files, outside })
    }

    /// What is known so far.
    pub fn state(&self) -> &State {
        &self.workspace.state
    }

    /// Checks some of its files.
    pub fn check(self, is_asked: impl Fn(FileId) -> bool, cancel: &CancelFlag) -> CheckReport {
        let ToRender { base, mut workspace, mut files, outside } = self;
        files.retain(|(id, ..)| is_asked(*id));
        outside.checked(&mut workspace, base, files, cancel)
    }
}

fn check_below(
    base: &Path,
    paths: &[String],
    settings: Settings,
    outside: Outside<'_>,
    cancel: &CancelFlag,
) -> Result<CheckReport, CheckError> {
    let (mut workspace, mut wanted) = scanned(base, paths, settings, &outside, cancel)?;
    let touched = outside.since.as_ref().and_then(|since| touched(&workspace, since));
    let Some(touched) = touched else { return Ok(outside.checked(&mut workspace, base, wanted, cancel)) };
    if outside.only_touched {
        wanted.retain(|(id, ..)| touched.files.contains(id));
        if !outside.all_inputs {
            return Ok(outside.touched(workspace, base, &wanted, &touched, cancel));
        }
    }
    Ok(outside.with_earlier(&mut workspace, base, &wanted, &touched, cancel))
}

/// The workspace of some paths, and the files that they name or contain, each once.
fn scanned(
    base: &Path,
    paths: &[String],
    settings: Settings,
    outside: &Outside<'_>,
    cancel: &CancelFlag,
) -> Result<(Workspace, Vec<GivenFile>), CheckError> {
    let volume = Volume::of(outside.stored.clone());
    let prepare = |workspace: &mut Workspace| {
        workspace.read_from(volume.clone());
        workspace.before.clone_from(&outside.since);
        workspace.keeper = outside.keeper.clone().filter(|_| !outside.all_inputs && outside.most == LIMIT);
        workspace.set_evaluator(outside.evaluator.clone());
        workspace.change().most_calls = usize::MAX;
        if let Some((path, text)) = outside.unsaved {
            workspace.open(&normalise(base, Path::new(path)), 0, text);
        }
    };
    let is_there = |path: &str| outside.unsaved.is_some_and(|(unsaved, _)| unsaved == path);
    let mut reading = |scan: ScanProgress| outside.say(CheckStep::Reading { files: scan.files });
    let (mut workspace, mut wanted) =
        workspace_given((base, &volume), paths, settings, prepare, is_there, &mut reading, cancel)?;
    if outside.all_inputs {
        workspace.take_all_inputs();
    }
    wanted.sort_by(|a, b| (&a.1, a.0).cmp(&(&b.1, b.0)));
    wanted.dedup_by_key(|(id, ..)| *id);
    Ok((workspace, wanted))
}

impl Outside<'_> {
    fn say(&self, step: CheckStep) {
        self.progress.iter().for_each(|say| say(step));
    }

    /// The findings of files of a workspace, as far as they are asked for.
    fn checked(
        &self,
        workspace: &mut Workspace,
        base: &Path,
        mut wanted: Vec<GivenFile>,
        cancel: &CancelFlag,
    ) -> CheckReport {
        let is_asked = |name: &str| self.only.is_none_or(|only| only(name));
        // What files need from bundles is reported where a `lofting.toml` names these, whichever files are asked for.
        if !bundles::are_configured(&workspace.state) {
            wanted.retain(|(_, name, _)| is_asked(name));
        }
        let checked: Vec<FileId> = wanted.iter().map(|(id, ..)| *id).collect();
        self.say(CheckStep::Schemas);
        workspace.find_schemas_of(&checked, self.fetch);
        let mut messages = workspace.take_messages();
        messages.dedup();
        let mut names: FxHashMap<FileId, String> = FxHashMap::default();
        for (id, name, _) in &wanted {
            names.entry(*id).or_insert_with(|| name.clone());
        }
        let need = if self.all_inputs { Need::Values } else { Need::Findings };
        self.say(CheckStep::Code);
        let kept = KeptFindings::of(workspace, &wanted);
        let known = kept.as_ref().map(|kept| kept.known(&workspace.state, &wanted)).unwrap_or_default();
        let unknown: Vec<FileId> = checked.iter().filter(|id| !known.contains_key(id)).copied().collect();
        let snapshot = workspace.evaluate(&unknown, need, threads());
        wanted.retain(|(_, name, _)| is_asked(name));
        let progress = self.progress.unwrap_or(&|_| {});
        let found = check_files(&snapshot, &wanted, &known, self.most, progress, cancel);
        let files: Vec<CheckedFile> = wanted
            .iter()
            .zip(&found)
            .filter_map(|((file, shown, _), found)| {
                Some(CheckedFile { file: *file, shown: shown.clone(), diagnostics: found.clone()? })
            })
            .collect();
        // Related places can lie in files that are not below the paths.
        for id in snapshot.files() {
            names.entry(id).or_insert_with(|| shown(base, snapshot.path(id)));
        }
        let unchecked = coverage::unchecked(&snapshot.state, &checked);
        let coverage = Coverage::of(&snapshot.state, &checked);
        let at_entries = coverage::at_entries(&snapshot.state, &checked);
        let (most, earlier) = (self.most, None);
        let mut report = CheckReport { snapshot, files, names, messages, unchecked, coverage, earlier, most };
        for (config, finding) in at_entries {
            if is_asked(report.name(config)) {
                report.add(config, vec![finding]);
            }
        }
        if let Some(kept) = kept.filter(|_| !unknown.is_empty()) {
            let found: Vec<(FileId, FoundInFile)> = wanted.iter().map(|(id, ..)| *id).zip(found).collect();
            let is_complete = report.unchecked.is_empty() && !report.is_incomplete();
            kept.keep(&report.snapshot.state, &found, is_complete);
        }
        report
    }

    /// The findings of files that a change of values touches, and what was found in them before: as far as something may be
    /// new, which may be in input sets only in which something is different.
    fn touched(
        &self,
        mut workspace: Workspace,
        base: &Path,
        wanted: &[GivenFile],
        touched: &Touched,
        cancel: &CancelFlag,
    ) -> CheckReport {
        let whole = workspace.state.clone();
        let keeper = workspace.keeper.take();
        touched.leave_others_out(&mut workspace);
        let report = self.with_earlier(&mut workspace, base, wanted, touched, cancel);
        // What is new in a file of further sets may have been found before in one of these.
        let is_new = report.earlier.as_ref().map(|earlier| report.is_new(earlier));
        let is_certain =
            |(finding, is_new): (&Diagnostic, &bool)| !is_new || touched.is_whole(&whole.sets, finding.span.file);
        if report.diagnostics().zip(is_new.iter().flatten()).all(is_certain) {
            return report;
        }
        (workspace.state, workspace.keeper) = (whole, keeper);
        self.with_earlier(&mut workspace, base, wanted, touched, cancel)
    }

    /// The findings of files, and what those with findings had before, when only values files were different.
    fn with_earlier(
        &self,
        workspace: &mut Workspace,
        base: &Path,
        wanted: &[GivenFile],
        touched: &Touched,
        cancel: &CancelFlag,
    ) -> CheckReport {
        let mut report = self.checked(workspace, base, wanted.to_vec(), cancel);
        let found = report.files_with_findings();
        // Rendering finds more, and so does what was there before.
        if !found.is_empty() && !self.all_inputs {
            touched.undo(workspace);
            let before = wanted.iter().filter(|(_, name, _)| found.contains(name)).cloned().collect();
            report.earlier = Some(Box::new(self.checked(workspace, base, before, cancel)));
        }
        report
    }
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
    let folders = given.iter().filter(|(_, path)| user.is_directory(path)).map(|(_, path)| path.clone()).collect();
    workspace.scan_all_of(folders, progress, cancel);
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

/// The findings of all files, those of files that are not `known` made by several threads; None for files that do not
/// count. Neighbouring files go to one thread, because they share a schema.
fn check_files(
    snapshot: &Snapshot,
    wanted: &[GivenFile],
    known: &FxHashMap<FileId, FoundInFile>,
    most: usize,
    progress: Progress<'_>,
    cancel: &CancelFlag,
) -> Vec<FoundInFile> {
    let done = AtomicUsize::new(0);
    map(threads(), wanted, BATCH, |(file, _, named)| {
        let check = || closed_files::findings(&snapshot.state, *file, *named, most, cancel).map(|found| found.list);
        let found = known.get(file).cloned().unwrap_or_else(check);
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
