//! The evaluator in a worker process: started when first needed, killed when silent, restarted when needed again.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::data::Data;
use crate::evaluator::{Call, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles};
use crate::recorded::{Recorded, Recorder};
use crate::turn::Turn;
use crate::wire::{FromWorker, ToWorker};

/// Bounds the client keeps; those inside the worker are the worker's own.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long one evaluation or one batch of calls may take, the libraries it waits for not counted.
    pub time: Duration,
    /// How long one evaluation may take with all libraries it waits for.
    pub whole: Duration,
    /// How many bytes one answer may have.
    pub answer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(2), whole: Duration::from_secs(20), answer: 64 << 20 }
    }
}

/// Evaluates in a worker process.
///
/// One request runs at a time; callers wait for each other. An input that made the worker die or fall silent is
/// remembered by its hash and refused from then on, until it changes.
pub struct WorkerEvaluator {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    limits: Limits,
    turn: Turn,
    /// Only held for moments: answers about libraries are made while nobody holds it.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    worker: Option<Worker>,
    poisoned: HashSet<u64>,
    /// Counts the workers.
    generation: u64,
    /// Evaluations that may be called, by the number users know them by: with what they were, to repeat
    /// them when the worker that held them is gone.
    kept: HashMap<u64, Kept>,
    /// When the outermost conversation has to be over.
    until: Option<Instant>,
}

/// An evaluation whose functions may be called.
#[derive(Clone)]
struct Kept {
    evaluation: Arc<Evaluation>,
    files: Arc<Recorded>,
    /// The worker that holds it, and under which number.
    generation: u64,
    inner: EvaluationId,
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
        Self { command: Box::new(command), limits, turn: Turn::default(), state: Mutex::default() }
    }

    /// True if a worker is running: a workspace without code never starts one.
    pub fn is_running(&self) -> bool {
        self.lock().worker.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The generation of the worker, which is started if there is none.
    fn start(&self, state: &mut State) -> Result<u64, EvalError> {
        if state.worker.is_some() {
            return Ok(state.generation);
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
        Ok(state.generation)
    }

    /// Evaluates in the worker, and remembers what made it die.
    fn run(
        &self,
        outer: usize,
        evaluation: &Evaluation,
        files: &dyn LibraryFiles,
    ) -> Result<(Evaluated, u64), EvalError> {
        let request = ToWorker::Evaluate(Box::new(evaluation.clone()));
        let answer = self.exchange(outer, &request, Some(files), |answer| match answer {
            FromWorker::Evaluated(evaluated) => Some(*evaluated),
            _ => None,
        });
        if answer.as_ref().is_err_and(|error| error.kind == EvalErrorKind::Limit) {
            self.lock().poisoned.insert(hash(evaluation));
        }
        answer
    }

    /// The number under which the worker of now holds an evaluation. If it does not, or a `fresh` one is
    /// wanted, it is repeated: code is deterministic, so its functions have the same handles.
    fn held(&self, outer: usize, evaluation: EvaluationId, fresh: bool) -> Result<EvaluationId, EvalError> {
        let (kept, is_held) = {
            let state = self.lock();
            let unknown = || EvalError::new(EvalErrorKind::Unavailable, "this evaluation is no longer known");
            let kept = state.kept.get(&evaluation.0).cloned().ok_or_else(unknown)?;
            let is_held = kept.generation == state.generation && state.worker.is_some();
            (kept, is_held)
        };
        if is_held && !fresh {
            return Ok(kept.inner);
        }
        if self.lock().poisoned.contains(&hash(&*kept.evaluation)) {
            return Err(poisoned());
        }
        let (evaluated, generation) = self.run(outer, &kept.evaluation, &*kept.files)?;
        let inner = match (evaluated.id, evaluated.result) {
            (Some(inner), _) => inner,
            (None, Err(error)) => return Err(error),
            (None, Ok(_)) => return Err(died()),
        };
        self.lock().kept.insert(evaluation.0, Kept { generation, inner, ..kept });
        Ok(inner)
    }

    /// Sends `request` and handles what comes back until `finish` takes an answer. The generation is that
    /// of the worker that answered. `outer`: conversations of this thread that wait for this one.
    fn exchange<T>(
        &self,
        outer: usize,
        request: &ToWorker<'_>,
        files: Option<&dyn LibraryFiles>,
        finish: impl Fn(FromWorker) -> Option<T>,
    ) -> Result<(T, u64), EvalError> {
        let generation = {
            let mut state = self.lock();
            // The worker of a conversation that waits is gone for good if it is gone.
            if outer > 0 && state.worker.is_none() {
                return Err(died());
            }
            if outer == 0 {
                state.until = Some(Instant::now() + self.limits.whole);
            }
            self.start(&mut state)?
        };
        let result = self.converse(generation, request, files, &finish);
        if result.is_err() {
            let mut state = self.lock();
            if state.generation == generation {
                state.worker = None;
            }
        }
        // Whatever ended then, the libraries a template waits for took too long together.
        let over = self.lock().until.is_some_and(|until| Instant::now() >= until);
        result
            .map(|answer| (answer, generation))
            .map_err(|error| if over { self.stopped_after(self.limits.whole) } else { error })
    }

    fn stopped_after(&self, time: Duration) -> EvalError {
        let message = format!(
            "evaluation was stopped after {} ms; it is not tried again until the text changes",
            time.as_millis()
        );
        EvalError::new(EvalErrorKind::Limit, message)
    }

    fn converse<T>(
        &self,
        generation: u64,
        request: &ToWorker<'_>,
        files: Option<&dyn LibraryFiles>,
        finish: &dyn Fn(FromWorker) -> Option<T>,
    ) -> Result<T, EvalError> {
        self.send(generation, request)?;
        let mut deadline = Instant::now() + self.limits.time;
        loop {
            let answer = self.receive(generation, deadline)?;
            let asked = Instant::now();
            let reply = match (answer, files) {
                (FromWorker::Library(path), Some(files)) => ToWorker::Library(files.library(&path)),
                (FromWorker::Read(path), Some(files)) => ToWorker::Read(files.read(&path)),
                (FromWorker::List(path), Some(files)) => ToWorker::List(files.list(&path)),
                (FromWorker::Find { from, name }, Some(files)) => ToWorker::Found(files.find(&from, &name)),
                (FromWorker::Run(request), Some(files)) => {
                    let mut caller = |calls: &[Call]| self.call_waiting(generation, &[], calls);
                    ToWorker::Ran(Box::new(files.run(&request, &mut caller)))
                }
                (answer, _) => return finish(answer).ok_or_else(died),
            };
            deadline += asked.elapsed();
            self.send(generation, &reply)?;
        }
    }

    /// Calls functions of the template that waits for an answer about a library.
    fn call_waiting(&self, generation: u64, shared: &[Data], calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        let evaluation = EvaluationId::CALLER;
        let request = ToWorker::Call { evaluation, shared: shared.into(), calls: calls.into() };
        let answer = self.converse(generation, &request, None, &|answer| match answer {
            FromWorker::Called(results) if results.len() == calls.len() => Some(results),
            _ => None,
        });
        answer.unwrap_or_else(|error| calls.iter().map(|_| Err(error.clone())).collect())
    }

    fn send(&self, generation: u64, message: &ToWorker<'_>) -> Result<(), EvalError> {
        let mut state = self.lock();
        let current = state.generation == generation;
        let worker = state.worker.as_mut().filter(|_| current).ok_or_else(died)?;
        send(worker, message).map_err(|_| died())
    }

    fn receive(&self, generation: u64, deadline: Instant) -> Result<FromWorker, EvalError> {
        let state = self.lock();
        let worker = state.worker.as_ref().filter(|_| state.generation == generation).ok_or_else(died)?;
        let deadline = state.until.map_or(deadline, |until| deadline.min(until));
        match worker.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| died()),
            Err(RecvTimeoutError::Disconnected) => Err(died()),
            Err(RecvTimeoutError::Timeout) => Err(self.stopped_after(self.limits.time)),
        }
    }
}

fn died() -> EvalError {
    EvalError::new(
        EvalErrorKind::Limit,
        "evaluation was stopped: it needed too much memory or depth; it is not tried again until the text changes",
    )
}

fn send(worker: &mut Worker, message: &ToWorker<'_>) -> std::io::Result<()> {
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

/// Whether a call was not made because the worker does not know the evaluation.
fn is_gone(result: &Result<Data, EvalError>) -> bool {
    result.as_ref().is_err_and(|error| error.kind == EvalErrorKind::Unavailable)
}

fn poisoned() -> EvalError {
    let message = "not evaluated: it stopped the evaluation worker before; it is tried again when the text changes";
    EvalError::new(EvalErrorKind::Limit, message)
}

impl Evaluator for WorkerEvaluator {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let failed = |error| Evaluated { result: Err(error), id: None, printed: Vec::new() };
        let key = hash(evaluation);
        let turn = self.turn.take();
        if self.lock().poisoned.contains(&key) {
            return failed(poisoned());
        }
        let recorder = Recorder::new(files);
        match self.run(turn.outer, evaluation, &recorder) {
            Ok((mut evaluated, generation)) => {
                if let Some(inner) = evaluated.id {
                    let files = Arc::new(recorder.into_answers());
                    let kept = Kept { evaluation: Arc::new(evaluation.clone()), files, generation, inner };
                    let id = inner.0 | generation << GENERATION_SHIFT;
                    self.lock().kept.insert(id, kept);
                    evaluated.id = Some(EvaluationId(id));
                }
                evaluated
            }
            Err(error) => failed(error),
        }
    }

    fn call_sharing(&self, evaluation: EvaluationId, shared: &[Data], calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        let all = |error: EvalError| calls.iter().map(|_| Err(error.clone())).collect();
        let turn = self.turn.take();
        if evaluation == EvaluationId::CALLER {
            let generation = self.lock().generation;
            let nobody = || EvalError::new(EvalErrorKind::Unavailable, "no template waits for an answer");
            return if turn.outer == 0 { all(nobody()) } else { self.call_waiting(generation, shared, calls) };
        }
        let key = || hash(&(evaluation, shared, calls));
        // Arguments can be large: they are named only where some are known to be bad.
        let some = !self.lock().poisoned.is_empty();
        if some && self.lock().poisoned.contains(&key()) {
            return all(poisoned());
        }
        let mut fresh = false;
        loop {
            let inner = match self.held(turn.outer, evaluation, fresh) {
                Ok(inner) => inner,
                Err(error) => return all(error),
            };
            let request = ToWorker::Call { evaluation: inner, shared: shared.into(), calls: calls.into() };
            let answer = self.exchange(turn.outer, &request, None, |answer| match answer {
                FromWorker::Called(results) if results.len() == calls.len() => Some(results),
                _ => None,
            });
            match answer {
                // A worker holds only so many evaluations.
                Ok((results, _)) if !fresh && results.iter().any(is_gone) => fresh = true,
                Ok((results, _)) => return results,
                Err(error) => {
                    let key = key();
                    self.lock().poisoned.insert(key);
                    return all(error);
                }
            }
        }
    }

    fn release(&self, evaluation: EvaluationId) {
        let _turn = self.turn.take();
        let mut state = self.lock();
        let Some(kept) = state.kept.remove(&evaluation.0) else { return };
        if kept.generation != state.generation {
            return;
        }
        if let Some(worker) = state.worker.as_mut()
            && send(worker, &ToWorker::Release(kept.inner)).is_err()
        {
            state.worker = None;
        }
    }
}
