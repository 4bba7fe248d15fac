//! The release whose deprecated keys may be removed, by the nearest `lofting.toml` of a schema.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lofting_diff::Compared;
use lofting_git::{Commit, Problem, Repository};
use lofting_workspace::{Reach, config};

/// The releases of a repository, each found once.
pub(crate) struct Releases {
    repository: Repository,
    /// How far `lofting.toml` is looked for.
    reach: Reach,
    /// By folder, relative to the root.
    named: HashMap<PathBuf, Option<String>>,
    commits: HashMap<String, Commit>,
}

impl Releases {
    /// The releases of the repository around a folder.
    pub(crate) fn around(folder: &Path) -> Result<Releases, Problem> {
        let repository = Repository::around(folder)?;
        let reach = Reach::within(repository.root());
        Ok(Releases { repository, reach, named: HashMap::new(), commits: HashMap::new() })
    }

    /// Notes in the changes of a schema which of its removed keys may go. `path` is relative to the root of the repository, `new`
    /// the text of the schema now.
    pub(crate) fn retire(&mut self, compared: &mut Compared, path: &Path, new: &str) -> Result<(), Problem> {
        let Some(release) = path.parent().and_then(|folder| self.named(folder)) else { return Ok(()) };
        let commit = match self.commits.get(&release) {
            Some(commit) => *commit,
            None => self.repository.named(&release)?,
        };
        self.commits.insert(release.clone(), commit);
        if let Some(released) = self.repository.text(commit, path)? {
            compared.retire(&release, &released, new);
        }
        Ok(())
    }

    /// What the nearest `lofting.toml` of a folder says.
    fn named(&mut self, folder: &Path) -> Option<String> {
        if let Some(known) = self.named.get(folder) {
            return known.clone();
        }
        let texts = folder
            .ancestors()
            .filter_map(|above| self.reach.text(&self.repository.root().join(above).join(config::FILE_NAME)).ok());
        let found = texts.map(|text| config::read(&text).release).next().flatten();
        self.named.insert(folder.to_owned(), found.clone());
        found
    }
}
