//! Finds the YAML files of a workspace. Only reads, and can run on any thread while the workspace already answers.

use crate::config::is_configuration;
use crate::discover::command_files::{CommandFile, commands_in, look_for_commands, may_hold_commands};
use crate::disk::path::says_yaml;
use crate::disk::walk::{Step, Walk};
use crate::disk::{FileType, Reach, Stat, StoredFolder};
use crate::files::contents::{ContentHash, KeepsFindings};
use crate::files::facts::Facts;
use crate::files::other_names::OtherNames;
use crate::inputs::NameKind;
use crate::settings::Settings;
use crate::threads::{threads, with_this};
use lofting_memo::CancelFlag;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// A scan of the folders of a workspace.
#[derive(Debug, Clone)]
pub struct Scanner {
    /// Folders that a command is about: all of their files count. None outside commands.
    given: Option<Vec<ScanFolder>>,
    /// Further folders, up to the limits.
    folders: Vec<ScanFolder>,
    maximum_files: usize,
    maximum_visited: usize,
    depth: Option<usize>,
    before: Option<StoredFolder>,
    keeper: Option<Arc<dyn KeepsFindings>>,
    /// Files with names of other kinds that count, too, as far as they are known before the scan.
    other_names: OtherNames,
}

/// A folder to walk.
#[derive(Debug, Clone)]
pub(crate) struct ScanFolder {
    pub path: PathBuf,
    /// The workspace folder that it lies in.
    pub root: PathBuf,
    pub reach: Reach,
}

/// The progress of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanProgress {
    /// Directory entries visited.
    pub visited: usize,
    /// YAML files found.
    pub files: usize,
}

/// A file found by a scan.
#[derive(Debug, Clone)]
pub(crate) struct FoundFile {
    pub path: PathBuf,
    pub stat: Option<Stat>,
    pub facts: Facts,
    /// The reach of the text that named it: its content is read through this.
    pub reach: Reach,
}

/// What a scan found.
#[derive(Debug, Clone, Default)]
pub struct ScanResult {
    pub(crate) files: VecDeque<FoundFile>,
    pub(crate) directories: Vec<(PathBuf, Option<SystemTime>)>,
    pub(crate) commands: Vec<(PathBuf, CommandFile)>,
    /// Files that have the same content as in the folder that they were compared with.
    pub(crate) as_before: FxHashSet<PathBuf>,
    /// The contents of files, where they are noted.
    pub(crate) contents: FxHashMap<PathBuf, ContentHash>,
    /// Messages for the user: limits that were reached, folders that cannot be read.
    pub messages: Vec<String>,
    /// It ended at a limit: there are files that it has not seen.
    pub(crate) stopped: bool,
    /// It was cancelled; the files found so far count nevertheless.
    pub cancelled: bool,
}

/// Directory entries between two calls of the progress function.
const PROGRESS_STEP: usize = 512;

impl Scanner {
    /// A scan of `folders`. Ignore files above the workspace folder of a folder count only inside a repository.
    pub(crate) fn new(folders: Vec<ScanFolder>, settings: &Settings) -> Scanner {
        Scanner {
            given: None,
            folders,
            maximum_files: settings.maximum_files,
            maximum_visited: settings.maximum_visited,
            depth: None,
            before: None,
            keeper: None,
            other_names: OtherNames::default(),
        }
    }

    /// Finds these files as well. The configurations in the folders add theirs.
    pub(crate) fn with_other_names(self, other_names: OtherNames) -> Scanner {
        Scanner { other_names, ..self }
    }

    /// Compares the files that are read with those of a folder as it was.
    pub(crate) fn compared_with(self, before: Option<StoredFolder>) -> Scanner {
        Scanner { before, ..self }
    }

    /// Notes the contents of files, by which findings are kept.
    pub(crate) fn noting_contents(self, keeper: Option<Arc<dyn KeepsFindings>>) -> Scanner {
        Scanner { keeper, ..self }
    }

    /// First scans these, without limits: the user named them.
    pub(crate) fn with_all_of(self, given: Vec<ScanFolder>) -> Scanner {
        Scanner { given: Some(given), ..self }
    }

    /// Limits the scan to entries directly in the folders.
    pub(crate) fn shallow(mut self) -> Scanner {
        self.depth = Some(1);
        self
    }

    /// Scans the folders. `.gitignore` is honoured (also outside repositories), most hidden entries are skipped, links are
    /// not followed.
    pub fn run(&self, progress: &mut dyn FnMut(ScanProgress), cancel: &CancelFlag) -> ScanResult {
        let mut result = ScanResult::default();
        let mut named = NamedFiles::default();
        let visited = self.walk(&mut named, &mut result, progress, cancel);
        if !cancel.is_cancelled() {
            let mut read = |files: usize| progress(ScanProgress { visited, files });
            read_all(named, self, &mut result, &mut read, cancel);
            let others = self.other_names(&mut result, cancel);
            read_all(others, self, &mut result, &mut read, cancel);
        }
        result.cancelled = cancel.is_cancelled();
        progress(ScanProgress { visited, files: result.files.len() });
        result
    }

    /// Collects the names of relevant files; returns the number of visited entries.
    fn walk(
        &self,
        named: &mut NamedFiles,
        result: &mut ScanResult,
        progress: &mut dyn FnMut(ScanProgress),
        cancel: &CancelFlag,
    ) -> usize {
        let (mut visited, mut limited, mut others) = (0, 0, 0);
        let _ = self.each_entry(is_visible, cancel, &mut |Met { folder, is_given, step }| {
            visited += 1;
            if visited % PROGRESS_STEP == 0 {
                progress(ScanProgress { visited, files: named.ours.len() });
            }
            let Some(step) = step else { return ControlFlow::Continue(()) };
            limited += usize::from(!is_given);
            if limited > self.maximum_visited {
                return self.stop(result, Limit::Visited);
            }
            match step {
                Step::Directory(path, modified) => result.directories.push((path, modified)),
                Step::File(path) if is_ours(&path) => {
                    if !is_given && others >= self.maximum_files {
                        return self.stop(result, Limit::Files);
                    }
                    others += usize::from(!is_given);
                    named.ours.push((path, folder.reach.clone()));
                }
                Step::File(path) if may_hold_commands(&path) => named.others.push((path, folder.reach.clone())),
                // Unreadable folders are common; a few messages are enough.
                Step::Problem(problem) if result.messages.len() < 10 => {
                    result.messages.push(format!("Some folders could not be read: {problem}"));
                }
                Step::File(_) | Step::Other | Step::Problem(_) => {}
            }
            ControlFlow::Continue(())
        });
        visited
    }

    /// The files with names of other kinds to which a configuration gives a schema. Most workspaces have none; the others
    /// are walked through again, because configurations are known only at the end of the first walk.
    fn other_names(&self, result: &mut ScanResult, cancel: &CancelFlag) -> NamedFiles {
        let mut names = self.other_names.clone();
        result.files.iter().for_each(|found| names.add_found(found));
        let mut named = NamedFiles::default();
        if names.is_empty() {
            return named;
        }
        let mut limited = 0;
        let _ = self.each_entry(is_visible_or_hidden_file, cancel, &mut |Met { folder, is_given, step }| {
            limited += usize::from(!is_given);
            if limited > self.maximum_visited {
                return ControlFlow::Break(());
            }
            if let Some(Step::File(path)) = step.filter(|step| matches!(step, Step::File(path) if names.have(path))) {
                if !is_given && named.ours.len() >= self.maximum_files {
                    return self.stop(result, Limit::Files);
                }
                named.ours.push((path, folder.reach.clone()));
            }
            ControlFlow::Continue(())
        });
        named
    }

    /// Calls `visit` for each entry.
    fn each_entry(
        &self,
        is_visible: fn(&OsStr, FileType) -> bool,
        cancel: &CancelFlag,
        visit: &mut dyn FnMut(Met<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let all = self.given.as_deref().unwrap_or_default();
        let given = all.iter().map(|folder| (folder, true));
        for (folder, is_given) in given.chain(self.folders.iter().map(|folder| (folder, false))) {
            let is_done = |path: &Path| !is_given && all.iter().any(|given| path.starts_with(&given.path));
            if is_done(&folder.path) {
                continue;
            }
            let walk = Walk { reach: &folder.reach, top: &folder.root, depth: self.depth, is_visible };
            walk.run(&folder.path, &mut |step| {
                if cancel.is_cancelled() {
                    return ControlFlow::Break(());
                }
                let is_elsewhere = matches!(&step, Step::Directory(path, _) | Step::File(path) if is_done(path));
                visit(Met { folder, is_given, step: (!is_elsewhere).then_some(step) })
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Ends the walk at a limit, and reports it.
    fn stop(&self, result: &mut ScanResult, limit: Limit) -> ControlFlow<()> {
        let (many, setting) = match limit {
            Limit::Files => (format!("{} YAML files", self.maximum_files), "lofting.files.maximum"),
            Limit::Visited => (format!("{} files and directories", self.maximum_visited), "lofting.files.visited"),
        };
        result.stopped = true;
        result.messages.push(if self.given.is_none() {
            format!(
                "The scan stopped after {many}. Files not seen are still checked when they are opened. (Setting: {setting})"
            )
        } else {
            format!(
                "Around what was named, the scan stopped after {many}: schemas and inputs in other files are not known. Name \
                 in `.ignore` what is not needed"
            )
        });
        ControlFlow::Break(())
    }
}

/// An entry that a scan comes to.
struct Met<'f> {
    folder: &'f ScanFolder,
    /// A command is about this folder.
    is_given: bool,
    /// None if it comes with another folder.
    step: Option<Step>,
}

/// What ends a walk.
enum Limit {
    Files,
    Visited,
}

/// The names of relevant files.
#[derive(Default)]
struct NamedFiles {
    ours: Vec<(PathBuf, Reach)>,
    /// Files that may contain commands and are not relevant otherwise.
    others: Vec<(PathBuf, Reach)>,
}

/// The result of looking at one file.
struct Look {
    found: FoundFile,
    commands: Option<CommandFile>,
    is_as_before: bool,
    content: Option<ContentHash>,
}

/// How many threads read files: a scan runs in the background.
const READERS: usize = 4;

/// How many files a thread takes at a time.
const BATCH: usize = 64;

/// Reads the named files into `result`, in their order. Opening thousands of small files dominates a scan, and waits
/// more than it computes.
fn read_all(
    named: NamedFiles,
    scanner: &Scanner,
    result: &mut ScanResult,
    progress: &mut dyn FnMut(usize),
    cancel: &CancelFlag,
) {
    let looks: Vec<OnceLock<Look>> = named.ours.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let batch = || {
        let start = next.fetch_add(BATCH, Ordering::Relaxed);
        for ((path, reach), look) in named.ours.iter().zip(&looks).skip(start).take(BATCH) {
            let _ = look.set(look_into(path.clone(), reach, scanner));
        }
        (!cancel.is_cancelled() && start + BATCH < looks.len()).then_some(start)
    };
    let readers = threads().min(READERS);
    let there = || while batch().is_some() {};
    with_this(readers.min(looks.len().div_ceil(BATCH)), there, || {
        while let Some(files) = batch() {
            progress(files);
        }
    });
    for Look { found, commands, is_as_before, content } in looks.into_iter().filter_map(OnceLock::into_inner) {
        result.contents.extend(content.map(|content| (found.path.clone(), content)));
        result.as_before.extend(is_as_before.then(|| found.path.clone()));
        result.commands.extend(commands.map(|commands| (found.path.clone(), commands)));
        result.files.push_back(found);
    }
    for (path, reach) in named.others.into_iter().take_while(|_| !cancel.is_cancelled()) {
        result.commands.extend(look_for_commands(&path, &reach).map(|commands| (path, commands)));
    }
}

/// Hidden directories in which services keep YAML that people write. Other hidden directories are caches and
/// environments, which may be huge.
const SERVICES: [&str; 15] = [
    ".azuredevops",
    ".azure-pipelines",
    ".buildkite",
    ".circleci",
    ".cloudbuild",
    ".codefresh",
    ".devcontainer",
    ".forgejo",
    ".gitea",
    ".github",
    ".gitlab",
    ".pipelines",
    ".semaphore",
    ".tekton",
    ".woodpecker",
];

/// Whether an entry is visited. Of hidden entries, YAML files (`.pre-commit-config.yaml`), recipes and the directories of
/// services are.
pub(crate) fn is_visible(name: &OsStr, _: FileType) -> bool {
    let Some(name) = name.to_str() else { return true };
    !name.starts_with('.') || name == ".justfile" || says_yaml(Path::new(name)) || SERVICES.contains(&name)
}

/// Whether an entry is visited where configurations say which files are meant: then hidden files are.
fn is_visible_or_hidden_file(name: &OsStr, kind: FileType) -> bool {
    kind == FileType::File || is_visible(name, kind)
}

/// Whether files with this name are relevant.
pub(crate) fn is_ours(path: &Path) -> bool {
    says_yaml(path) || is_configuration(path) || is_code(path) || is_schema(path)
}

/// Whether the name says that the file is a JSON Schema in JSON, which others may refer to.
fn is_schema(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(".schema.json"))
}

/// Whether the file can contain code and is not YAML (docs/ytt.md 3.2).
pub(crate) fn is_code(path: &Path) -> bool {
    matches!(NameKind::of_path(path), NameKind::Starlark | NameKind::Text | NameKind::TextLibrary)
}

/// The state of a file and its marks. An unreadable file has no marks; the reason is reported when its text is needed.
pub(crate) fn look_at(path: PathBuf, reach: &Reach) -> FoundFile {
    let (stat, bytes) = reach.stat_and_bytes(&path);
    FoundFile { facts: bytes.map(|bytes| Facts::of(&bytes)).unwrap_or_default(), path, stat, reach: reach.clone() }
}

/// Looks at a file on disk and at the commands in it, and compares it with what it was.
fn look_into(path: PathBuf, reach: &Reach, scanner: &Scanner) -> Look {
    let (stat, bytes) = reach.stat_and_bytes(&path);
    let known = bytes.as_deref();
    let is_as_before = scanner.before.as_ref().zip(known).is_some_and(|(before, bytes)| before.has(&path, bytes));
    let content = scanner.keeper.as_ref().zip(known).map(|(keeper, bytes)| keeper.hash(bytes));
    let bytes = bytes.unwrap_or_default();
    let commands = commands_in(&path, stat, &bytes);
    let found = FoundFile { facts: Facts::of(&bytes), path, stat, reach: reach.clone() };
    Look { found, commands, is_as_before, content }
}
