//! The process that runs code of a workspace: this binary again, without any rights; or this process, once it has read
//! everything and has no rights left.

use lofting_eval::{EvalError, Evaluation, Evaluator, NoFiles};
use lofting_sandbox::program::Unconfined;
use lofting_starlark::InProcess;
use lofting_worker::{Confinement, Launch, Limits, WorkerEvaluator};
use parking_lot::Mutex;
use std::any::Any;
use std::process::{Child, Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The hidden subcommand that makes this binary a worker.
pub(crate) const WORKER: &str = "eval-worker";

/// A worker that was started before it is known whether one is needed; dropping it ends it.
#[derive(Debug, Default)]
pub(crate) struct Ahead(Option<Child>);

impl Ahead {
    /// Starts a worker. If that fails, it is tried again and reported when one is needed.
    pub(crate) fn now() -> Ahead {
        Ahead(ThisProgram::default().command(true).and_then(lofting_worker::spawn).ok())
    }

    fn take(&mut self) -> Option<Child> {
        self.0.take()
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            // An error means that it is gone already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The evaluator for this process. It starts no worker before one is needed. `demanding`: refuse to evaluate if the
/// sandbox has gaps. `ahead`: a worker that runs already.
pub(crate) fn worker(limits: Limits, demanding: bool, ahead: Ahead) -> Arc<WorkerEvaluator> {
    let program = ThisProgram { ahead: Mutex::new(ahead), ..ThisProgram::default() };
    let evaluator = WorkerEvaluator::new(program, limits);
    evaluator.demand_sandbox(demanding);
    Arc::new(evaluator)
}

/// The evaluator in this process, if there is one.
static IN_THIS_PROCESS: OnceLock<Arc<InProcess>> = OnceLock::new();

/// The evaluator in this process, which confines itself for it: from now on it can compute and print, and nothing else.
///
/// # Errors
///
/// The system cannot confine it.
pub(crate) fn in_this_process() -> Result<Arc<InProcess>, Unconfined> {
    lofting_sandbox::program::confine()?;
    Ok(Arc::clone(IN_THIS_PROCESS.get_or_init(Arc::default)))
}

/// Whether code runs in this process that does not come to an end and cannot be interrupted.
pub(crate) fn is_overdue() -> bool {
    IN_THIS_PROCESS.get().is_some_and(|evaluator| evaluator.is_overdue())
}

/// Evaluates a line of code; returns the sandbox in which that was done, or why it cannot be done.
pub(crate) fn probe() -> Result<Confinement, EvalError> {
    let program = ThisProgram::default();
    let confinement = Arc::clone(&program.confinement);
    let evaluator = WorkerEvaluator::new(program, Limits::OF_COMMANDS);
    let line = Evaluation { text: Some("answer = 6 * 7\n".to_owned()), starlark: true, ..Evaluation::default() };
    let evaluated = evaluator.evaluate(&line, &NoFiles);
    evaluator.end();
    evaluated.result?;
    Ok(confinement.get().cloned().unwrap_or_default())
}

/// Starts this program again.
#[derive(Default)]
struct ThisProgram {
    ahead: Mutex<Ahead>,
    /// The confinement was logged; it does not change while this process runs.
    reported: AtomicBool,
    confinement: Arc<OnceLock<Confinement>>,
}

impl Launch for ThisProgram {
    fn ahead(&self) -> Option<Child> {
        self.ahead.lock().take()
    }

    fn command(&self, confined: bool) -> std::io::Result<Command> {
        Ok(lofting_sandbox::command(&std::env::current_exe()?, WORKER, confined))
    }

    fn hold(&self, child: &Child) -> std::io::Result<Box<dyn Any + Send>> {
        Ok(Box::new(lofting_sandbox::hold(child)?))
    }

    fn ready(&self, confinement: &Confinement) {
        if self.reported.swap(true, Ordering::Relaxed) {
            return;
        }
        let _ = self.confinement.set(confinement.clone());
        let holds = confinement.holds.join(", ");
        match confinement.gaps() {
            None => tracing::info!(%holds, "code is evaluated in a sandbox"),
            Some(missing) => tracing::warn!(%holds, %missing, "code is evaluated in a sandbox with gaps"),
        }
    }
}

/// Serves as a worker until standard input ends.
pub(crate) fn serve() -> ExitCode {
    let input = std::io::BufReader::new(std::io::stdin());
    match lofting_starlark::run_worker(&lofting_sandbox::Layer::ALL, input, lofting_sandbox::Output::default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
