//! The evaluator in worker processes of the program that is tested.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use lofting_eval::Evaluator;
use lofting_worker::{Limits, WorkerEvaluator};

/// An evaluator with the patience of a busy machine, on which a pause must not look like an endless loop.
pub fn evaluator() -> Arc<dyn Evaluator> {
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
        command.arg("eval-worker").env_clear();
        command
    };
    let limits = Limits { time: Duration::from_secs(60), whole: Duration::from_secs(120), ..Limits::IN_EDITORS };
    Arc::new(WorkerEvaluator::new(command, limits))
}
