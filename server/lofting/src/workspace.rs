//! The files of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lofting_eval::Evaluator;
use lofting_workspace::{CancelFlag, Fetch, Need, Reach, Settings, normalise};

use crate::{PositionEncoding, Problem, Snapshot};

/// The files of a folder, on disk and in the hands of a caller.
pub struct Workspace<'s> {
    inner: lofting_workspace::Workspace,
    folder: PathBuf,
    fetch: Option<&'s dyn Fetch>,
    reach: Reach,
    encoding: PositionEncoding,
}

/// What a workspace may use beside the files of its folder. The default is nothing.
#[derive(Default)]
pub struct Services<'s> {
    /// The settings, as in an editor.
    pub settings: Settings,
    /// Runs code; without it, what depends on code is unknown.
    pub evaluator: Option<Arc<dyn Evaluator>>,
    /// Fetches schemas.
    pub fetch: Option<&'s dyn Fetch>,
    /// Files outside the folder and its repository can be named. Not for callers that take names from others.
    pub names_any_file: bool,
    /// The folder that names of files are relative to; None for the folder itself.
    pub names_from: Option<PathBuf>,
    /// What columns count.
    pub encoding: PositionEncoding,
}

impl Workspace<'static> {
    /// The files of a folder. Nothing is fetched, no code runs, and files outside the folder and its repository are
    /// not read.
    pub fn open(folder: &Path) -> Workspace<'static> {
        Workspace::with(folder, Services::default())
    }
}

impl<'s> Workspace<'s> {
    /// The files of a folder, with services.
    pub fn with(folder: &Path, services: Services<'s>) -> Workspace<'s> {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let root = normalise(&here, folder);
        let Services { settings, evaluator, fetch, names_any_file, names_from, encoding } = services;
        let reach = if names_any_file { Reach::of_user() } else { Reach::within(&root) };
        let folder = names_from.map_or_else(|| root.clone(), |folder| normalise(&here, &folder));
        let mut inner = lofting_workspace::Workspace::new(vec![root], settings);
        if let Some(evaluator) = evaluator {
            inner.set_evaluator(evaluator);
        }
        inner.scan(&mut |_| {}, &CancelFlag::new());
        Workspace { inner, folder, fetch, reach, encoding }
    }

    /// From now on this text counts as that of a file, whether or not there is one.
    ///
    /// # Errors
    ///
    /// The name leads out of the folder and its repository.
    pub fn edit(&mut self, file: &str, text: &str) -> Result<(), Problem> {
        let path = self.path_of(file)?;
        self.inner.open(&path, 0, text);
        Ok(())
    }

    /// Looks at the folder again: from now on texts on disk count, including those of files that were edited.
    pub fn refresh(&mut self) {
        let open: Vec<_> = self.inner.snapshot().open_files().collect();
        open.into_iter().for_each(|file| self.inner.close(file));
        self.inner.scan(&mut |_| {}, &CancelFlag::new());
        let snapshot = self.inner.snapshot();
        let known: Vec<PathBuf> = snapshot.files().map(|file| snapshot.path(file).to_owned()).collect();
        self.inner.disk_changed(&known);
    }

    /// The YAML files of the folder, by name.
    pub fn files(&self) -> Vec<String> {
        let snapshot = self.inner.snapshot();
        let is_yaml = |path: &&Path| path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml");
        let below = snapshot.files().map(|file| snapshot.path(file)).filter(is_yaml);
        let names = below.filter_map(|path| Some(path.strip_prefix(&self.folder).ok()?.to_string_lossy().into_owned()));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// A file as it is now, with everything that matters to it. If it was not edited, it is read from disk.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is outside the folder and its repository.
    pub fn snapshot(&mut self, file: &str) -> Result<Snapshot, Problem> {
        let path = self.path_of(file)?;
        let now = self.inner.snapshot();
        let edited = now.file(&path).filter(|id| now.version(*id).is_some());
        let id = match edited {
            Some(id) => id,
            None => {
                let unreadable = |problem: String| Problem::Unreadable(file.to_owned(), problem);
                let text = self.reach.text(&path).map_err(|problem| unreadable(problem.to_string()))?;
                self.inner.open(&path, 0, &text)
            }
        };
        self.inner.find_schemas_of(&[id], self.fetch);
        let reads = lofting_ide::reads_data_values(&self.inner.snapshot(), id);
        let inner = self.inner.evaluate(&[id], if reads { Need::Values } else { Need::Findings }, 1);
        if edited.is_none() {
            // The text on disk counts again with the next request for the file.
            self.inner.close(id);
        }
        Ok(Snapshot { inner, file: id, name: file.to_owned(), folder: self.folder.clone(), encoding: self.encoding })
    }

    fn path_of(&self, file: &str) -> Result<PathBuf, Problem> {
        let path = normalise(&self.folder, Path::new(file));
        if self.reach.names(&path) {
            return Ok(path);
        }
        let why = "it is outside the folder and its repository";
        Err(Problem::Unreadable(file.to_owned(), why.to_owned()))
    }
}
