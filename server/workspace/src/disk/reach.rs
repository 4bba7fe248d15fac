//! Reach: which files a text may cause to be read by naming them.
//!
//! The user may name any file. Text in a repository (`lofting.toml`, modelines, commands, settings, code) may name
//! files in the workspace folder and in the repository around it, after resolving links, but not in `.git`.

use super::asked::ask;
use super::built_in::{self, BuiltIn};
use super::found::{FileType, Links, Listed, MAX_FILE_SIZE, ReadProblem, Stat, problem};
use super::open::{is_plain_file, kind_of, now, read, real};
use super::stored::Volume;
use lofting_disk::git;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// What findings say about a path outside the reach.
pub(crate) const OUT_OF_REACH: &str = "this is outside the workspace folder and its repository";

/// Longer paths (in bytes) do not exist, and resolving one step by step would take a long time.
const MAX_PATH: usize = 4096;

/// The reach of a text. Every access to the file system goes through one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// `None` for no bounds.
    bounds: Option<Arc<[Bound]>>,
    /// Texts that are part of the program stand for files.
    built_in: Option<BuiltIn>,
    /// Where files are.
    volume: Volume,
}

/// A directory that bounds what a text may name.
#[derive(Debug)]
struct Bound {
    /// Its path as the user and the editor write it.
    written: PathBuf,
    /// Its path with links resolved.
    real: PathBuf,
    /// What was looked at lately.
    lately: Mutex<Lately>,
}

impl PartialEq for Bound {
    fn eq(&self, other: &Bound) -> bool {
        (&self.written, &self.real) == (&other.written, &other.real)
    }
}

impl Eq for Bound {}

/// Directories that are not git's, by paths without links. Both may change at any time, so this is known for a moment
/// only.
#[derive(Debug, Default)]
struct Lately {
    since: Option<Instant>,
    directories: FxHashSet<PathBuf>,
}

impl Lately {
    /// What is known now.
    fn now(&mut self) -> &mut Lately {
        let now = now();
        let age = now.zip(self.since).map(|(now, since)| now.duration_since(since));
        if age.is_none_or(|age| age > MOMENT) {
            *self = Lately { since: now, directories: FxHashSet::default() };
        }
        self
    }
}

/// How long it is known that a directory is not git's: long enough for a scan of many files.
const MOMENT: Duration = Duration::from_secs(1);

impl Bound {
    /// Whether a path without links lies in a directory of git. It may have any name: its content tells.
    fn is_of_git(&self, real: &Path) -> bool {
        let Some(directory) = real.parent().filter(|_| real != self.real) else { return false };
        let mut lately = self.lately.lock();
        let lately = lately.now();
        if lately.directories.contains(directory) {
            return git::is_directory(real) || git::is_directory(directory);
        }
        // What is above is examined once for all directories that share it.
        let known = directory.ancestors().find(|above| lately.directories.contains(*above));
        let bound = known.unwrap_or(&self.real).to_owned();
        if git::is_in_directory(&bound, real) {
            return true;
        }
        for above in directory.ancestors().take_while(|above| *above != bound) {
            lately.directories.insert(above.to_owned());
        }
        false
    }

    /// Looks at all directories again.
    fn forget(&self) {
        *self.lately.lock() = Lately::default();
    }

    /// Whether a path has no links and leads to a regular file that is not git's, as far as one look at the file tells: its
    /// directory was looked at a moment ago.
    fn has_plain_file(&self, path: &Path) -> bool {
        let Some(directory) = path.parent() else { return false };
        let is_known = self.lately.lock().now().directories.contains(directory);
        is_known && is_plain_file(path) && !git::is_directory(directory)
    }
}

/// The text of a file.
pub(crate) fn decoded(bytes: Vec<u8>) -> Result<String, ReadProblem> {
    String::from_utf8(bytes).map_err(|error| ReadProblem::NotUtf8(error.utf8_error().valid_up_to()))
}

impl Reach {
    /// Nothing may be read.
    pub(crate) fn nowhere() -> Reach {
        Reach { bounds: Some(Arc::default()), built_in: None, volume: Volume::default() }
    }

    /// For names that lead to texts in the program, and to no file.
    pub(crate) fn into_program(built_in: BuiltIn) -> Reach {
        Reach { built_in: Some(built_in), ..Reach::nowhere() }
    }

    /// For names given by the user, on the command line or by opening a file: everything may be read.
    pub fn of_user() -> Reach {
        Reach { bounds: None, built_in: None, volume: Volume::default() }
    }

    /// For text in a workspace folder: everything in it, or in its repository.
    pub fn within(folder: &Path) -> Reach {
        Reach::within_known(folder, &mut Repositories::default())
    }

    /// Like [`Reach::within`], when there are many folders.
    pub(crate) fn within_known(folder: &Path, repositories: &mut Repositories) -> Reach {
        let bound = |path: &Path| Bound {
            written: path.to_owned(),
            real: real(path).unwrap_or_else(|| path.to_owned()),
            lately: Mutex::default(),
        };
        let folder = bound(folder);
        let repository = repositories.around(&folder.real).map(|path| bound(&path));
        let bounds: Vec<Bound> = std::iter::once(folder).chain(repository).collect();
        Reach { bounds: Some(bounds.into()), built_in: None, volume: Volume::default() }
    }

    /// The repository around the folder that this leads through, as far as its path is written like that of the folder.
    pub(crate) fn repository_around(&self) -> Option<&Path> {
        let [folder, repository] = self.bounds.as_deref()? else { return None };
        let is_around = folder.written.starts_with(&repository.written) && folder.written != repository.written;
        is_around.then_some(repository.written.as_path())
    }

    /// These bounds, for files on another volume.
    pub(crate) fn on(self, volume: &Volume) -> Reach {
        Reach { volume: volume.clone(), ..self }
    }

    /// Whether there are no bounds.
    pub(crate) fn is_unbounded(&self) -> bool {
        self.bounds.is_none()
    }

    /// Whether a path is within the bounds as it is written. Touches no file, so a link may still lead out.
    pub fn names(&self, path: &Path) -> bool {
        if self.built_in.is_some() {
            return built_in::is_in_program(path);
        }
        let Some(bounds) = &self.bounds else { return true };
        path.as_os_str().len() <= MAX_PATH
            && bounds.iter().any(|bound| is_below(&bound.written, path) || is_below(&bound.real, path))
    }

    /// The path to open for `path`, and whether a link may be there.
    fn resolve(&self, path: &Path) -> Result<(PathBuf, Links), ReadProblem> {
        let Some(bounds) = &self.bounds else { return Ok((path.to_owned(), Links::Followed)) };
        // The written path is checked first: even resolving a path can contact a network file system.
        if !self.names(path) {
            return Err(ReadProblem::OutOfReach);
        }
        let inside = |real: &Path| bounds.iter().any(|bound| is_below(&bound.real, real) && !bound.is_of_git(real));
        if self.volume.is_disk(path) && bounds.iter().any(|bound| bound.has_plain_file(path)) {
            return Ok((path.to_owned(), Links::Refused));
        }
        if let Some(found) = self.volume.real(path) {
            // The path has no links now, but another process may put one there before it is opened.
            return if inside(&found) { Ok((found, Links::Refused)) } else { Err(ReadProblem::OutOfReach) };
        }
        // Whether a file outside the bounds exists is not revealed. A missing folder is not a link.
        let above = path.ancestors().skip(1).find_map(|above| Some((above, self.volume.real(above)?)));
        match above {
            Some((above, found)) if inside(&found) || !self.names(above) => Err(ReadProblem::NotFound),
            _ => Err(ReadProblem::OutOfReach),
        }
    }

    /// The bytes of a regular file up to the size limit.
    pub(crate) fn bytes(&self, path: &Path) -> Result<Vec<u8>, ReadProblem> {
        self.bytes_up_to(path, MAX_FILE_SIZE)
    }

    /// The bytes of a regular file, if there are at most `limit`.
    pub(crate) fn bytes_up_to(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem> {
        if let Some(built_in) = &self.built_in {
            return built_in.text_at(path).map(String::into_bytes).ok_or(ReadProblem::NotFound);
        }
        self.read(path, limit).map(|(_, bytes)| bytes)
    }

    /// The state and the bytes of a regular file.
    fn read(&self, path: &Path, limit: u64) -> Result<(Stat, Vec<u8>), ReadProblem> {
        let (found, links) = self.resolve(path)?;
        match self.volume.stat_and_bytes(&found, links, limit) {
            // A directory that was looked at a moment ago may be a link now.
            Err(ReadProblem::Other(_)) if links == Links::Refused => {
                self.bounds.iter().flat_map(|bounds| bounds.iter()).for_each(Bound::forget);
                let (found, links) = self.resolve(path)?;
                self.volume.stat_and_bytes(&found, links, limit)
            }
            read => read,
        }
    }

    /// The text of a regular file up to the size limit.
    pub fn text(&self, path: &Path) -> Result<String, ReadProblem> {
        decoded(self.bytes(path)?)
    }

    /// The state of a regular file, and its bytes if they can be read within the size limit.
    pub(crate) fn stat_and_bytes(&self, path: &Path) -> (Option<Stat>, Option<Vec<u8>>) {
        if let Some(built_in) = &self.built_in {
            return (built_in.stat_at(path), built_in.text_at(path).map(String::into_bytes));
        }
        match self.read(path, MAX_FILE_SIZE) {
            Ok((stat, bytes)) => (Some(stat), Some(bytes)),
            Err(_) => (self.stat(path), None),
        }
    }

    /// The state of a regular file.
    pub(crate) fn stat(&self, path: &Path) -> Option<Stat> {
        if let Some(built_in) = &self.built_in {
            return built_in.stat_at(path);
        }
        self.volume.stat(&self.resolve(path).ok()?.0)
    }

    /// What is at a path, following links.
    pub(crate) fn look(&self, path: &Path) -> Result<FileType, ReadProblem> {
        if let Some(built_in) = &self.built_in {
            return built_in.stat_at(path).map(|_| FileType::File).ok_or(ReadProblem::NotFound);
        }
        let (path, _) = self.resolve(path)?;
        Ok(self.volume.kind_of(&path).ok_or(ReadProblem::NotFound)?.0)
    }

    /// Whether a path leads out of the bounds.
    pub(crate) fn leads_out(&self, path: &Path) -> bool {
        self.built_in.is_none() && self.resolve(path) == Err(ReadProblem::OutOfReach)
    }

    /// Where a link at a path finally leads; None if there is no link. A broken link leads to itself.
    pub(crate) fn link(&self, path: &Path) -> Option<PathBuf> {
        let (path, _) = self.resolve(path).ok()?;
        self.volume.is_link(&path).then(|| self.volume.real(&path).unwrap_or(path))
    }

    /// Whether there is a regular file at the path.
    pub fn is_file(&self, path: &Path) -> bool {
        self.look(path) == Ok(FileType::File)
    }

    /// Whether there is a directory at the path.
    pub fn is_directory(&self, path: &Path) -> bool {
        self.look(path) == Ok(FileType::Directory)
    }

    /// A directory, for listing it and those below it.
    pub(crate) fn directory(&self, path: &Path) -> Result<Directory, ReadProblem> {
        let (path, _) = self.resolve(path)?;
        match self.volume.kind_of(&path) {
            Some((FileType::Directory, changed)) => {
                let path = self.volume.real(&path).unwrap_or(path);
                Ok(Directory { path, changed, volume: self.volume.clone() })
            }
            Some(_) => Err(ReadProblem::NoFile),
            None => Err(ReadProblem::NotFound),
        }
    }

    /// The regular files below a directory that satisfy `keep`, in any order; links are not followed. Fails if there
    /// are more than `limit` entries. A directory that the user names is listed completely or not at all.
    pub(crate) fn files_below(
        &self,
        directory: &Path,
        limit: usize,
        keep: &dyn Fn(&Path) -> bool,
    ) -> Result<Below, WalkProblem> {
        let mut below = Below::default();
        let is_whole = self.bounds.is_none();
        let first = self.directory(directory).map_err(WalkProblem::Unread)?;
        let mut open = vec![(directory.to_owned(), first)];
        while let Some((shown, next)) = open.pop() {
            let entries = match next.entries() {
                Ok(entries) => entries,
                Err(problem) if below.visited == 0 || is_whole => return Err(WalkProblem::Unread(problem)),
                // An unreadable directory below does not affect the others.
                Err(_) => continue,
            };
            for entry in entries {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) if is_whole => return Err(WalkProblem::Unread(ReadProblem::Other(error.to_string()))),
                    Err(_) => continue,
                };
                below.visited += 1;
                if below.visited > limit {
                    return Err(WalkProblem::TooMany(limit));
                }
                let path = shown.join(&entry.name);
                match entry.kind {
                    FileType::Directory if is_whole || !is_git(&next, &entry) => open.push((path, next.inner(&entry))),
                    FileType::File if keep(&path) => below.files.push(path),
                    FileType::Other if entry.is_link => below.links.push(path),
                    _ => {}
                }
            }
        }
        Ok(below)
    }
}

/// Why the content of a directory is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalkProblem {
    /// More files and directories than this.
    TooMany(usize),
    /// It, or a directory in it, cannot be read.
    Unread(ReadProblem),
}

impl fmt::Display for WalkProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WalkProblem::TooMany(limit) => {
                write!(f, "more than {limit} files and directories lie below it: name a smaller one")
            }
            WalkProblem::Unread(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for WalkProblem {}

/// A directory that may be listed, including those inside it, which are not links.
#[derive(Debug)]
pub(crate) struct Directory {
    /// Its path with links resolved.
    path: PathBuf,
    /// Time of last change, if it was queried and the file system supports it.
    changed: Option<SystemTime>,
    volume: Volume,
}

impl Directory {
    /// Its path with links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its time of last change.
    pub fn changed(&self) -> Option<SystemTime> {
        self.changed
    }

    /// Its entries, unsorted.
    pub fn entries(&self) -> Result<impl Iterator<Item = std::io::Result<Listed>> + use<>, ReadProblem> {
        self.volume.list(&self.path).map_err(problem)
    }

    /// A directory among its entries.
    pub fn inner(&self, entry: &Listed) -> Directory {
        let path = self.path.join(&entry.name);
        let changed = self.volume.kind_of(&path).and_then(|(_, changed)| changed);
        Directory { path, changed, volume: self.volume.clone() }
    }

    /// The bytes of an ignore file in it, if there are at most `limit`; None if there is none. Like git, this follows
    /// no links.
    pub fn ignore_file(&self, name: &str, limit: u64) -> Option<Result<Vec<u8>, ReadProblem>> {
        match self.volume.read(&self.path.join(name), Links::Refused, limit) {
            Err(ReadProblem::NotFound) => None,
            read => Some(read),
        }
    }

    /// The bytes of the ignore file of this clone of a repository (`.git/info/exclude`).
    pub fn exclude_file(&self, limit: u64) -> Option<Result<Vec<u8>, ReadProblem>> {
        let info = self.path.join(GIT).join("info");
        // A link in any part of the path leads elsewhere.
        (real(&info)? == info)
            .then(|| Directory { path: info, changed: None, volume: Volume::default() }.ignore_file("exclude", limit))?
    }

    /// Whether it is the root of a repository.
    pub fn is_repository(&self) -> bool {
        is_repository(&self.path)
    }

    /// The directories above it.
    pub fn above(&self) -> impl Iterator<Item = Directory> {
        self.path.ancestors().skip(1).map(|path| Directory {
            path: path.to_owned(),
            changed: None,
            volume: self.volume.clone(),
        })
    }
}

/// The files below a directory.
#[derive(Debug, Default)]
pub(crate) struct Below {
    pub files: Vec<PathBuf>,
    /// Links, which are not followed.
    pub links: Vec<PathBuf>,
    /// How many entries were visited.
    pub visited: usize,
}

/// Whether a directory among the entries of another is git's own.
fn is_git(directory: &Directory, entry: &Listed) -> bool {
    git::is_name(&entry.name) || git::is_directory(&directory.path.join(&entry.name))
}

/// The name of the directory or file with git's own data.
const GIT: &str = ".git";

/// Whether `path` lies in the directory, but not in its `.git`, which contains other branches, addresses and passwords.
fn is_below(directory: &Path, path: &Path) -> bool {
    let git = |part: Component<'_>| git::is_name(part.as_os_str());
    path.strip_prefix(directory).is_ok_and(|inner| !inner.components().any(git))
}

/// The root of the repository that contains a directory.
pub(crate) fn repository_of(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|directory| is_repository(directory)).map(Path::to_path_buf)
}

/// Whether a directory is the root of a repository. Like git, this looks at the content of `.git`.
pub(crate) fn is_repository(directory: &Path) -> bool {
    ask();
    let git = directory.join(GIT);
    match kind_of(&git) {
        Some((FileType::Directory, _)) => {
            let is_directory = |name| matches!(kind_of(&git.join(name)), Some((FileType::Directory, _)));
            kind_of(&git.join("HEAD")).is_some() && is_directory("objects") && is_directory("refs")
        }
        // A worktree or a submodule.
        Some((FileType::File, _)) => {
            read(&git, Links::RefusedAtEnd, MAX_PATH as u64).is_ok_and(|text| text.starts_with(b"gitdir:"))
        }
        _ => false,
    }
}

/// The repositories around directories, each looked up once.
#[derive(Debug, Default)]
pub(crate) struct Repositories {
    around: FxHashMap<PathBuf, Option<Arc<Path>>>,
}

impl Repositories {
    /// The repository around a directory, if it is used as a bound.
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

/// Whether a repository is used as a bound: a home directory that is kept in a repository must not open everything to
/// the projects inside it.
pub(super) fn is_bound(repository: &Path) -> bool {
    let home = std::env::home_dir().and_then(|home| real(&home));
    repository.parent().is_some() && !home.is_some_and(|home| home.starts_with(repository))
}

/// The folders whose text may name any file and read the environment, because the user trusts them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    /// All folders.
    pub all: bool,
    /// These folders and everything in them; absolute paths.
    pub folders: Vec<PathBuf>,
}

impl Trust {
    /// Trust in everything.
    pub fn all() -> Trust {
        Trust { all: true, folders: Vec::new() }
    }

    /// Whether the user trusts the content of a file.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        if self.all {
            return true;
        }
        if self.folders.is_empty() {
            return false;
        }
        ask();
        // The real place of the file decides: a link must not lead into a trusted folder.
        let directory = path.ancestors().skip(1).find_map(real);
        let covers = |folder: &PathBuf| {
            real(folder).is_some_and(|folder| directory.as_ref().is_some_and(|path| path.starts_with(folder)))
        };
        self.folders.iter().any(covers)
    }
}
