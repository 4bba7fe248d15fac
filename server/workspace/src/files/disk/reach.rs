//! How far text of a repository leads: which files it can have read by naming them.
//!
//! What the user names may lie anywhere. What a repository names (in `lofting.toml`, modelines, commands, settings, code)
//! lies in the workspace folder or in the repository around it, links resolved, and not in `.git`.

use super::open::{Kind, Links, Listed, MAX_FILE_SIZE, ReadProblem, Stat, is_link, kind_of, list, problem, read, real};
use rustc_hash::FxHashMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// What findings say about a name that leads out.
pub(crate) const OUT_OF_REACH: &str = "this lies outside of the workspace folder and its repository";

/// Longer paths (bytes) do not exist; resolving one step by step would take long.
const MAX_PATH: usize = 4096;

/// How far text leads. Every look at the file system is taken through one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// `None`: everywhere.
    bounds: Option<Arc<[Bound]>>,
}

/// A directory that text does not lead out of.
#[derive(Debug, PartialEq, Eq)]
struct Bound {
    /// As the user and the editor call it.
    written: PathBuf,
    /// Without links.
    real: PathBuf,
}

impl Reach {
    /// Nothing can be read.
    pub(crate) fn nowhere() -> Reach {
        Reach { bounds: Some(Arc::default()) }
    }

    /// What the user names, on the command line or by opening it: everywhere.
    pub fn of_user() -> Reach {
        Reach { bounds: None }
    }

    /// What text in a workspace folder may name: what lies in it, or in the repository it belongs to.
    pub fn within(folder: &Path) -> Reach {
        Reach::within_known(folder, &mut Repositories::default())
    }

    /// The same, for one of many folders.
    pub(crate) fn within_known(folder: &Path, repositories: &mut Repositories) -> Reach {
        let bound =
            |path: &Path| Bound { written: path.to_owned(), real: real(path).unwrap_or_else(|| path.to_owned()) };
        let folder = bound(folder);
        let repository = repositories.around(&folder.real).map(|path| bound(&path));
        let bounds: Vec<Bound> = std::iter::once(folder).chain(repository).collect();
        Reach { bounds: Some(bounds.into()) }
    }

    /// Whether it is not bounded, as the user is.
    pub(crate) fn is_unbounded(&self) -> bool {
        self.bounds.is_none()
    }

    /// Whether the name leads to where it may, as it is written. Touches no file: a link may still lead out.
    pub fn names(&self, path: &Path) -> bool {
        let Some(bounds) = &self.bounds else { return true };
        path.as_os_str().len() <= MAX_PATH
            && bounds.iter().any(|bound| is_below(&bound.written, path) || is_below(&bound.real, path))
    }

    /// Where to open what `path` names, and whether a link may stand there.
    fn resolve(&self, path: &Path) -> Result<(PathBuf, Links), ReadProblem> {
        let Some(bounds) = &self.bounds else { return Ok((path.to_owned(), Links::Followed)) };
        // What is written is looked at first: even resolving a path can wake up a server somewhere.
        if !self.names(path) {
            return Err(ReadProblem::OutOfReach);
        }
        let inside = |real: &Path| bounds.iter().any(|bound| is_below(&bound.real, real));
        if let Some(found) = real(path) {
            // Nobody puts a link in the place of a path without links, but somebody may try.
            return if inside(&found) { Ok((found, Links::Refused)) } else { Err(ReadProblem::OutOfReach) };
        }
        // Whether a file is there is not told of what lies outside. A folder that is gone is no link.
        let above = path.ancestors().skip(1).find_map(|above| Some((above, real(above)?)));
        match above {
            Some((above, found)) if inside(&found) || !self.names(above) => Err(ReadProblem::NotFound),
            _ => Err(ReadProblem::OutOfReach),
        }
    }

    /// The bytes of a regular file within the size limit.
    pub(crate) fn bytes(&self, path: &Path) -> Result<Vec<u8>, ReadProblem> {
        self.bytes_up_to(path, MAX_FILE_SIZE)
    }

    /// The bytes of a regular file that has at most `limit` of them.
    pub(crate) fn bytes_up_to(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem> {
        let (path, links) = self.resolve(path)?;
        read(&path, links, limit)
    }

    /// The text of a regular file within the size limit.
    pub fn text(&self, path: &Path) -> Result<String, ReadProblem> {
        String::from_utf8(self.bytes(path)?).map_err(|error| ReadProblem::NotUtf8(error.utf8_error().valid_up_to()))
    }

    /// The state of a regular file with its bytes, if it is within the size limit and can be read.
    pub(crate) fn stat_and_bytes(&self, path: &Path) -> (Option<Stat>, Option<Vec<u8>>) {
        let Ok((path, links)) = self.resolve(path) else { return (None, None) };
        let stat = Stat::of(&path);
        (stat, stat.and_then(|_| read(&path, links, MAX_FILE_SIZE).ok()))
    }

    /// The state of a regular file.
    pub(crate) fn stat(&self, path: &Path) -> Option<Stat> {
        Stat::of(&self.resolve(path).ok()?.0)
    }

    /// What stands at the path, links followed.
    pub(crate) fn look(&self, path: &Path) -> Result<Kind, ReadProblem> {
        let (path, _) = self.resolve(path)?;
        Ok(kind_of(&path).ok_or(ReadProblem::NotFound)?.0)
    }

    /// Where a link at the path leads to in the end; none if there is no link. A link that leads nowhere leads to itself.
    pub(crate) fn link(&self, path: &Path) -> Option<PathBuf> {
        let (path, _) = self.resolve(path).ok()?;
        is_link(&path).then(|| real(&path).unwrap_or(path))
    }

    /// Whether a regular file is there.
    pub fn is_file(&self, path: &Path) -> bool {
        self.look(path) == Ok(Kind::File)
    }

    /// Whether a directory is there.
    pub fn is_directory(&self, path: &Path) -> bool {
        self.look(path) == Ok(Kind::Directory)
    }

    /// A directory, to list what is in it and below it.
    pub(crate) fn directory(&self, path: &Path) -> Result<Directory, ReadProblem> {
        let (path, _) = self.resolve(path)?;
        match kind_of(&path) {
            Some((Kind::Directory, changed)) => Ok(Directory { path: real(&path).unwrap_or(path), changed }),
            Some(_) => Err(ReadProblem::NoFile),
            None => Err(ReadProblem::NotFound),
        }
    }

    /// Regular files below a directory that `keep` wants, in any order; links are not followed. More than `limit` entries
    /// are refused. What the user names is listed as a whole or not at all.
    pub(crate) fn files_below(
        &self,
        directory: &Path,
        limit: usize,
        keep: &dyn Fn(&Path) -> bool,
    ) -> Result<Below, WalkProblem> {
        let mut below = Below::default();
        let is_whole = self.bounds.is_none();
        let other = |problem: String| WalkProblem::Other(problem);
        let first = self.directory(directory).map_err(|problem| other(problem.to_string()))?;
        let mut open = vec![(directory.to_owned(), first)];
        while let Some((shown, next)) = open.pop() {
            let entries = match next.entries() {
                Ok(entries) => entries,
                Err(problem) if below.visited == 0 || is_whole => return Err(other(problem.to_string())),
                // A directory without permission deep below takes nothing else away.
                Err(_) => continue,
            };
            for entry in entries {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) if is_whole => return Err(other(error.to_string())),
                    Err(_) => continue,
                };
                below.visited += 1;
                if below.visited > limit {
                    return Err(WalkProblem::TooMany(limit));
                }
                let path = shown.join(&entry.name);
                match entry.kind {
                    Kind::Directory if is_whole || entry.name != GIT => open.push((path, next.inner(&entry))),
                    Kind::File if keep(&path) => below.files.push(path),
                    Kind::Other if entry.is_link => below.links.push(path),
                    _ => {}
                }
            }
        }
        Ok(below)
    }
}

/// Why what lies below a directory is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WalkProblem {
    /// More files and directories than this.
    TooMany(usize),
    /// In words.
    Other(String),
}

impl fmt::Display for WalkProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WalkProblem::TooMany(limit) => {
                write!(f, "more than {limit} files and directories lie below it: name a smaller one")
            }
            WalkProblem::Other(problem) => f.write_str(problem),
        }
    }
}

/// A directory that may be listed. Those in it may be as well: they are no links.
#[derive(Debug)]
pub(crate) struct Directory {
    /// Without links.
    path: PathBuf,
    /// Last change, where it was looked at and the file system knows it.
    changed: Option<SystemTime>,
}

impl Directory {
    /// Its path without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its last change.
    pub fn changed(&self) -> Option<SystemTime> {
        self.changed
    }

    /// Its entries, as they come.
    pub fn entries(&self) -> Result<impl Iterator<Item = std::io::Result<Listed>> + use<>, ReadProblem> {
        list(&self.path).map_err(problem)
    }

    /// A directory listed in it.
    pub fn inner(&self, entry: &Listed) -> Directory {
        let path = self.path.join(&entry.name);
        let changed = kind_of(&path).and_then(|(_, changed)| changed);
        Directory { path, changed }
    }

    /// The bytes of an ignore file in it with at most `limit` of them; none if there is none. Like git this follows no
    /// link to one.
    pub fn ignore_file(&self, name: &str, limit: u64) -> Option<Result<Vec<u8>, ReadProblem>> {
        match read(&self.path.join(name), Links::Refused, limit) {
            Err(ReadProblem::NotFound) => None,
            read => Some(read),
        }
    }

    /// What is ignored in this clone of a repository only.
    pub fn exclude_file(&self, limit: u64) -> Option<Result<Vec<u8>, ReadProblem>> {
        let info = self.path.join(GIT).join("info");
        // A link at any part of it leads elsewhere.
        (real(&info)? == info).then(|| Directory { path: info, changed: None }.ignore_file("exclude", limit))?
    }

    /// Whether it is the root of a repository.
    pub fn is_repository(&self) -> bool {
        is_repository(&self.path)
    }

    /// The directories above it.
    pub fn above(&self) -> impl Iterator<Item = Directory> {
        self.path.ancestors().skip(1).map(|path| Directory { path: path.to_owned(), changed: None })
    }
}

/// The files below a directory.
#[derive(Debug, Default)]
pub(crate) struct Below {
    pub files: Vec<PathBuf>,
    /// Links, which are not followed.
    pub links: Vec<PathBuf>,
    /// Entries looked at.
    pub visited: usize,
}

/// Name of a repository's own directory or file.
const GIT: &str = ".git";

/// Whether `path` lies in the directory and not in a `.git` of it, which holds other branches, addresses and passwords.
fn is_below(directory: &Path, path: &Path) -> bool {
    let git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(GIT);
    path.strip_prefix(directory).is_ok_and(|inner| !inner.components().any(git))
}

/// The root of the repository that a directory lies in.
pub(crate) fn repository_of(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|directory| is_repository(directory)).map(Path::to_path_buf)
}

/// Whether a directory is the root of a repository: like git, by what is in `.git`.
pub(crate) fn is_repository(directory: &Path) -> bool {
    let git = directory.join(GIT);
    match kind_of(&git) {
        Some((Kind::Directory, _)) => {
            let is_directory = |name| matches!(kind_of(&git.join(name)), Some((Kind::Directory, _)));
            kind_of(&git.join("HEAD")).is_some() && is_directory("objects") && is_directory("refs")
        }
        // A worktree or a submodule.
        Some((Kind::File, _)) => {
            read(&git, Links::Refused, MAX_PATH as u64).is_ok_and(|text| text.starts_with(b"gitdir:"))
        }
        _ => false,
    }
}

/// The repositories that bound what lies in them, by directory: of many directories each is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Repositories {
    around: FxHashMap<PathBuf, Option<Arc<Path>>>,
}

impl Repositories {
    /// The repository around a directory, if it is a bound.
    fn around(&mut self, directory: &Path) -> Option<Arc<Path>> {
        let mut new = Vec::new();
        let mut found = None;
        for above in directory.ancestors() {
            if let Some(known) = self.around.get(above) {
                found = known.clone();
                break;
            }
            new.push(above);
            if is_repository(above) {
                found = Some(above).filter(|path| is_bound(path)).map(Arc::from);
                break;
            }
        }
        self.around.extend(new.into_iter().map(|directory| (directory.to_owned(), found.clone())));
        found
    }
}

/// A home directory that is kept in a repository does not open all of it to everything below.
pub(super) fn is_bound(repository: &Path) -> bool {
    let home = std::env::home_dir().and_then(|home| real(&home));
    repository.parent().is_some() && !home.is_some_and(|home| home.starts_with(repository))
}

/// The folders whose text may name any file and read the environment, because the user said so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    /// All folders.
    pub all: bool,
    /// These and what lies in them; absolute paths.
    pub folders: Vec<PathBuf>,
}

impl Trust {
    /// Trust in everything.
    pub fn all() -> Trust {
        Trust { all: true, folders: Vec::new() }
    }

    /// Whether the user trusts what stands in a file.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        if self.all {
            return true;
        }
        if self.folders.is_empty() {
            return false;
        }
        // Where the file really lies decides: a link must not lead into trust.
        let directory = path.ancestors().skip(1).find_map(real);
        let covers = |folder: &PathBuf| {
            real(folder).is_some_and(|folder| directory.as_ref().is_some_and(|path| path.starts_with(folder)))
        };
        self.folders.iter().any(covers)
    }
}
