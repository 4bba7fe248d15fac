//! Finding the YAML files of a workspace. Input and output only: it changes nothing and can run on
//! any thread, while the workspace already answers.

use crate::cancel::CancelFlag;
use crate::discovered::{CommandFile, commands_in, look_for_commands};
use crate::disk::{MAX_FILE_SIZE, Stat, read_bytes};
use crate::facts::Facts;
use crate::kind::NameKind;
use crate::path::{file_name, is_yaml};
use crate::settings::Settings;
use ignore::WalkBuilder;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Walks the folders of a workspace.
#[derive(Debug, Clone)]
pub struct Scanner {
    roots: Vec<PathBuf>,
    maximum_files: usize,
    maximum_visited: usize,
    depth: Option<usize>,
}

/// How far a scan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanProgress {
    /// Directory entries looked at.
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
}

/// What a scan found.
#[derive(Debug, Clone, Default)]
pub struct ScanResult {
    pub(crate) files: Vec<FoundFile>,
    pub(crate) directories: Vec<(PathBuf, Option<SystemTime>)>,
    pub(crate) commands: Vec<(PathBuf, CommandFile)>,
    /// What the user should know: limits that were reached, folders that can not be read.
    pub messages: Vec<String>,
    /// It was cancelled; what it found counts all the same.
    pub cancelled: bool,
}

impl ScanResult {
    /// Number of files found.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }
}

/// Entries between two calls of the progress function.
const PROGRESS_STEP: usize = 512;

impl Scanner {
    pub(crate) fn new(roots: Vec<PathBuf>, settings: &Settings) -> Scanner {
        Scanner { roots, maximum_files: settings.maximum_files, maximum_visited: settings.maximum_visited, depth: None }
    }

    /// Looks only at entries directly in the folders.
    pub(crate) fn shallow(mut self) -> Scanner {
        self.depth = Some(1);
        self
    }

    /// Walks the folders. `.gitignore` is honoured (also outside of a git repository), hidden
    /// directories are skipped, links are not followed.
    pub fn run(&self, progress: &mut dyn FnMut(ScanProgress), cancel: &CancelFlag) -> ScanResult {
        let mut result = ScanResult::default();
        let mut visited = 0;
        for root in &self.roots {
            let walk = WalkBuilder::new(root)
                .follow_links(false)
                .hidden(false)
                .filter_entry(|entry| entry.depth() == 0 || is_visible(entry.file_name()))
                .require_git(false)
                .git_global(false)
                .max_depth(self.depth)
                .build();
            for entry in walk {
                if cancel.is_cancelled() {
                    result.cancelled = true;
                    return result;
                }
                visited += 1;
                if visited > self.maximum_visited {
                    result.messages.push(format!(
                        "The scan stopped after {} files and directories: the folder is too large. Files \
                         not seen are still checked when they are opened. (Setting: lofting.files.visited)",
                        self.maximum_visited
                    ));
                    return result;
                }
                if visited % PROGRESS_STEP == 0 {
                    progress(ScanProgress { visited, files: result.files.len() });
                }
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => {
                        // Folders without permission are common; one message per root is enough.
                        if result.messages.len() < 10 {
                            result.messages.push(format!("Not everything could be read: {error}"));
                        }
                        continue;
                    }
                };
                let Some(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    let modified = entry.metadata().ok().and_then(|meta| meta.modified().ok());
                    result.directories.push((entry.into_path(), modified));
                    continue;
                }
                if !kind.is_file() {
                    continue;
                }
                if is_ours(entry.path()) {
                    if result.files.len() >= self.maximum_files {
                        result.messages.push(format!(
                            "The scan stopped after {} YAML files. Files not seen are still checked when \
                             they are opened. (Setting: lofting.files.maximum)",
                            self.maximum_files
                        ));
                        return result;
                    }
                    let (found, commands) = look_into(entry.into_path());
                    result.commands.extend(commands.map(|commands| (found.path.clone(), commands)));
                    result.files.push(found);
                } else if let Some(commands) = look_for_commands(entry.path()) {
                    result.commands.push((entry.into_path(), commands));
                }
            }
        }
        progress(ScanProgress { visited, files: result.files.len() });
        result
    }
}

/// Hidden files and directories are passed over, but for those with CI files and recipes in them.
fn is_visible(name: &std::ffi::OsStr) -> bool {
    let Some(name) = name.to_str() else { return true };
    !name.starts_with('.') || matches!(name, ".github" | ".gitlab-ci.yml" | ".gitlab-ci.yaml" | ".justfile")
}

/// Whether files of this name are of interest.
pub(crate) fn is_ours(path: &Path) -> bool {
    is_yaml(path) || file_name(path) == crate::config::FILE_NAME || is_code(path)
}

/// Whether the file is only reached by `load` and is no YAML (reference 3.2).
pub(crate) fn is_code(path: &Path) -> bool {
    matches!(NameKind::of_path(path), NameKind::Starlark | NameKind::TextLibrary)
}

/// The state of a file and the marks in it. A file that can not be read has no marks; why it can not
/// be read is said when somebody asks for its text.
pub(crate) fn look_at(path: PathBuf) -> FoundFile {
    let (stat, bytes) = read(&path);
    FoundFile { facts: bytes.map(|bytes| Facts::of(&bytes)).unwrap_or_default(), path, stat }
}

/// The same with the commands in it.
pub(crate) fn look_into(path: PathBuf) -> (FoundFile, Option<CommandFile>) {
    let (stat, bytes) = read(&path);
    let bytes = bytes.unwrap_or_default();
    let commands = commands_in(&path, stat, &bytes);
    (FoundFile { facts: Facts::of(&bytes), path, stat }, commands)
}

fn read(path: &Path) -> (Option<Stat>, Option<Vec<u8>>) {
    let stat = Stat::of(path);
    let small = stat.is_some_and(|stat| stat.size <= MAX_FILE_SIZE);
    (stat, small.then(|| read_bytes(path).ok()).flatten())
}
