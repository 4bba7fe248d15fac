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
use std::path::Path;
use std::sync::Arc;

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
                let in_common = named::in_common(&self.objects, ours, theirs)?;
                in_common.ok_or_else(|| Problem::NothingInCommon(other.to_owned()))?
            }
            None => self.commit(revision)?,
        };
        Tree::of_commit(self.objects.clone(), commit)
    }

    /// The commit that a name stands for.
    fn commit(&self, revision: &str) -> Result<gix_hash::ObjectId, Problem> {
        named::commit(&self.place, &self.objects, revision).map_err(|problem| match problem {
            // A clone that lacks history is the usual reason in CI.
            Problem::NoRevision(name) | Problem::Missing(name) if self.place.is_shallow() => Problem::Shallow(name),
            problem => problem,
        })
    }
}
