//! The evaluator in a worker process: started on first use, killed when it stops answering, restarted on the next use.

use parking_lot::{Mutex, MutexGuard};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::process::{End, Process};
use crate::recorded::{Read, Recorded, Recorder, hold};
use crate::refused::Refused;
use crate::turn::Turn;
use crate::wire::{FromWorker, ToWorker, hash};
use lofting_eval::{
    Call, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles,
};

/// Limits that the server enforces. Those on steps and memory are enforced inside the worker.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time for one evaluation or one batch of calls, not counting the libraries it waits for.
    pub time: Duration,
    /// Time for one evaluation including all libraries it waits for.
    pub whole: Duration,
    /// Size of one answer, in bytes.
    pub answer: usize,
    /// Time for all evaluations together that take longer than half of [`Limits::time`]; None for no limit. After it,
    /// code is not evaluated. Quick code does not count, however much of it there is.
    pub slow: Option<Duration>,
}

impl Limits {
    /// For an editor, where everything else that needs code waits meanwhile.
    pub const IN_EDITORS: Limits =
        Limits { time: Duration::from_secs(2), whole: Duration::from_secs(20), answer: 64 << 20, slow: None };

    /// For one command, which has nothing else to do: code that a busy machine runs slowly comes to its end. The worker
    /// itself ends only later.
    pub const OF_COMMANDS: Limits = Limits {
        time: Duration::from_secs(9),
        whole: Duration::from_secs(60),
        answer: 64 << 20,
        slow: Some(Duration::from_secs(60)),
    };
}

/// How many conversations of one thread may be nested: the worker asks for a library, whose files it evaluates in turn.
/// The worker keeps a lower limit itself, but is not trusted to.
const MAX_CONVERSATIONS: usize = 20;

/// Evaluates in a worker process.
///
/// One request runs at a time; callers wait for each other. What a worker answers or asks is not trusted.
///
/// A request that was *bounded*, because it made the worker die, is remembered by its hash and refused from then on,
/// until its code or what that code reads changes. One that was *interrupted*, because the worker was killed or did not
/// answer in time, is retried once at once; interrupted again, it rests for a while.
pub struct WorkerEvaluator {
    launch: Box<dyn Launch>,
    limits: Limits,
    turn: Turn,
    /// Refuse to evaluate in a worker whose sandbox has gaps.
    demanding: AtomicBool,
    /// Held only briefly: never while waiting for the worker or while making an answer for it.
    state: Mutex<State>,
    /// Evaluations that are no longer needed. The next thread that talks to the worker tells it so: dropping an
    /// evaluation must not wait for running code.
    released: Mutex<Vec<EvaluationId>>,
}

#[derive(Default)]
struct State {
    /// Only the thread that has the turn talks to it.
    worker: Option<Arc<Mutex<Process>>>,
    /// A worker that was started ahead and has said nothing yet.
    begun: Option<Process>,
    refused: Refused,
    /// How many workers were started so far.
    generation: u64,
    /// Evaluations whose functions may be called, by the number that callers know, with their input, so that they can
    /// be repeated when the worker that held them is gone.
    kept: HashMap<u64, Kept>,
    /// Why the last worker is gone. A conversation that waits inside another one has to end with the same error.
    lost: Option<EvalError>,
    /// The deadline of the outermost conversation.
    until: Option<Instant>,
    /// Time of slow evaluations so far.
    slow: Duration,
}

/// An evaluation whose functions may be called.
#[derive(Clone)]
struct Kept {
    evaluation: Arc<Evaluation>,
    files: Arc<Recorded>,
    /// The worker that holds it, and its number there.
    generation: u64,
    inner: EvaluationId,
}

/// Bits of an [`EvaluationId`] below the worker's generation.
const GENERATION_SHIFT: u32 = 40;

impl WorkerEvaluator {
    /// An evaluator whose workers are started by `launch`.
    pub fn new(launch: impl Launch + 'static, limits: Limits) -> Self {
        Self {
            launch: Box::new(launch),
            limits,
            turn: Turn::default(),
            demanding: AtomicBool::new(false),
            state: Mutex::default(),
            released: Mutex::default(),
        }
    }

    /// Whether to refuse evaluation when the worker's sandbox has gaps. By default code is evaluated all the same.
    pub fn demand_sandbox(&self, demand: bool) {
        self.demanding.store(demand, Ordering::Relaxed);
    }

    /// Whether a worker is running. A workspace without code never starts one.
    pub fn is_running(&self) -> bool {
        let state = self.lock();
        state.worker.is_some() || state.begun.is_some()
    }

    /// Kills the worker, if there is one: nothing more will be evaluated. It ends while the caller does something else.
    pub fn dismiss(&self) {
        let mut state = self.lock();
        state.begun.iter_mut().for_each(Process::kill);
        if let Some(worker) = &state.worker {
            worker.lock().kill();
        }
    }

    /// Waits until the worker has ended, so that none is left when this process ends.
    pub fn end(&self) {
        let (worker, begun) = {
            let mut state = self.lock();
            (state.worker.take(), state.begun.take())
        };
        drop(begun);
        drop(worker);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// The generation of the running worker, which is started if there is none.
    fn start(&self, state: &mut State) -> Result<u64, EvalError> {
        let worker = match &mut state.worker {
            Some(worker) => worker,
            none => {
                let mut worker = Process::start(&*self.launch, self.limits.answer, state.begun.take())?;
                let time = self.limits.time;
                worker.send(&ToWorker::Time(time), Instant::now() + time).map_err(|end| self.ended(end))?;
                state.generation += 1;
                none.insert(Arc::new(Mutex::new(worker)))
            }
        };
        match worker.lock().confinement.gaps().filter(|_| self.demanding.load(Ordering::Relaxed)) {
            None => Ok(state.generation),
            Some(gaps) => {
                let message = format!("not evaluated: a sandbox is required, and this system does not provide: {gaps}");
                Err(EvalError::new(EvalErrorKind::Refused, message))
            }
        }
    }

    /// Tells the worker which evaluations are no longer needed. Call it only with the turn.
    fn tell_released(&self) {
        for evaluation in std::mem::take(&mut *self.released.lock()) {
            let (worker, inner) = {
                let mut state = self.lock();
                let Some(kept) = state.kept.remove(&evaluation.0) else { continue };
                let worker = state.worker.clone().filter(|_| kept.generation == state.generation);
                (worker, kept.inner)
            };
            if worker.is_some_and(|worker| {
                worker.lock().send(&ToWorker::Release(inner), Instant::now() + self.limits.time).is_err()
            }) {
                self.lock().worker = None;
            }
        }
    }

    /// Asks the worker, and once more if the first attempt was interrupted. `question` gives the question's hash, and
    /// is called only where refused questions are known; `read` is what the code read, and `files` what it would read
    /// now.
    fn attempt<T>(
        &self,
        outer: usize,
        question: &dyn Fn() -> u64,
        read: &dyn Fn() -> Vec<Read>,
        files: Option<&dyn LibraryFiles>,
        ask: &mut dyn FnMut() -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        if outer >= MAX_CONVERSATIONS {
            return Err(EvalError::new(EvalErrorKind::Limit, "libraries are nested too deeply to be evaluated"));
        }
        let some = !self.lock().refused.is_empty();
        let known = some.then(question);
        let refusal = known.and_then(|known| self.lock().refused.error(known));
        if let Some((error, _)) = refusal.filter(|(_, read)| files.is_none_or(|files| hold(read, files))) {
            return Err(error);
        }
        if let Some(limit) = self.limits.slow.filter(|limit| outer == 0 && self.lock().slow >= *limit) {
            return Err(EvalError::new(EvalErrorKind::Limit, all_is_spent(limit)));
        }
        let begin = Instant::now();
        let mut answer = ask();
        // A nested conversation is lost with its worker: only the outermost one is repeated.
        let again = outer == 0 && begin.elapsed() < self.limits.whole;
        if again && answer.as_ref().is_err_and(|error| error.kind == EvalErrorKind::Interrupted) {
            answer = ask();
        }
        let took = begin.elapsed();
        if outer == 0 && took > self.limits.time / 2 {
            self.lock().slow += took;
        }
        match answer {
            Ok(answer) => {
                known.into_iter().for_each(|known| self.lock().refused.forget(known));
                Ok(answer)
            }
            Err(error) if outer == 0 || error.kind == EvalErrorKind::Limit => {
                let read = read();
                Err(self.lock().refused.note(known.unwrap_or_else(question), error, read))
            }
            Err(error) => Err(error),
        }
    }

    /// Evaluates in the worker.
    fn run(
        &self,
        outer: usize,
        evaluation: &Evaluation,
        files: &dyn LibraryFiles,
    ) -> Result<(Evaluated, u64), EvalError> {
        let request = ToWorker::Evaluate(Box::new(Cow::Borrowed(evaluation)));
        let answer = self.exchange(outer, &request, Some(files), |answer| match answer {
            FromWorker::Evaluated(evaluated) => Some(*evaluated),
            _ => None,
        })?;
        match &answer.0.result {
            Err(error) if error.kind == EvalErrorKind::Interrupted => Err(stopped_after(self.limits.time)),
            _ => Ok(answer),
        }
    }

    /// The number under which the current worker holds an evaluation. If it does not hold it, or if `fresh` is set, the
    /// evaluation is repeated: code is deterministic, so its functions get the same handles.
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
        let (evaluated, generation) = self.run(outer, &kept.evaluation, &*kept.files)?;
        let inner = match (evaluated.id, evaluated.result) {
            (Some(inner), _) => inner,
            (None, Err(error)) => return Err(error),
            (None, Ok(_)) => return Err(confused()),
        };
        self.lock().kept.insert(evaluation.0, Kept { generation, inner, ..kept });
        Ok(inner)
    }

    /// Sends `request` and handles messages until `finish` accepts one as the answer. Returns it with the generation of
    /// the worker that answered. `outer` is the number of conversations of this thread that wait for this one.
    fn exchange<T>(
        &self,
        outer: usize,
        request: &ToWorker<'_>,
        files: Option<&dyn LibraryFiles>,
        finish: impl Fn(FromWorker) -> Option<T>,
    ) -> Result<(T, u64), EvalError> {
        let generation = {
            let mut state = self.lock();
            // If the worker of an outer conversation is gone, a new one could not continue that conversation.
            if outer > 0 && state.worker.is_none() {
                return Err(lost(&state));
            }
            if outer == 0 {
                state.until = Some(Instant::now() + self.limits.whole);
            }
            self.start(&mut state)?
        };
        let result = self.converse(generation, request, files, &finish);
        if let Err(error) = &result {
            let mut state = self.lock();
            if state.generation == generation && state.worker.take().is_some() {
                state.lost = Some(error.clone());
            }
        }
        // Whatever the immediate failure was, the time for the template and its libraries together has run out.
        let over = self.lock().until.is_some_and(|until| Instant::now() >= until);
        result
            .map(|answer| (answer, generation))
            .map_err(|error| if over { stopped_after(self.limits.whole) } else { error })
    }

    fn converse<T>(
        &self,
        generation: u64,
        request: &ToWorker<'_>,
        files: Option<&dyn LibraryFiles>,
        finish: &dyn Fn(FromWorker) -> Option<T>,
    ) -> Result<T, EvalError> {
        self.send(generation, request)?;
        let mut deadline = Instant::now() + self.limits.time + grace(self.limits.time);
        loop {
            let answer = self.receive(generation, deadline)?;
            let asked = Instant::now();
            let reply = match (answer, files) {
                (FromWorker::LookUp(question), Some(files)) => ToWorker::Found(files.look_up(&question)),
                (FromWorker::Run(request), Some(files)) => {
                    let mut caller = |calls: &[Call]| self.call_waiting(generation, &[], calls);
                    ToWorker::Ran(Box::new(files.run(&request, &mut caller)))
                }
                (FromWorker::Call { evaluation, calls }, Some(files)) => {
                    ToWorker::CalledThere(files.call(evaluation, &calls))
                }
                (answer, _) => return finish(answer).ok_or_else(confused),
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
        let deadline = Instant::now() + self.limits.time;
        self.with_worker(generation, |worker, until| {
            worker.send(message, until.map_or(deadline, |until| deadline.min(until)))
        })
    }

    fn receive(&self, generation: u64, deadline: Instant) -> Result<FromWorker, EvalError> {
        self.with_worker(generation, |worker, until| {
            worker.receive(until.map_or(deadline, |until| deadline.min(until)))
        })
    }

    /// Runs `with` on the worker of this generation.
    fn with_worker<T>(
        &self,
        generation: u64,
        speak: impl FnOnce(&mut Process, Option<Instant>) -> Result<T, End>,
    ) -> Result<T, EvalError> {
        let (worker, until) = {
            let state = self.lock();
            let worker = state.worker.clone().filter(|_| state.generation == generation);
            (worker.ok_or_else(|| lost(&state))?, state.until)
        };
        speak(&mut worker.lock(), until).map_err(|end| self.ended(end))
    }

    /// Why a worker gives no answer.
    fn ended(&self, end: End) -> EvalError {
        match end {
            End::Silent => stopped_after(self.limits.time),
            End::Killed(None) => interrupted(KILLED),
            End::Killed(Some(signal)) => interrupted(&format!("{KILLED} (signal {signal})")),
            End::Confused => confused(),
            End::Bounded(why) => EvalError::new(EvalErrorKind::Limit, format!("evaluation was stopped: {why}")),
        }
    }
}

const KILLED: &str = "evaluation was stopped: the evaluation worker was killed";

/// How long a worker that should have ended by itself is waited for, before it is killed.
fn grace(time: Duration) -> Duration {
    (time / 8).max(Duration::from_millis(100))
}

fn lost(state: &State) -> EvalError {
    state.lost.clone().unwrap_or_else(|| interrupted(KILLED))
}

fn stopped_after(time: Duration) -> EvalError {
    interrupted(&format!("evaluation was stopped after {} ms", time.as_millis()))
}

fn all_is_spent(limit: Duration) -> String {
    format!(
        "not evaluated: code that takes a long time has used up the {} s that one command gives it",
        limit.as_millis().div_ceil(1_000)
    )
}

fn interrupted(why: &str) -> EvalError {
    EvalError::new(EvalErrorKind::Interrupted, why)
}

/// The error for a message that is not a valid answer.
fn confused() -> EvalError {
    EvalError::new(EvalErrorKind::Limit, "evaluation was stopped: the evaluation worker gave no valid answer")
}

/// Whether a call was not made because the worker does not hold the evaluation.
fn is_gone(result: &Result<Data, EvalError>) -> bool {
    result.as_ref().is_err_and(|error| error.kind == EvalErrorKind::Unavailable)
}

impl Evaluator for WorkerEvaluator {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let failed = |error| Evaluated { result: Err(error), id: None, printed: Vec::new() };
        let turn = self.turn.take();
        self.tell_released();
        let recorded = RefCell::new(Recorded::default());
        let mut ask = || {
            let recorder = Recorder::new(files);
            let answer = self.run(turn.outer, evaluation, &recorder);
            *recorded.borrow_mut() = recorder.into_answers();
            answer
        };
        let read = || recorded.borrow().read(files);
        match self.attempt(turn.outer, &|| hash(evaluation), &read, Some(files), &mut ask) {
            Ok((mut evaluated, generation)) => {
                let files = recorded.into_inner();
                if let Some(inner) = evaluated.id {
                    let kept =
                        Kept { evaluation: Arc::new(evaluation.clone()), files: Arc::new(files), generation, inner };
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
        self.tell_released();
        if evaluation == EvaluationId::CALLER {
            let generation = self.lock().generation;
            let nobody = || EvalError::new(EvalErrorKind::Unavailable, "no template waits for an answer");
            return if turn.outer == 0 { all(nobody()) } else { self.call_waiting(generation, shared, calls) };
        }
        let mut ask = || {
            let mut fresh = false;
            loop {
                let inner = self.held(turn.outer, evaluation, fresh)?;
                let request = ToWorker::Call { evaluation: inner, shared: shared.into(), calls: calls.into() };
                let (results, _) = self.exchange(turn.outer, &request, None, |answer| match answer {
                    FromWorker::Called(results) if results.len() == calls.len() => Some(results),
                    _ => None,
                })?;
                let interrupted = |answer: &Result<Data, EvalError>| {
                    answer.as_ref().is_err_and(|error| error.kind == EvalErrorKind::Interrupted)
                };
                if results.iter().any(interrupted) {
                    return Err(stopped_after(self.limits.time));
                }
                // A worker holds a limited number of evaluations.
                if !fresh && results.iter().any(is_gone) { fresh = true } else { return Ok(results) }
            }
        };
        // Arguments can be large, so they are hashed only when some questions are refused.
        let question = || hash(&(evaluation, shared, calls));
        self.attempt(turn.outer, &question, &Vec::new, None, &mut ask).unwrap_or_else(all)
    }

    fn prepare(&self) {
        let mut state = self.lock();
        if state.worker.is_none() && state.begun.is_none() {
            // What fails now is tried again and reported when the worker is needed.
            state.begun = Process::begin(&*self.launch, self.limits.answer, true).ok();
        }
    }

    fn release(&self, evaluation: EvaluationId) {
        self.released.lock().push(evaluation);
        // Otherwise the thread that has the turn does it, or the next one that takes it.
        if let Some(_turn) = self.turn.take_if_free() {
            self.tell_released();
        }
    }
}
