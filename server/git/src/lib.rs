//! Reads what a repository of git holds: the files of a revision. Runs no program, executes no configuration, and writes
//! nothing.
//!
//! Objects are read by `gix-odb`; what a name stands for is decided here. A repository may come from anywhere, so
//! objects are read up to a size, nothing is read through a link or from a pipe, and object databases that lie elsewhere
//! (alternates) are refused.
#![forbid(unsafe_code)]

mod named;
mod objects;
mod open;
mod place;
mod problem;
#[cfg(test)]
mod tests;
mod tree;

pub use problem::Problem;
pub use tree::{EntryKind, Tree, TreeEntry};

use crate::objects::Objects;
use crate::place::GitDirectories;
use gix_hash::ObjectId;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// The branches that others are made from, by how certain that is. The first is what the remote itself says.
const DEFAULT_BRANCHES: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
];

/// How many commits are looked at for the base of a branch.
const BASE_COMMITS: usize = 50_000;

/// A commit of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commit(ObjectId);

/// A commit with tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The names of the tags, in order.
    pub names: Vec<String>,
    /// The commit.
    pub commit: Commit,
    /// When it was committed, in seconds since 1970.
    pub seconds: i64,
}

/// A repository with a working tree.
#[derive(Debug)]
pub struct Repository {
    place: GitDirectories,
    objects: Arc<Objects>,
}

impl Repository {
    /// The repository whose working tree contains a directory.
    pub fn around(directory: &Path) -> Result<Repository, Problem> {
        let place = GitDirectories::around(directory)?;
        let objects = Arc::new(Objects::at(&place.common.join("objects"))?);
        Ok(Repository { place, objects })
    }

    /// The root of its working tree, with links resolved.
    pub fn root(&self) -> &Path {
        &self.place.root
    }

    /// The directory that it was found from, relative to the root.
    pub fn inside(&self) -> &Path {
        &self.place.inside
    }

    /// The files of a revision: a branch, a tag, a hash or its beginning, with `~2`, `^1` or `^` after it as in git;
    /// `REV...` for the newest commit that it and the current one have in common.
    pub fn tree(&self, revision: &str) -> Result<Tree, Problem> {
        let commit = match revision.strip_suffix("...") {
            Some(other) => {
                let (ours, theirs) = (self.commit("HEAD")?, self.commit(other)?);
                let in_common = named::in_common(&self.objects, (ours, theirs), named::COMMITS)?;
                in_common.ok_or_else(|| Problem::NothingInCommon(other.to_owned()))?
            }
            None => self.commit(revision)?,
        };
        Tree::of_commit(self.objects.clone(), commit)
    }

    /// What the current branch began from: the newest commit that it and the default branch have in common. Where there is no
    /// such branch or no such commit, and on the default branch itself, this is the current commit.
    pub fn base(&self) -> Result<Commit, Problem> {
        let ours = self.commit("HEAD")?;
        let theirs = DEFAULT_BRANCHES.iter().find_map(|name| self.commit(name).ok());
        let in_common = match theirs {
            Some(theirs) => named::in_common(&self.objects, (ours, theirs), BASE_COMMITS)?,
            None => None,
        };
        Ok(Commit(in_common.unwrap_or(ours)))
    }

    /// The commit of a revision, which is named as for [`Repository::tree`], without `...`.
    pub fn named(&self, revision: &str) -> Result<Commit, Problem> {
        self.commit(revision).map(Commit)
    }

    /// The tags in the history of the current commit, the newest first. Tags of other objects are left out.
    pub fn tags(&self) -> Result<Vec<Tag>, Problem> {
        let mut names: HashMap<ObjectId, Vec<String>> = HashMap::new();
        for (name, packed) in self.place.tags()? {
            let commit = match packed {
                Some(hash) => named::of_hash(&self.objects, &hash),
                None => self.commit(&name),
            };
            if let Ok(commit) = commit {
                let short = name.strip_prefix("refs/tags/").unwrap_or(&name).to_owned();
                names.entry(commit).or_default().push(short);
            }
        }
        let wanted = names.keys().copied().collect();
        let found = named::in_history(&self.objects, self.commit("HEAD")?, &wanted)?;
        let tag = |(id, seconds)| Tag { names: names.remove(&id).unwrap_or_default(), commit: Commit(id), seconds };
        Ok(found.into_iter().map(tag).collect())
    }

    /// The bytes of a file in a commit, by its path relative to the root; None if the commit has no such file.
    pub fn file(&self, commit: Commit, path: &Path) -> Result<Option<Vec<u8>>, Problem> {
        tree::file(&self.objects, commit.0, path)
    }

    /// The text of a file in a commit; None if there is no such file, or if it is not UTF-8.
    pub fn text(&self, commit: Commit, path: &Path) -> Result<Option<String>, Problem> {
        Ok(self.file(commit, path)?.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// The commit that a name stands for.
    fn commit(&self, revision: &str) -> Result<ObjectId, Problem> {
        named::commit(&self.place, &self.objects, revision).map_err(|problem| match problem {
            // A clone that lacks history is the usual reason in CI.
            Problem::NoRevision(name) | Problem::Missing(name) if self.place.is_shallow() => Problem::Shallow(name),
            problem => problem,
        })
    }
}
