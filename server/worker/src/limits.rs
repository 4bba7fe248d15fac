//! How long code may run, and how much it may answer.

use std::time::Duration;

use lofting_eval::{EvalError, EvalErrorKind};
use parking_lot::Mutex;

/// Limits that the server enforces. Those on steps and memory are enforced inside the worker.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time for one evaluation or one batch of calls, not counting the libraries it waits for.
    pub time: Duration,
    /// Time for one evaluation including all libraries it waits for.
    pub whole: Duration,
    /// Size of one answer, in bytes.
    pub answer: usize,
    /// How many workers may run at a time. There are no more than processors.
    pub workers: usize,
    /// Time for all evaluations together that take longer than half of [`Limits::time`]; None for no limit. After it,
    /// code is not evaluated. Quick code does not count, however much of it there is.
    pub slow: Option<Duration>,
    /// How many values of long arguments each worker keeps for later calls; each takes it some 100 bytes. An argument
    /// that needs more than half of them is sent as a whole each time.
    pub kept: usize,
}

/// See [`Limits::kept`].
const KEPT: usize = 800_000;

impl Limits {
    /// For an editor, where everything else that needs code waits meanwhile.
    pub const IN_EDITORS: Limits = Limits {
        time: Duration::from_secs(2),
        whole: Duration::from_secs(20),
        answer: 64 << 20,
        workers: 1,
        slow: None,
        kept: KEPT,
    };

    /// For one command, which has nothing else to do: code that a busy machine runs slowly comes to its end. The worker
    /// itself ends only later.
    pub const OF_COMMANDS: Limits = Limits {
        time: Duration::from_secs(9),
        whole: Duration::from_secs(60),
        answer: 64 << 20,
        workers: 4,
        slow: Some(Duration::from_secs(60)),
        kept: KEPT,
    };
}

/// The time that slow evaluations of one command took.
#[derive(Debug, Default)]
pub struct SlowTime(Mutex<Duration>);

impl SlowTime {
    /// Whether code may still be evaluated.
    ///
    /// # Errors
    ///
    /// All time for slow evaluations is used up.
    pub fn is_left(&self, limits: &Limits) -> Result<(), EvalError> {
        match limits.slow.filter(|limit| *self.0.lock() >= *limit) {
            None => Ok(()),
            Some(limit) => {
                let seconds = limit.as_millis().div_ceil(1_000);
                let why = format!(
                    "not evaluated: code that takes a long time has used up the {seconds} s that one command gives it"
                );
                Err(EvalError::new(EvalErrorKind::Limit, why))
            }
        }
    }

    /// Counts an evaluation, if it was a slow one.
    pub fn counts(&self, took: Duration, limits: &Limits) {
        if took > limits.time / 2 {
            *self.0.lock() += took;
        }
    }
}

/// The error of code that was stopped after this time.
pub fn stopped_after(time: Duration) -> EvalError {
    interrupted(&format!("evaluation was stopped after {} ms", time.as_millis()))
}

pub(crate) fn interrupted(why: &str) -> EvalError {
    EvalError::new(EvalErrorKind::Interrupted, why)
}
