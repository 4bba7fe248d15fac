//! The evaluator in a worker process: started when first needed, killed when silent, restarted when needed again.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::data::Data;
use crate::evaluator::{Call, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles};
use crate::wire::{FromWorker, ToWorker};

/// Bounds the client keeps; those inside the worker are the worker's own.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long one evaluation or one batch of calls may take.
    pub time: Duration,
    /// How many bytes one answer may have.
    pub answer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(2), answer: 64 << 20 }
    }
}

/// Evaluates in a worker process.
///
/// One request runs at a time; callers wait for each other. An input that made the worker die or fall silent is
/// remembered by its hash and refused from then on, until it changes.
pub struct WorkerEvaluator {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    worker: Option<Worker>,
    poisoned: HashSet<u64>,
    /// Ids of evaluations end with the worker that made them: the generation keeps old ones from meaning new ones.
    generation: u64,
}

struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The worker may be deep in a computation that never ends. Errors mean that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bits of an [`EvaluationId`] below the worker's generation.
const GENERATION_SHIFT: u32 = 40;

impl WorkerEvaluator {
    /// `command` makes the command line that starts a worker.
    pub fn new(command: impl Fn() -> Command + Send + Sync + 'static, limits: Limits) -> Self {
        Self { command: Box::new(command), limits, state: Mutex::default() }
    }

    /// True if a worker is running: a workspace without code never starts one.
    pub fn is_running(&self) -> bool {
        self.lock().worker.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, state: &mut State) -> Result<(), EvalError> {
        if state.worker.is_some() {
            return Ok(());
        }
        let unavailable = |error: &dyn std::fmt::Display| {
            EvalError::new(EvalErrorKind::Unavailable, format!("the evaluation worker could not be started: {error}"))
        };
        let mut command = (self.command)();
        // Code sees no environment at all; what the worker says when it dies helps nobody.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| unavailable(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(unavailable(&"it has no pipes"));
        };
        let (sender, answers) = channel();
        let limit = self.limits.answer as u64;
        std::thread::Builder::new()
            .name("eval-worker-reader".to_owned())
            .spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = String::new();
                    let mut bounded = std::io::Read::take(&mut output, limit);
                    match bounded.read_line(&mut line) {
                        Ok(1..) if line.ends_with('\n') && sender.send(line).is_ok() => {}
                        _ => return,
                    }
                }
            })
            .map_err(|error| unavailable(&error))?;
        state.generation += 1;
        state.worker = Some(Worker { child, input, answers });
        Ok(())
    }

    /// Sends `request` and handles what comes back until `finish` takes an answer.
    fn exchange<T>(
        &self,
        state: &mut State,
        request: &ToWorker,
        files: Option<&dyn LibraryFiles>,
        finish: impl Fn(FromWorker) -> Option<T>,
    ) -> Result<T, EvalError> {
        self.start(state)?;
        let result = self.converse(state, request, files, finish);
        if result.is_err() {
            state.worker = None;
        }
        result
    }

    fn converse<T>(
        &self,
        state: &mut State,
        request: &ToWorker,
        files: Option<&dyn LibraryFiles>,
        finish: impl Fn(FromWorker) -> Option<T>,
    ) -> Result<T, EvalError> {
        let died = || {
            EvalError::new(
                EvalErrorKind::Limit,
                "evaluation was stopped: it needed too much memory or depth; it is not tried again until the text changes",
            )
        };
        let worker = state.worker.as_mut().ok_or_else(died)?;
        send(worker, request).map_err(|_| died())?;
        let deadline = Instant::now() + self.limits.time;
        loop {
            let rest = deadline.saturating_duration_since(Instant::now());
            let line = match worker.answers.recv_timeout(rest) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(died()),
                Err(RecvTimeoutError::Timeout) => {
                    let message = format!(
                        "evaluation was stopped after {} ms; it is not tried again until the text changes",
                        self.limits.time.as_millis()
                    );
                    return Err(EvalError::new(EvalErrorKind::Limit, message));
                }
            };
            let answer: FromWorker = serde_json::from_str(&line).map_err(|_| died())?;
            let reply = match (answer, files) {
                (FromWorker::Library(path), Some(files)) => ToWorker::Library(files.library(&path)),
                (FromWorker::Read(path), Some(files)) => ToWorker::Read(files.read(&path)),
                (FromWorker::List(path), Some(files)) => ToWorker::List(files.list(&path)),
                (answer, _) => return finish(answer).ok_or_else(died),
            };
            send(worker, &reply).map_err(|_| died())?;
        }
    }
}

fn send(worker: &mut Worker, message: &ToWorker) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    worker.input.write_all(&line)?;
    worker.input.flush()
}

fn hash(value: &impl serde::Serialize) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_vec(value).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

fn poisoned() -> EvalError {
    let message = "not evaluated: it stopped the evaluation worker before; it is tried again when the text changes";
    EvalError::new(EvalErrorKind::Limit, message)
}

impl Evaluator for WorkerEvaluator {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let failed = |error| Evaluated { result: Err(error), id: None, printed: Vec::new() };
        let key = hash(evaluation);
        let mut state = self.lock();
        if state.poisoned.contains(&key) {
            return failed(poisoned());
        }
        let request = ToWorker::Evaluate(Box::new(evaluation.clone()));
        let answer = self.exchange(&mut state, &request, Some(files), |answer| match answer {
            FromWorker::Evaluated(evaluated) => Some(*evaluated),
            _ => None,
        });
        match answer {
            Ok(mut evaluated) => {
                let generation = state.generation << GENERATION_SHIFT;
                evaluated.id = evaluated.id.map(|id| EvaluationId(id.0 | generation));
                evaluated
            }
            Err(error) => {
                if error.kind == EvalErrorKind::Limit {
                    state.poisoned.insert(key);
                }
                failed(error)
            }
        }
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        let all = |error: EvalError| calls.iter().map(|_| Err(error.clone())).collect();
        let mut state = self.lock();
        if evaluation.0 >> GENERATION_SHIFT != state.generation || state.worker.is_none() {
            let message = "the evaluation worker was restarted; evaluate again";
            return all(EvalError::new(EvalErrorKind::Unavailable, message));
        }
        let inner = EvaluationId(evaluation.0 & ((1 << GENERATION_SHIFT) - 1));
        let key = hash(&(evaluation, calls));
        if state.poisoned.contains(&key) {
            return all(poisoned());
        }
        let request = ToWorker::Call { evaluation: inner, calls: calls.to_vec() };
        let answer = self.exchange(&mut state, &request, None, |answer| match answer {
            FromWorker::Called(results) if results.len() == calls.len() => Some(results),
            _ => None,
        });
        match answer {
            Ok(results) => results,
            Err(error) => {
                state.poisoned.insert(key);
                all(error)
            }
        }
    }

    fn release(&self, evaluation: EvaluationId) {
        let mut state = self.lock();
        if evaluation.0 >> GENERATION_SHIFT != state.generation {
            return;
        }
        let inner = EvaluationId(evaluation.0 & ((1 << GENERATION_SHIFT) - 1));
        if let Some(worker) = state.worker.as_mut()
            && send(worker, &ToWorker::Release(inner)).is_err()
        {
            state.worker = None;
        }
    }
}
