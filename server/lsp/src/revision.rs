//! A revision of the repository around the current directory, and its files in place of those of the working tree.

use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lofting_git::{EntryKind, Problem, Repository, Tree, TreeEntry};
use lofting_workspace::{CheckReport, ReadProblem, Stored, StoredFolder, StoredKind, normalise};

/// A revision that the user named.
pub(crate) struct Revision {
    /// As it was named.
    pub(crate) name: String,
    /// The root of the working tree, with links resolved.
    pub(crate) root: PathBuf,
    /// The current directory, relative to the root.
    pub(crate) inside: PathBuf,
    /// Its files.
    pub(crate) tree: Arc<Tree>,
}

impl Revision {
    /// The revision with this name, in the repository around a directory.
    pub(crate) fn named(here: &Path, name: &str) -> Result<Revision, Problem> {
        let repository = Repository::around(here)?;
        let tree = repository.tree(name)?;
        Ok(Revision {
            name: name.to_owned(),
            root: repository.root().to_owned(),
            inside: repository.inside().to_owned(),
            tree: Arc::new(tree),
        })
    }

    /// Its files in place of the working tree; `here` is the current directory as the user writes it.
    pub(crate) fn stored(&self, here: &Path) -> StoredFolder {
        // What other repositories hold is not part of this one: they are as they are in the working tree.
        let modules = self.tree.files().filter(|(_, entry)| entry.kind == EntryKind::Submodule);
        let elsewhere = modules.map(|(path, _)| path).collect();
        StoredFolder {
            written: self.written_root(here),
            real: self.root.clone(),
            elsewhere,
            files: Arc::new(Files { tree: self.tree.clone(), root: self.root.clone() }),
        }
    }

    /// The path relative to the root, if it is below it; `here` as above.
    pub(crate) fn below(&self, here: &Path, path: &Path) -> Option<PathBuf> {
        path.strip_prefix(self.written_root(here)).or_else(|_| path.strip_prefix(&self.root)).ok().map(Path::to_owned)
    }

    /// The paths of the command line that it has; None if it has none of them. No paths stand for everything.
    pub(crate) fn paths(&self, here: &Path, given: &[String]) -> Option<Vec<String>> {
        let has = |path: &Path| {
            let below = self.below(here, path);
            below.is_none_or(|below| self.tree.get(&below).is_some() || self.tree.list(&below).is_some())
        };
        if given.is_empty() {
            return has(here).then(Vec::new);
        }
        let kept: Vec<String> = given.iter().filter(|path| has(&normalise(here, Path::new(path)))).cloned().collect();
        (!kept.is_empty()).then_some(kept)
    }

    /// What is found in the revision, in files with findings now: only there something may have been found before. None if
    /// there is nothing to look at. Unless the report knows it, `check` finds it out, which gets the paths, the files in
    /// place of those on the disk, and which of them are wanted.
    pub(crate) fn earlier<E>(
        &self,
        here: &Path,
        given: &[String],
        now: &mut CheckReport,
        check: impl FnOnce(&[String], Option<StoredFolder>, &dyn Fn(&str) -> bool) -> Result<CheckReport, E>,
    ) -> Result<Option<CheckReport>, E> {
        if let Some(earlier) = now.earlier.take() {
            return Ok(Some(*earlier));
        }
        let found = now.files_with_findings();
        if found.is_empty() { Ok(None) } else { self.checked(here, given, &found, check) }
    }

    /// What `check` finds in the revision, in files with these names; None if it has none of the paths. `check` gets the
    /// same as in [`Revision::earlier`].
    pub(crate) fn checked<E>(
        &self,
        here: &Path,
        given: &[String],
        names: &HashSet<String, impl BuildHasher>,
        check: impl FnOnce(&[String], Option<StoredFolder>, &dyn Fn(&str) -> bool) -> Result<CheckReport, E>,
    ) -> Result<Option<CheckReport>, E> {
        let Some(paths) = self.paths(here, given) else { return Ok(None) };
        check(&paths, Some(self.stored(here)), &|name| names.contains(name)).map(Some)
    }

    fn written_root(&self, here: &Path) -> PathBuf {
        here.ancestors().nth(self.inside.components().count()).unwrap_or(here).to_owned()
    }
}

/// The files of a tree.
#[derive(Debug)]
struct Files {
    tree: Arc<Tree>,
    /// The root of the working tree.
    root: PathBuf,
}

impl Files {
    /// The bytes of an entry if the file in the working tree has the same: that is read far faster than an object.
    fn in_working_tree(&self, path: &Path, entry: TreeEntry) -> Option<Vec<u8>> {
        let is_file = entry.kind == EntryKind::File;
        let bytes = is_file.then(|| lofting_workspace::read_bytes(&self.root.join(path)).ok()).flatten()?;
        entry.has(&bytes).then_some(bytes)
    }
}

impl Stored for Files {
    fn kind(&self, path: &Path) -> Option<StoredKind> {
        if path.as_os_str().is_empty() {
            return Some(StoredKind::Directory);
        }
        self.tree.get(path).map(|entry| kind(entry.kind))
    }

    fn list(&self, directory: &Path) -> Vec<(OsString, StoredKind)> {
        let entries = self.tree.list(directory).into_iter().flatten();
        entries.map(|(name, entry)| (name.to_owned(), kind(entry.kind))).collect()
    }

    fn size(&self, path: &Path) -> Option<u64> {
        self.tree.size(self.tree.get(path)?)
    }

    fn bytes(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem> {
        let entry = self.tree.get(path).ok_or(ReadProblem::NotFound)?;
        if let Some(bytes) = self.in_working_tree(path, entry) {
            return Ok(bytes);
        }
        if let Some(size) = self.tree.size(entry).filter(|size| *size > limit) {
            return Err(ReadProblem::TooLarge(size));
        }
        self.tree.bytes(entry).map_err(|problem| ReadProblem::Other(problem.to_string()))
    }

    fn has(&self, path: &Path, bytes: &[u8]) -> bool {
        self.tree.get(path).is_some_and(|entry| entry.has(bytes))
    }
}

fn kind(kind: EntryKind) -> StoredKind {
    match kind {
        EntryKind::File => StoredKind::File,
        EntryKind::Link => StoredKind::Link,
        EntryKind::Directory | EntryKind::Submodule => StoredKind::Directory,
    }
}
