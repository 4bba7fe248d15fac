//! Where a repository keeps its parts: those of a worktree, and those that all worktrees share.

use crate::open::{exists, is_directory, names_below, real, text};
use crate::problem::Problem;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Files that hold one path or one name, in bytes.
const LINE: u64 = 8 * 1024;

/// The file of all packed references, in bytes.
const PACKED: u64 = 64 * 1024 * 1024;

/// The configuration, in bytes.
const CONFIG: u64 = 1024 * 1024;

/// How many tags a repository may have.
const TAGS: usize = 20_000;

/// The directories of a repository.
#[derive(Debug)]
pub(crate) struct GitDirectories {
    /// The root of the working tree.
    pub root: PathBuf,
    /// The directory that was asked about, relative to the root.
    pub inside: PathBuf,
    /// What belongs to this worktree: `HEAD`.
    pub own: PathBuf,
    /// What all worktrees share: objects, branches, tags.
    pub common: PathBuf,
    /// The file of all packed references, once it was needed.
    packed: OnceLock<String>,
}

/// A path that does not lead to another machine, which would learn of the user.
fn here(path: &str) -> Result<&str, Problem> {
    let is_slash = |c: char| matches!(c, '/' | '\\');
    if path.chars().take(2).filter(|c| is_slash(*c)).count() == 2 {
        return Err(Problem::Unsupported("is kept on another machine"));
    }
    Ok(path)
}

impl GitDirectories {
    /// Goes up from a directory to the root of a working tree.
    pub fn around(directory: &Path) -> Result<GitDirectories, Problem> {
        let none = || Problem::NoRepository(directory.to_owned());
        let start = real(directory).ok_or_else(none)?;
        let root = start.ancestors().find(|above| lofting_disk::git::is_working_tree(above)).ok_or_else(none)?;
        let own = match text(&root.join(".git"), LINE)? {
            // A worktree or a submodule: a file that names the directory.
            Some(line) => {
                let named = line.strip_prefix("gitdir:").map(str::trim).filter(|path| !path.is_empty());
                let named = named.ok_or_else(|| Problem::Damaged("the file `.git` names no directory".to_owned()))?;
                root.join(here(named)?)
            }
            None => root.join(".git"),
        };
        let common = match text(&own.join("commondir"), LINE)? {
            Some(line) => own.join(here(line.trim())?),
            None => own.clone(),
        };
        if !is_directory(&common.join("objects")) || !is_directory(&common.join("refs")) {
            return Err(none());
        }
        let inside = start.strip_prefix(root).unwrap_or(Path::new("")).to_owned();
        let place = GitDirectories { root: root.to_owned(), inside, own, common, packed: OnceLock::new() };
        place.refuse_other_forms()?;
        Ok(place)
    }

    /// Refuses what would be read wrongly.
    fn refuse_other_forms(&self) -> Result<(), Problem> {
        let config = text(&self.common.join("config"), CONFIG)?.unwrap_or_default();
        let mut section = String::new();
        for line in config.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[') {
                section = name.split([']', ' ']).next().unwrap_or_default().to_ascii_lowercase();
            }
            let line = line.rsplit(']').next().unwrap_or_default();
            let Some((name, value)) = line.split_once('=').filter(|_| section == "extensions") else { continue };
            let value = value.trim().trim_matches('"').to_ascii_lowercase();
            match name.trim().to_ascii_lowercase().as_str() {
                "objectformat" if value != "sha1" => {
                    return Err(Problem::Unsupported("identifies its objects with SHA-256"));
                }
                "refstorage" if value != "files" => {
                    return Err(Problem::Unsupported("keeps its references in a form other than files"));
                }
                _ => {}
            }
        }
        if exists(&self.common.join("reftable")) {
            return Err(Problem::Unsupported("keeps its references in a form other than files"));
        }
        Ok(())
    }

    /// What a reference says: a hash, or `ref: ` and another one. None if there is no such reference.
    pub fn reference(&self, name: &str) -> Result<Option<String>, Problem> {
        // Only `HEAD` and its like belong to a worktree, and `refs/worktree`, `refs/bisect`, `refs/rewritten`.
        let is_own = !name.starts_with("refs/")
            || ["refs/worktree/", "refs/bisect/", "refs/rewritten/"].iter().any(|own| name.starts_with(own));
        let directory = if is_own { &self.own } else { &self.common };
        if let Some(line) = text(&directory.join(name), LINE)? {
            return Ok(Some(line.trim().to_owned()));
        }
        let packed = self.packed()?;
        let of_line = |line: &str| {
            let (hash, packed) = line.split_once(' ')?;
            (packed.trim_end() == name && !line.starts_with(['#', '^'])).then(|| hash.to_owned())
        };
        Ok(packed.lines().find_map(of_line))
    }

    /// All tags by their whole names, in order, with the hash of those that are packed. Others are files, which count more.
    pub fn tags(&self) -> Result<BTreeMap<String, Option<String>>, Problem> {
        let mut tags = BTreeMap::new();
        for line in self.packed()?.lines().filter(|line| !line.starts_with(['#', '^'])) {
            let Some((hash, name)) = line.split_once(' ') else { continue };
            if name.starts_with("refs/tags/") {
                tags.insert(name.trim_end().to_owned(), Some(hash.to_owned()));
            }
        }
        for name in names_below(&self.common.join("refs/tags"), TAGS)? {
            tags.insert(format!("refs/tags/{name}"), None);
        }
        if tags.len() > TAGS {
            return Err(Problem::TooMuch("the repository has too many tags"));
        }
        Ok(tags)
    }

    /// The text of all packed references.
    fn packed(&self) -> Result<&str, Problem> {
        if let Some(packed) = self.packed.get() {
            return Ok(packed);
        }
        let read = text(&self.common.join("packed-refs"), PACKED)?.unwrap_or_default();
        Ok(self.packed.get_or_init(|| read))
    }

    /// Whether it is a clone without its whole history.
    pub fn is_shallow(&self) -> bool {
        exists(&self.common.join("shallow"))
    }
}
