//! The folder that the tools are about, and what the user permits.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use lofting::{Services, Snapshot, Workspace};
use lofting_eval::Evaluator;
use lofting_workspace::{CheckReport, Fetch, Outside, Reach, Settings, normalise};

use crate::evaluation::EvaluationArguments;
use crate::fetching::WebFetcher;

/// The folder, and what the user permits.
pub(crate) struct Folder {
    /// The folder.
    pub(crate) root: PathBuf,
    /// Files in it may be written.
    pub(crate) writes: bool,
    /// As on the command line.
    pub(crate) settings: Settings,
    /// Fetches schemas from hosts that the user allows.
    pub(crate) fetcher: Option<WebFetcher>,
    /// Where code may run.
    pub(crate) evaluation: EvaluationArguments,
}

/// A file, and perhaps a text to use instead of the one on disk.
pub(super) struct AskedText<'a> {
    pub(super) file: &'a str,
    pub(super) text: Option<&'a str>,
    pub(super) version: Option<&'a str>,
}

impl Folder {
    fn fetch(&self) -> Option<&dyn Fetch> {
        self.fetcher.as_ref().map(|fetcher| fetcher as &dyn Fetch)
    }

    /// The file as it is now.
    pub(super) fn snapshot(&self, asked: &AskedText<'_>) -> anyhow::Result<Snapshot> {
        let services = Services {
            settings: self.settings.clone(),
            evaluator: Some(self.evaluation.evaluator()?.into()),
            fetch: self.fetch(),
            ..Services::default()
        };
        let mut workspace = Workspace::with(&self.root, services);
        if let Some(text) = asked.text {
            workspace.edit(asked.file, text)?;
        }
        let snapshot = workspace.snapshot(asked.file)?;
        snapshot.expect(asked.version)?;
        Ok(snapshot)
    }

    /// Checks files and directories, or everything if none is named.
    pub(super) fn check(&self, paths: &[String], unsaved: Option<(&str, &str)>) -> anyhow::Result<CheckReport> {
        let reach = Reach::within(&self.root);
        for path in paths {
            let real = self.path_of(path);
            let is_there = reach.is_file(&real) || reach.is_directory(&real);
            let is_unsaved = unsaved.is_some_and(|(name, _)| name == path) && reach.names(&real);
            if !is_there && !is_unsaved {
                bail!("{path}: there is no such file in the folder or its repository");
            }
        }
        let evaluator: Arc<dyn Evaluator> = self.evaluation.evaluator()?.into();
        let outside = Outside { fetch: self.fetch(), unsaved, ..Outside::from(evaluator) };
        let cancel = lofting_workspace::CancelFlag::new();
        Ok(lofting_workspace::check_workspace(&self.root, paths, self.settings.clone(), outside, &cancel)?)
    }

    /// The path of a file that a client names.
    pub(super) fn path_of(&self, file: &str) -> PathBuf {
        normalise(&self.root, Path::new(file))
    }
}
