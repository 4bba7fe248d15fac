//! What the commands that check files and directories have in common.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use lofting_eval::Evaluator;
use lofting_workspace::{
    CancelFlag, CheckError, CheckReport, Fetch, KeepsFindings, Outside, Settings, check_workspace,
};

use super::asked::settings;
use crate::evaluation::EvaluationArguments;
use crate::fetching::{FetchArguments, WebFetcher};
use crate::trust::TrustArguments;

// Arguments about what the files may do and name.
#[derive(Args, Debug, Default)]
pub(crate) struct FolderArguments {
    #[command(flatten)]
    pub(super) evaluation: EvaluationArguments,
    #[command(flatten)]
    pub(super) trust: TrustArguments,
    #[command(flatten)]
    pub(super) fetch: FetchArguments,
}

/// Checks files and directories, as often as a command needs it.
pub(super) struct Checker {
    settings: Settings,
    fetcher: Option<WebFetcher>,
    evaluator: Arc<dyn Evaluator>,
    keeper: Option<Arc<dyn KeepsFindings>>,
}

impl FolderArguments {
    /// The checker; relative folders in the arguments are below `here`.
    pub(super) fn checker(&self, here: &Path) -> anyhow::Result<Checker> {
        let evaluator = self.evaluation.evaluator()?;
        Ok(Checker {
            keeper: evaluator.keeper(),
            fetcher: self.fetch.fetcher(None)?,
            settings: settings(&self.fetch, self.trust, here)?,
            evaluator: evaluator.into(),
        })
    }
}

impl Checker {
    /// What a check gets from outside the folder: everything else is left out.
    pub(super) fn outside(&self) -> Outside<'_> {
        let fetch = self.fetcher.as_ref().map(|fetcher| fetcher as &dyn Fetch);
        Outside { fetch, keeper: self.keeper.clone(), ..self.evaluator.clone().into() }
    }

    /// Checks paths as the user gave them, relative to `here`; everything below it if there are none.
    pub(super) fn check(&self, here: &Path, paths: &[String], outside: Outside<'_>) -> Result<CheckReport, CheckError> {
        check_workspace(here, paths, self.settings.clone(), outside, &CancelFlag::new())
    }
}
