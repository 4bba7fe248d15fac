//! The files of a program in a browser: what its page gives it. They take the place of a disk, with the same questions
//! as [`super::open`]; there are no links.

use super::found::{FileType, Links, Listed, MAX_FILE_SIZE, ReadProblem, Stat};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

static FILES: Mutex<Files> = Mutex::new(Files::new());

/// Puts a file at a path that begins with `/`; it takes the place of what was there. False if it is too large, or if a file
/// is where the path has a directory.
pub fn put(path: &Path, bytes: Vec<u8>) -> bool {
    FILES.lock().put(path, bytes)
}

/// Removes a file.
pub fn remove(path: &Path) {
    FILES.lock().remove(path);
}

/// Directories by their paths. A directory is there as long as something is in it.
struct Files {
    directories: BTreeMap<PathBuf, BTreeMap<OsString, Node>>,
    /// How many changes there were: there is no clock.
    changes: u64,
}

#[derive(Clone)]
enum Node {
    File { bytes: Arc<[u8]>, change: u64 },
    Directory,
}

impl Node {
    fn kind(&self) -> FileType {
        match self {
            Node::File { .. } => FileType::File,
            Node::Directory => FileType::Directory,
        }
    }

    fn changed(&self) -> Option<SystemTime> {
        match self {
            Node::File { change, .. } => SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(*change)),
            Node::Directory => None,
        }
    }
}

/// A path as the directory that it is in, and the name there.
fn parts(path: &Path) -> Option<(&Path, OsString)> {
    Some((path.parent()?, path.file_name()?.to_owned()))
}

impl Files {
    const fn new() -> Files {
        Files { directories: BTreeMap::new(), changes: 0 }
    }

    fn at(&self, path: &Path) -> Option<Node> {
        let Some((directory, name)) = parts(path) else {
            return self.directories.contains_key(path).then_some(Node::Directory);
        };
        self.directories.get(directory)?.get(&name).cloned()
    }

    fn put(&mut self, path: &Path, bytes: Vec<u8>) -> bool {
        let Some((directory, name)) = parts(path) else { return false };
        let is_file = |above: &Path| matches!(self.at(above), Some(Node::File { .. }));
        let is_taken = matches!(self.at(path), Some(Node::Directory)) || directory.ancestors().any(is_file);
        if is_taken || bytes.len() as u64 > MAX_FILE_SIZE {
            return false;
        }
        self.changes += 1;
        let file = Node::File { bytes: bytes.into(), change: self.changes };
        self.directories.entry(directory.to_owned()).or_default().insert(name, file);
        for above in directory.ancestors() {
            let Some((parent, name)) = parts(above) else { break };
            self.directories.entry(parent.to_owned()).or_default().entry(name).or_insert(Node::Directory);
        }
        true
    }

    fn remove(&mut self, path: &Path) {
        if !matches!(self.at(path), Some(Node::File { .. })) {
            return;
        }
        let mut gone = path;
        while let Some((directory, name)) = parts(gone) {
            let Some(entries) = self.directories.get_mut(directory) else { return };
            entries.remove(&name);
            if !entries.is_empty() {
                return;
            }
            self.directories.remove(directory);
            gone = directory;
        }
    }
}

/// The state of a regular file; `None` if there is none.
pub(super) fn stat_of(path: &Path) -> Option<Stat> {
    let node = FILES.lock().at(path)?;
    match &node {
        Node::File { bytes, .. } => Some(Stat { modified: node.changed(), size: bytes.len() as u64 }),
        Node::Directory => None,
    }
}

/// Time of last change and size in bytes of what is at a path.
pub fn last_change(path: &Path) -> Option<(SystemTime, u64)> {
    let stat = stat_of(path)?;
    Some((stat.modified?, stat.size))
}

/// Time of last change of a directory: it is not known.
pub fn directory_changed(_: &Path) -> Option<SystemTime> {
    None
}

/// The bytes of a file, if there are at most `limit`.
pub(super) fn read(path: &Path, links: Links, limit: u64) -> Result<Vec<u8>, ReadProblem> {
    stat_and_bytes(path, links, limit).map(|(_, bytes)| bytes)
}

/// The state of a file, and its bytes if there are at most `limit`.
pub(super) fn stat_and_bytes(path: &Path, _: Links, limit: u64) -> Result<(Stat, Vec<u8>), ReadProblem> {
    let node = FILES.lock().at(path).ok_or(ReadProblem::NotFound)?;
    match &node {
        Node::Directory => Err(ReadProblem::Directory),
        Node::File { bytes, .. } if bytes.len() as u64 > limit => Err(ReadProblem::TooLarge(bytes.len() as u64)),
        Node::File { bytes, .. } => Ok((Stat { modified: node.changed(), size: bytes.len() as u64 }, bytes.to_vec())),
    }
}

/// There are no pipes.
#[cfg(target_family = "wasm")]
pub(super) fn pipe(_: &Path, _: u64) -> Option<Result<Vec<u8>, ReadProblem>> {
    None
}

/// The entries of a directory, by name.
pub(super) fn list(directory: &Path) -> std::io::Result<impl Iterator<Item = std::io::Result<Listed>> + use<>> {
    let entries = FILES.lock().directories.get(directory).cloned();
    let entries = entries.ok_or_else(|| Error::from(ErrorKind::NotFound))?;
    Ok(entries.into_iter().map(|(name, node)| Ok(Listed { name, kind: node.kind(), is_link: false })))
}

/// Whether there is a file at a path.
pub(super) fn is_plain_file(path: &Path) -> bool {
    stat_of(path).is_some()
}

/// Nothing is a link.
pub(super) fn is_link(_: &Path) -> bool {
    false
}

/// The path, if there is something.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    FILES.lock().at(path).map(|_| path.to_owned())
}

/// The kind of what is at a path, and when it was changed last.
pub(super) fn kind_of(path: &Path) -> Option<(FileType, Option<SystemTime>)> {
    let node = FILES.lock().at(path)?;
    Some((node.kind(), node.changed()))
}

/// A browser has clocks, but its standard library has none.
#[cfg(target_family = "wasm")]
pub(super) fn now() -> Option<std::time::Instant> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All tests share the files, so each has a folder of its own.
    fn names(directory: &str) -> Vec<String> {
        let entries = list(Path::new(directory)).into_iter().flatten();
        entries.flatten().map(|entry| entry.name.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn files_are_listed_where_they_were_put() {
        assert!(put(Path::new("/listed/b/c.yml"), b"c: 1".to_vec()));
        assert!(put(Path::new("/listed/a.yml"), b"a: 1".to_vec()));
        assert_eq!(names("/listed"), ["a.yml", "b"]);
        assert_eq!(names("/listed/b"), ["c.yml"]);
        assert!(list(Path::new("/listed/none")).is_err());
        assert_eq!(kind_of(Path::new("/listed/b")), Some((FileType::Directory, None)));
        assert_eq!(read(Path::new("/listed/a.yml"), Links::Refused, 4), Ok(b"a: 1".to_vec()));
        assert_eq!(read(Path::new("/listed/a.yml"), Links::Refused, 3), Err(ReadProblem::TooLarge(4)));
        assert!(is_plain_file(Path::new("/listed/a.yml")) && !is_plain_file(Path::new("/listed/b")));
        assert_eq!(read(Path::new("/listed/b"), Links::Followed, 9), Err(ReadProblem::Directory));
        assert_eq!(read(Path::new("/listed/x"), Links::Followed, 9), Err(ReadProblem::NotFound));
        assert_eq!((real(Path::new("/listed/b")), is_link(Path::new("/listed/b"))), (Some("/listed/b".into()), false));
    }

    #[test]
    fn a_change_of_equal_size_is_a_change() {
        let path = Path::new("/changed/a.yml");
        assert!(put(path, b"a: 1".to_vec()));
        let before = stat_of(path);
        assert!(put(path, b"a: 2".to_vec()));
        assert_ne!(before, stat_of(path));
        assert_eq!(last_change(path).map(|(_, size)| size), Some(4));
        assert_eq!(directory_changed(Path::new("/changed")), None, "directories tell no time");
    }

    #[test]
    fn a_directory_goes_with_its_last_file() {
        for name in ["a/b/c.yml", "a/d.yml"] {
            assert!(put(&Path::new("/going").join(name), Vec::new()));
        }
        remove(Path::new("/going/a/b/c.yml"));
        assert_eq!(names("/going/a"), ["d.yml"]);
        remove(Path::new("/going/a"));
        remove(Path::new("/going/a/none.yml"));
        assert_eq!(names("/going/a"), ["d.yml"], "only files are removed");
        remove(Path::new("/going/a/d.yml"));
        assert_eq!(real(Path::new("/going")), None);
    }

    #[test]
    fn a_file_and_a_directory_are_not_at_one_path() {
        assert!(put(Path::new("/taken/a"), Vec::new()));
        assert!(!put(Path::new("/taken/a/b.yml"), Vec::new()));
        assert!(!put(Path::new("/taken"), Vec::new()));
        assert!(!put(Path::new("/"), Vec::new()));
        assert_eq!(names("/taken"), ["a"]);
    }
}
