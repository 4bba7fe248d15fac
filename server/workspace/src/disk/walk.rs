//! Walks a folder and skips what its ignore files name, with git's semantics.
//!
//! Ignore files are read like all others: up to a size limit, only if they are regular, and never through a link. Those
//! above the repository do not count, nor do those of a repository around a nested one.

use crate::disk::{Directory, FileType, Reach, ReadProblem, repository_of};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

#[cfg(test)]
mod tests;

/// Larger ignore files (in bytes) are ignored.
const MAX_SIZE: u64 = 512 * 1024;

/// How many patterns one walk uses in all: each is compiled and matched against every file below.
const MAX_PATTERNS: usize = 50_000;

/// What a walk meets.
pub(crate) enum Step {
    Directory(PathBuf, Option<SystemTime>),
    File(PathBuf),
    /// Neither: a link, a pipe, something ignored.
    Other,
    /// Something that could not be read, in words.
    Problem(String),
}

/// A walk below a folder.
pub(crate) struct Walk<'w> {
    pub reach: &'w Reach,
    /// Outside repositories, ignore files above this folder do not count.
    pub top: &'w Path,
    /// How many levels to descend; `None` for all.
    pub depth: Option<usize>,
    /// Whether an entry with this name is visited.
    pub is_visible: fn(&OsStr, FileType) -> bool,
}

/// A directory that was found but not listed yet.
struct Open {
    /// Its path as the user writes it.
    shown: PathBuf,
    directory: Directory,
    /// The ignore files that apply to it.
    ignores: Ignores,
    depth: usize,
}

impl Walk<'_> {
    /// Calls `visit` for `root` and everything below it, until it breaks.
    pub fn run(&self, root: &Path, visit: &mut dyn FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        let directory = match self.reach.directory(root) {
            Ok(directory) => directory,
            Err(problem) => return visit(Step::Problem(format!("{}: {problem}", root.display()))),
        };
        let mut patterns = Patterns { left: MAX_PATTERNS, problems: Vec::new() };
        let ignores = self.above(&directory, &mut patterns);
        let mut open = vec![Open { shown: root.to_owned(), directory, ignores, depth: 0 }];
        while let Some(Open { shown, directory, ignores, depth }) = open.pop() {
            visit(Step::Directory(shown.clone(), directory.changed()))?;
            if self.depth.is_some_and(|maximum| depth >= maximum) {
                continue;
            }
            let entries = match directory.entries() {
                Ok(entries) => entries,
                Err(problem) => {
                    visit(Step::Problem(format!("{}: {problem}", shown.display())))?;
                    continue;
                }
            };
            let ignores = ignores.inside(&directory, &mut patterns);
            for problem in patterns.problems.drain(..) {
                visit(Step::Problem(problem))?;
            }
            for entry in entries {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => {
                        visit(Step::Problem(format!("{}: {error}", shown.display())))?;
                        continue;
                    }
                };
                let is_directory = entry.kind == FileType::Directory;
                let wanted = entry.kind != FileType::Other && (self.is_visible)(&entry.name, entry.kind);
                if !wanted || ignores.covers(&directory.path().join(&entry.name), is_directory) {
                    visit(Step::Other)?;
                } else if is_directory {
                    let inner = directory.inner(&entry);
                    let shown = shown.join(&entry.name);
                    open.push(Open { shown, directory: inner, ignores: ignores.clone(), depth: depth + 1 });
                } else {
                    visit(Step::File(shown.join(&entry.name)))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The ignore files that apply from above, starting at the repository or at the top.
    fn above(&self, directory: &Directory, patterns: &mut Patterns) -> Ignores {
        let top = repository_of(directory.path())
            .or_else(|| Some(self.reach.directory(self.top).ok()?.path().to_owned()))
            .unwrap_or_else(|| directory.path().to_owned());
        let mut above: Vec<Directory> = directory.above().take_while(|above| above.path().starts_with(&top)).collect();
        above.reverse();
        above.iter().fold(Ignores::default(), |ignores, above| ignores.inside(above, patterns))
    }
}

/// The ignore files that apply in a directory.
#[derive(Clone, Default)]
struct Ignores {
    /// From the outermost to the innermost, shared between directories.
    files: Arc<[Arc<IgnoreFile>]>,
}

struct IgnoreFile {
    rank: Rank,
    patterns: Gitignore,
}

/// Precedence: a higher rank decides, and among equals the innermost file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// `.git/info/exclude`
    Exclude,
    /// `.gitignore`
    Git,
    /// `.ignore`: for search programs, not for git.
    Search,
}

impl Ignores {
    /// These rules, together with the ignore files of a directory below.
    fn inside(&self, directory: &Directory, patterns: &mut Patterns) -> Ignores {
        let is_root = directory.is_repository();
        let exclude = if is_root { directory.exclude_file(MAX_SIZE) } else { None };
        let files = [
            (Rank::Exclude, ".git/info/exclude", exclude),
            (Rank::Git, ".gitignore", directory.ignore_file(".gitignore", MAX_SIZE)),
            (Rank::Search, ".ignore", directory.ignore_file(".ignore", MAX_SIZE)),
        ];
        let own = files.map(|(rank, name, bytes)| patterns.read(directory.path(), rank, name, bytes?));
        if !is_root && own.iter().all(Option::is_none) {
            return self.clone();
        }
        // A nested repository is not affected by the outer one.
        let kept = self.files.iter().filter(|file| !is_root || file.rank == Rank::Search).cloned();
        Ignores { files: kept.chain(own.into_iter().flatten().map(Arc::new)).collect() }
    }

    fn covers(&self, path: &Path, is_directory: bool) -> bool {
        for rank in [Rank::Search, Rank::Git, Rank::Exclude] {
            for file in self.files.iter().rev().filter(|file| file.rank == rank) {
                match file.patterns.matched(path, is_directory) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
        }
        false
    }
}

/// Reads ignore files.
struct Patterns {
    /// How many more patterns may be used.
    left: usize,
    /// Problems, in words.
    problems: Vec<String>,
}

impl Patterns {
    fn read(
        &mut self,
        directory: &Path,
        rank: Rank,
        name: &str,
        bytes: Result<Vec<u8>, ReadProblem>,
    ) -> Option<IgnoreFile> {
        let shown = directory.join(name);
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(problem) => {
                self.problems.push(format!("{} is passed over: {problem}", shown.display()));
                return None;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut builder = GitignoreBuilder::new(directory);
        for line in text.trim_start_matches('\u{feff}').lines() {
            let name = line.strip_prefix('!').unwrap_or(line);
            if line.starts_with('#') || name.is_empty() || name == "/" {
                // git takes an empty name as no file.
                continue;
            }
            if self.left == 0 {
                self.problems.push(format!(
                    "{} is passed over: the ignore files hold more than {MAX_PATTERNS} patterns",
                    shown.display()
                ));
                return None;
            }
            self.left -= 1;
            // As in git, an invalid line ignores nothing.
            let _ = builder.add_line(None, line);
        }
        let patterns = builder.build().ok()?;
        (!patterns.is_empty()).then_some(IgnoreFile { rank, patterns })
    }
}
