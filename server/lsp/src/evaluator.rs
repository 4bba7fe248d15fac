//! What runs code of a workspace: this binary again, as a process of its own with nothing to lose.

use lofting_eval::{Evaluator, Limits, NoEvaluator, WorkerEvaluator};
use std::process::{Command, ExitCode};
use std::sync::Arc;

/// The hidden sub-command that makes this binary a worker.
pub(crate) const WORKER: &str = "eval-worker";

/// The evaluator for this process. It starts nothing before the first file that needs it.
pub(crate) fn worker() -> Arc<dyn Evaluator> {
    let Ok(program) = std::env::current_exe() else { return Arc::new(NoEvaluator) };
    let command = move || {
        let mut command = Command::new(&program);
        // Code sees nothing of the environment, and neither does what it might break out into.
        command.arg(WORKER).env_clear();
        command
    };
    Arc::new(WorkerEvaluator::new(command, Limits::default()))
}

/// Serves as a worker until standard input ends.
pub(crate) fn serve() -> ExitCode {
    let input = std::io::BufReader::new(std::io::stdin());
    match lofting_starlark::run_worker(input, std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
