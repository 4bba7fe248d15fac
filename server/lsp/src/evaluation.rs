//! How a command evaluates code, and where it keeps the results.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lofting_cache::{CachedEvaluator, Store};
use lofting_disk::Refusal;
use lofting_eval::Evaluator;
use lofting_worker::{Limits, WorkerEvaluator};

/// Where code may run, and where its results are kept.
#[derive(Args, Debug, Default, Clone)]
pub(crate) struct EvaluationArguments {
    /// Evaluate code only where the system provides all layers of the sandbox; otherwise report that it was not
    /// evaluated.
    #[arg(long, help_heading = None)]
    require_sandbox: bool,
    /// Keep the results of code in a folder, and use those that are kept there if the code and all that it reads are
    /// the same.
    #[arg(long, value_name = "DIR", help_heading = None)]
    cache: Option<PathBuf>,
}

/// The evaluator of one command.
#[derive(Clone)]
pub(crate) struct CommandEvaluator {
    worker: Arc<WorkerEvaluator>,
    evaluator: Arc<dyn Evaluator>,
}

/// The folder for results cannot be used.
#[derive(Debug)]
pub(crate) struct NoCache(PathBuf, Refusal);

impl std::error::Error for NoCache {}

impl fmt::Display for NoCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--cache {}: {}", self.0.display(), self.1)
    }
}

impl EvaluationArguments {
    /// The evaluator, which starts nothing before there is code to run.
    ///
    /// # Errors
    ///
    /// The folder for results cannot be made or opened.
    pub(crate) fn evaluator(&self) -> Result<CommandEvaluator, NoCache> {
        let worker = crate::evaluator::worker(Limits::OF_COMMANDS, self.require_sandbox);
        let evaluator: Arc<dyn Evaluator> = match &self.cache {
            None => worker.clone(),
            Some(folder) => {
                let store = Store::open(folder, &crate::build_info::identity());
                let store = store.map_err(|refusal| NoCache(folder.clone(), refusal))?;
                Arc::new(CachedEvaluator::new(worker.clone(), store))
            }
        };
        Ok(CommandEvaluator { worker, evaluator })
    }
}

impl CommandEvaluator {
    /// Nothing more will be evaluated: the worker ends while the command does something else.
    pub(crate) fn dismiss(&self) {
        self.worker.dismiss();
    }

    /// Waits until the worker has ended.
    pub(crate) fn end(&self) {
        self.worker.end();
    }
}

impl From<CommandEvaluator> for Arc<dyn Evaluator> {
    fn from(evaluator: CommandEvaluator) -> Self {
        evaluator.evaluator
    }
}
