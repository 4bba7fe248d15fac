//! The evaluator in worker processes, each of which has a seat.

use parking_lot::{Mutex, MutexGuard};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::limits::{Limits, SlowTime, stopped_after};
use crate::portions;
use crate::recorded::{Read, Recorded, Recorder, hold};
use crate::refused::Refused;
use crate::seat::{Seat, confused};
use crate::turn::{Taken, Turns};
use crate::wire::{FromWorker, ToWorker, hash};
use lofting_eval::{
    Batch, Call, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles,
};

/// How many conversations of one thread may be nested: the worker asks for a library, whose files it evaluates in turn.
/// The worker keeps a lower limit itself, but is not trusted to.
const MAX_CONVERSATIONS: usize = 20;

/// Evaluates in worker processes.
///
/// A worker has one conversation at a time; callers wait for a free one. Another worker is started once code has run
/// for a while and a caller waits, so that a little code needs only one. What a worker answers or asks is not trusted.
///
/// A request that was *bounded*, because it made the worker die, is remembered by its hash and refused from then on,
/// until its code or what that code reads changes. One that was *interrupted*, because the worker was killed or did not
/// answer in time, is retried once at once; interrupted again, it rests for a while.
pub struct WorkerEvaluator {
    launch: Arc<dyn Launch>,
    limits: Limits,
    turns: Turns,
    seats: Box<[Seat]>,
    /// Refuse to evaluate in a worker whose sandbox has gaps.
    demanding: AtomicBool,
    slow: SlowTime,
    /// Held only briefly: never while waiting for a worker or while making an answer for it.
    state: Mutex<State>,
}

/// What all workers share.
#[derive(Default)]
struct State {
    refused: Refused,
    /// How many workers were started so far.
    generations: u64,
    /// Evaluations whose functions may be called, by the number that callers know, with their input, so that they can
    /// be repeated when the worker that held them is gone, or when another one needs them.
    kept: HashMap<u64, Kept>,
}

/// An evaluation whose functions may be called.
#[derive(Clone)]
struct Kept {
    evaluation: Arc<Evaluation>,
    files: Arc<Recorded>,
    /// The worker that holds it, where that is, and its number there.
    generation: u64,
    seat: usize,
    inner: EvaluationId,
}

/// Bits of an [`EvaluationId`] below the worker's generation.
const GENERATION_SHIFT: u32 = 40;

impl WorkerEvaluator {
    /// An evaluator whose workers are started by `launch`.
    pub fn new(launch: impl Launch + 'static, limits: Limits) -> Self {
        let most = limits.workers.max(1);
        Self {
            launch: Arc::new(launch),
            limits,
            turns: Turns::new(most),
            seats: (0..most).map(|_| Seat::default()).collect(),
            demanding: AtomicBool::new(false),
            slow: SlowTime::default(),
            state: Mutex::default(),
        }
    }

    /// Whether to refuse evaluation when the worker's sandbox has gaps. By default code is evaluated all the same.
    pub fn demand_sandbox(&self, demand: bool) {
        self.demanding.store(demand, Ordering::Relaxed);
    }

    /// Whether a worker is running. A workspace without code never starts one.
    pub fn is_running(&self) -> bool {
        self.seats.iter().any(Seat::is_taken)
    }

    /// Kills the workers: nothing more will be evaluated. They end while the caller does something else.
    pub fn dismiss(&self) {
        self.seats.iter().for_each(Seat::dismiss);
    }

    /// Waits until the workers have ended, so that none is left when this process ends.
    pub fn end(&self) {
        self.seats.iter().for_each(Seat::end);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Takes the turn of a worker, and tells it what is no longer needed.
    fn take(&self, wanted: Option<usize>) -> Option<(Taken<'_>, &Seat)> {
        let turn = self.turns.take(wanted);
        let seat = self.seats.get(turn.seat)?;
        self.tell_released(seat);
        Some((turn, seat))
    }

    /// The generation of the running worker, which is started if there is none.
    fn start(&self, seat: &Seat, outer: usize) -> Result<u64, EvalError> {
        let number = || {
            let mut state = self.lock();
            state.generations += 1;
            state.generations
        };
        let generation = seat.start(&*self.launch, &self.limits, outer > 0, number)?;
        match seat.gaps().filter(|_| self.demanding.load(Ordering::Relaxed)) {
            None => Ok(generation),
            Some(gaps) => {
                let message = format!("not evaluated: a sandbox is required, and this system does not provide: {gaps}");
                Err(EvalError::new(EvalErrorKind::Refused, message))
            }
        }
    }

    /// Tells the worker which evaluations are no longer needed. Call it only with the turn.
    fn tell_released(&self, seat: &Seat) {
        for evaluation in seat.take_released() {
            let Some(kept) = self.lock().kept.remove(&evaluation.0) else { continue };
            // One that was repeated in another worker is dropped there when that worker has too many.
            if seat.generation() == Some(kept.generation) {
                seat.tell_released(kept.inner, self.limits.time);
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
        if outer == 0 {
            self.slow.is_left(&self.limits)?;
        }
        let begin = Instant::now();
        let mut answer = ask();
        // A nested conversation is lost with its worker: only the outermost one is repeated.
        let again = outer == 0 && begin.elapsed() < self.limits.whole;
        if again && answer.as_ref().is_err_and(|error| error.kind == EvalErrorKind::Interrupted) {
            answer = ask();
        }
        let took = begin.elapsed();
        if outer == 0 {
            self.slow.counts(took, &self.limits);
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
        seat: &Seat,
        outer: usize,
        evaluation: &Evaluation,
        files: &dyn LibraryFiles,
    ) -> Result<(Evaluated, u64), EvalError> {
        let request = ToWorker::Evaluate(Box::new(Cow::Borrowed(evaluation)));
        let answer = self.exchange(seat, outer, &request, Asker::Template(files), |answer| match answer {
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
    fn held(&self, turn: &Taken<'_>, evaluation: EvaluationId, fresh: bool) -> Result<EvaluationId, EvalError> {
        let seat = self.seats.get(turn.seat).ok_or_else(unknown)?;
        let kept = self.lock().kept.get(&evaluation.0).cloned().ok_or_else(unknown)?;
        if seat.generation() == Some(kept.generation) && !fresh {
            return Ok(kept.inner);
        }
        let (evaluated, generation) = self.run(seat, turn.outer, &kept.evaluation, &*kept.files)?;
        let inner = match (evaluated.id, evaluated.result) {
            (Some(inner), _) => inner,
            (None, Err(error)) => return Err(error),
            (None, Ok(_)) => return Err(confused()),
        };
        self.lock().kept.insert(evaluation.0, Kept { generation, seat: turn.seat, inner, ..kept });
        Ok(inner)
    }

    /// Sends `request` and handles messages until `finish` accepts one as the answer. Returns it with the generation of
    /// the worker that answered. `outer` is the number of conversations of this thread that wait for this one.
    fn exchange<T>(
        &self,
        seat: &Seat,
        outer: usize,
        request: &ToWorker<'_>,
        asker: Asker<'_>,
        finish: impl Fn(FromWorker) -> Option<T>,
    ) -> Result<(T, u64), EvalError> {
        let generation = self.start(seat, outer)?;
        let broken = BrokenOff { seat, generation };
        let told = match request {
            ToWorker::Call { shared, calls, .. } => seat.tell_portions(generation, shared, calls, &self.limits),
            _ => Ok(()),
        };
        let result = told.and_then(|()| self.converse(seat, generation, request, asker, &finish));
        std::mem::forget(broken);
        if let Err(error) = &result {
            seat.give_up(generation, error);
        }
        // Whatever the immediate failure was, the time for the template and its libraries together has run out.
        result
            .map(|answer| (answer, generation))
            .map_err(|error| if seat.is_over() { stopped_after(self.limits.whole) } else { error })
    }

    fn converse<T>(
        &self,
        seat: &Seat,
        generation: u64,
        request: &ToWorker<'_>,
        asker: Asker<'_>,
        finish: &dyn Fn(FromWorker) -> Option<T>,
    ) -> Result<T, EvalError> {
        let time = self.limits.time;
        seat.send(generation, request, time)?;
        let mut deadline = Instant::now() + time + grace(time);
        loop {
            let Some(answer) = seat.receive(generation, deadline, time)? else {
                if asker.is_wanted() {
                    continue;
                }
                return Err(unwanted());
            };
            let asked = Instant::now();
            let reply = match (answer, asker) {
                (FromWorker::LookUp(question), Asker::Template(files)) => ToWorker::Found(files.look_up(&question)),
                (FromWorker::Run(request), Asker::Template(files)) => {
                    let mut caller = |calls: &[Call]| self.call_waiting(seat, generation, &[], calls);
                    ToWorker::Ran(Box::new(files.run(&request, &mut caller)))
                }
                (FromWorker::Call { evaluation, calls }, Asker::Template(files)) => {
                    ToWorker::CalledThere(files.call(evaluation, &calls))
                }
                (answer, _) => return finish(answer).ok_or_else(confused),
            };
            deadline += asked.elapsed();
            seat.send(generation, &reply, time)?;
        }
    }

    /// Calls functions of the template that waits for an answer about a library.
    fn call_waiting(
        &self,
        seat: &Seat,
        generation: u64,
        shared: &[Data],
        calls: &[Call],
    ) -> Vec<Result<Data, EvalError>> {
        let evaluation = EvaluationId::CALLER;
        let request = ToWorker::Call { evaluation, shared: shared.into(), calls: calls.into() };
        let answer = self.converse(seat, generation, &request, Asker::Calls(&|| true), &|answer| match answer {
            FromWorker::Called(results) if results.len() == calls.len() => Some(results),
            _ => None,
        });
        answer.unwrap_or_else(|error| calls.iter().map(|_| Err(error.clone())).collect())
    }
}

/// Who waits for an answer.
#[derive(Clone, Copy)]
enum Asker<'a> {
    /// A template, which reads files.
    Template(&'a dyn LibraryFiles),
    /// Calls of functions, and whether their answers are of use.
    Calls(&'a dyn Fn() -> bool),
}

impl Asker<'_> {
    fn is_wanted(&self) -> bool {
        match self {
            Asker::Template(files) => files.is_wanted(),
            Asker::Calls(is_wanted) => is_wanted(),
        }
    }
}

/// Gives a worker up if the work that talks to it ends in the middle, because it would wait for an answer.
struct BrokenOff<'s> {
    seat: &'s Seat,
    generation: u64,
}

impl Drop for BrokenOff<'_> {
    fn drop(&mut self) {
        self.seat.give_up(self.generation, &unwanted());
    }
}

/// How long a worker that should have ended by itself is waited for, before it is killed.
fn grace(time: Duration) -> Duration {
    (time / 8).max(Duration::from_millis(100))
}

/// Neither noted nor tried again: nothing waits for the result.
fn unwanted() -> EvalError {
    EvalError::new(EvalErrorKind::Unavailable, "evaluation was stopped: its result is no longer wanted")
}

/// The error for an evaluation that is not kept.
fn unknown() -> EvalError {
    EvalError::new(EvalErrorKind::Unavailable, "this evaluation is no longer known")
}

/// Arguments without portions.
fn unfolded(shared: &[Data], calls: &[Call]) -> (Vec<Data>, Vec<Call>) {
    (shared.iter().map(Data::unfolded).collect(), calls.iter().map(Call::unfolded).collect())
}

/// Whether a call was not made because the worker does not hold the evaluation.
fn is_gone(result: &Result<Data, EvalError>) -> bool {
    result.as_ref().is_err_and(|error| error.kind == EvalErrorKind::Unavailable)
}

impl Evaluator for WorkerEvaluator {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let failed = |error| Evaluated { result: Err(error), id: None, printed: Vec::new() };
        let Some((turn, seat)) = self.take(None) else { return failed(unknown()) };
        let recorded = RefCell::new(Recorded::default());
        let mut ask = || {
            let recorder = Recorder::new(files);
            let answer = self.run(seat, turn.outer, evaluation, &recorder);
            *recorded.borrow_mut() = recorder.into_answers();
            answer
        };
        let read = || recorded.borrow().read(files);
        match self.attempt(turn.outer, &|| hash(evaluation), &read, Some(files), &mut ask) {
            Ok((mut evaluated, generation)) => {
                let files = recorded.into_inner();
                if let Some(inner) = evaluated.id {
                    let (evaluation, files) = (Arc::new(evaluation.clone()), Arc::new(files));
                    let kept = Kept { evaluation, files, generation, seat: turn.seat, inner };
                    let id = inner.0 | generation << GENERATION_SHIFT;
                    self.lock().kept.insert(id, kept);
                    evaluated.id = Some(EvaluationId(id));
                }
                evaluated
            }
            Err(error) => failed(error),
        }
    }

    fn call_batch(&self, evaluation: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        let Batch { shared, calls, is_wanted } = *batch;
        let all = |error: EvalError| calls.iter().map(|_| Err(error.clone())).collect();
        let wanted = self.lock().kept.get(&evaluation.0).map(|kept| kept.seat);
        let Some((turn, seat)) = self.take(wanted) else { return all(unknown()) };
        if evaluation == EvaluationId::CALLER {
            let nobody = || EvalError::new(EvalErrorKind::Unavailable, "no template waits for an answer");
            let generation = seat.generation().filter(|_| turn.outer > 0);
            return match generation {
                Some(generation) => {
                    let (shared, calls) = unfolded(shared, calls);
                    self.call_waiting(seat, generation, &shared, &calls)
                }
                None => all(nobody()),
            };
        }
        let whole = portions::is_too_long(shared, calls, self.limits.kept / 2).then(|| unfolded(shared, calls));
        let (shared, calls) = whole.as_ref().map_or((shared, calls), |(shared, calls)| (shared, calls));
        let mut ask = || {
            let mut fresh = false;
            loop {
                let inner = self.held(&turn, evaluation, fresh)?;
                let request = ToWorker::Call { evaluation: inner, shared: shared.into(), calls: calls.into() };
                let (results, _) =
                    self.exchange(seat, turn.outer, &request, Asker::Calls(is_wanted), |answer| match answer {
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
                if fresh || !results.iter().any(is_gone) {
                    return Ok(results);
                }
                fresh = true;
                seat.lose_portions();
            }
        };
        // Arguments can be large, so they are hashed only when some questions are refused.
        let question = || hash(&(evaluation, unfolded(shared, calls)));
        self.attempt(turn.outer, &question, &Vec::new, None, &mut ask).unwrap_or_else(all)
    }

    fn prepare(&self) {
        if let Some(seat) = self.seats.first() {
            seat.prepare(&self.launch, self.limits.answer);
        }
    }

    fn release(&self, evaluation: EvaluationId) {
        let Some(number) = self.lock().kept.get(&evaluation.0).map(|kept| kept.seat) else { return };
        let Some(seat) = self.seats.get(number) else { return };
        seat.release(evaluation);
        // Otherwise the thread that has the turn does it, or the next one that takes it.
        if let Some(_turn) = self.turns.take_if_free(number) {
            self.tell_released(seat);
        }
    }
}
