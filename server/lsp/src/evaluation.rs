//! How a command evaluates code, and where it keeps the results.

use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use crate::evaluator::Ahead;
use clap::Args;
use lofting_cache::{CachedEvaluator, Store};
use lofting_disk::Refusal;
use lofting_eval::Evaluator;
use lofting_worker::{Limits, WorkerEvaluator};
use lofting_workspace::{ContentHash, KeepsFindings};

// Where code may run, and where its results are kept.
#[derive(Args, Debug, Default, Clone)]
pub(crate) struct EvaluationArguments {
    /// Evaluate code only where the system provides all layers of the sandbox; otherwise report that it was not
    /// evaluated.
    #[arg(long, help_heading = None)]
    require_sandbox: bool,
    /// Keep findings and the results of code in a folder, and use those that are kept there if everything that they were
    /// made from is the same.
    #[arg(long, value_name = "DIR", help_heading = None)]
    cache: Option<PathBuf>,
}

/// The evaluator of one command.
#[derive(Clone)]
pub(crate) struct CommandEvaluator {
    worker: Arc<WorkerEvaluator>,
    evaluator: Arc<dyn Evaluator>,
    /// Where findings are kept.
    keeper: Option<Arc<dyn KeepsFindings>>,
}

thread_local! {
    /// The evaluators that the command of this thread has made.
    static OF_THIS_COMMAND: RefCell<Vec<Weak<WorkerEvaluator>>> = const { RefCell::new(Vec::new()) };
}

/// Ends the workers of the command of this thread, and waits until they have ended. Commands do not drop large results at
/// their end, and these hold their evaluators.
pub(crate) fn end_workers() {
    let all = OF_THIS_COMMAND.take();
    for worker in all.iter().filter_map(Weak::upgrade) {
        worker.dismiss();
        worker.end();
    }
}

/// The folder in which findings are kept.
#[derive(Debug)]
struct InFolder(Arc<Store>);

impl KeepsFindings for InFolder {
    fn hash(&self, content: &[u8]) -> ContentHash {
        lofting_cache::sum(content)
    }

    fn load(&self, name: &ContentHash) -> Option<Vec<u8>> {
        self.0.load(name)
    }

    fn save(&self, name: &ContentHash, bytes: &[u8]) {
        self.0.save(name, bytes);
    }
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
    /// Whether results are kept in a folder.
    pub(crate) fn keeps_results(&self) -> bool {
        self.cache.is_some()
    }

    /// The evaluator, which starts nothing before there is code to run.
    ///
    /// # Errors
    ///
    /// The folder for results cannot be made or opened.
    pub(crate) fn evaluator(&self) -> Result<CommandEvaluator, NoCache> {
        self.evaluator_with(Ahead::default())
    }

    /// The evaluator, whose first worker is `ahead`.
    ///
    /// # Errors
    ///
    /// The folder for results cannot be made or opened.
    pub(crate) fn evaluator_with(&self, ahead: Ahead) -> Result<CommandEvaluator, NoCache> {
        let worker = crate::evaluator::worker(Limits::OF_COMMANDS, self.require_sandbox, ahead);
        OF_THIS_COMMAND.with_borrow_mut(|all| {
            all.retain(|worker| worker.strong_count() > 0);
            all.push(Arc::downgrade(&worker));
        });
        let Some(folder) = &self.cache else {
            return Ok(CommandEvaluator { evaluator: worker.clone(), worker, keeper: None });
        };
        let store = Store::open(folder, &crate::build_info::identity());
        let store = Arc::new(store.map_err(|refusal| NoCache(folder.clone(), refusal))?);
        let evaluator = Arc::new(CachedEvaluator::new(worker.clone(), store.clone()));
        Ok(CommandEvaluator { worker, evaluator, keeper: Some(Arc::new(InFolder(store))) })
    }
}

impl CommandEvaluator {
    /// Where findings are kept, if the user named a folder.
    pub(crate) fn keeper(&self) -> Option<Arc<dyn KeepsFindings>> {
        self.keeper.clone()
    }

    /// Nothing more will be evaluated: the worker ends while the command does something else.
    pub(crate) fn dismiss(&self) {
        self.worker.dismiss();
    }
}

impl From<CommandEvaluator> for Arc<dyn Evaluator> {
    fn from(evaluator: CommandEvaluator) -> Self {
        evaluator.evaluator
    }
}
