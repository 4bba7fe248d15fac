//! The place of one worker: started on first use, killed when it stops answering, restarted on the next use.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::limits::{Limits, interrupted, stopped_after};
use crate::portions::Portions;
use crate::process::{End, Process};
use crate::wire::{FromWorker, ToWorker};
use lofting_eval::{Call, Data, EvalError, EvalErrorKind, EvaluationId};

/// How long code runs before it is asked whether its result is still wanted, and between two such questions: what is not
/// wanted ends with its worker, and this is longer than it takes to start another one.
const LOOK: Duration = Duration::from_millis(25);

/// The place of one worker. Only the thread that has its turn talks to the worker.
#[derive(Default)]
pub(crate) struct Seat {
    /// Held only briefly: never while waiting for the worker or while making an answer for it.
    state: Mutex<State>,
    /// Evaluations that are no longer needed. The next thread that talks to the worker tells it so: dropping an
    /// evaluation must not wait for running code.
    released: Mutex<Vec<EvaluationId>>,
    /// What the worker keeps of long values.
    portions: Mutex<Portions>,
}

#[derive(Default)]
struct State {
    worker: Option<Arc<Mutex<Process>>>,
    /// A worker that is started ahead and has said nothing yet.
    begun: Option<Begun>,
    /// The number of the newest worker, among those of all seats.
    generation: u64,
    /// Why the last worker is gone. A conversation that waits inside another one has to end with the same error.
    lost: Option<EvalError>,
    /// The deadline of the outermost conversation.
    until: Option<Instant>,
}

/// A worker that is started ahead.
enum Begun {
    /// A thread starts its process.
    Starting(JoinHandle<Option<Process>>),
    /// Its process runs.
    Started(Box<Process>),
}

impl Begun {
    /// Whether the process runs, or could not be started.
    fn is_there(&self) -> bool {
        match self {
            Begun::Starting(thread) => thread.is_finished(),
            Begun::Started(_) => true,
        }
    }

    /// The worker, once its process runs.
    fn worker(self) -> Option<Process> {
        match self {
            Begun::Starting(thread) => thread.join().ok().flatten(),
            Begun::Started(process) => Some(*process),
        }
    }
}

impl Seat {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Whether a worker is running, or being started.
    pub(crate) fn is_taken(&self) -> bool {
        let state = self.lock();
        state.worker.is_some() || state.begun.is_some()
    }

    /// The worker's generation, if there is one.
    pub(crate) fn generation(&self) -> Option<u64> {
        let state = self.lock();
        state.worker.is_some().then_some(state.generation)
    }

    /// Starts a worker, unless there is one: in a thread of its own, because the system may let a thread that starts a
    /// process wait until the processor is free that the new process runs on, for as long as the start of the process
    /// takes. What fails is tried again and reported when the worker is needed.
    pub(crate) fn prepare(&self, launch: &Arc<dyn Launch>, limit: usize) {
        let mut state = self.lock();
        if state.worker.is_some() || state.begun.is_some() {
            return;
        }
        if let Some(child) = launch.ahead() {
            let process = Process::of(child, &**launch, limit);
            state.begun = process.ok().map(|process| Begun::Started(Box::new(process)));
            return;
        }
        let launch = Arc::clone(launch);
        let thread = std::thread::Builder::new().name("worker-start".to_owned());
        state.begun = thread.spawn(move || Process::begin(&*launch, limit, true).ok()).ok().map(Begun::Starting);
    }

    /// Kills the worker, and does not wait for its end.
    pub(crate) fn dismiss(&self) {
        if let Some(worker) = &self.lock().worker {
            worker.lock().kill();
        }
    }

    /// Waits until the worker has ended. One that is still starting is left alone: it ends with its input.
    pub(crate) fn end(&self) {
        let (worker, begun) = {
            let mut state = self.lock();
            let begun = state.begun.take_if(|begun| begun.is_there());
            (state.worker.take(), begun.and_then(Begun::worker))
        };
        drop(begun);
        drop(worker);
    }

    /// The generation of the running worker, which is started if there is none: then `number` numbers it. `nested`: a
    /// conversation waits for this one, which a new worker could not continue. `whole` is the time until the deadline
    /// of an outermost conversation.
    pub(crate) fn start(
        &self,
        launch: &dyn Launch,
        limits: &Limits,
        nested: bool,
        number: impl FnOnce() -> u64,
    ) -> Result<u64, EvalError> {
        let mut state = self.lock();
        if nested && state.worker.is_none() {
            return Err(lost(&state));
        }
        if !nested {
            state.until = Some(Instant::now() + limits.whole);
        }
        if state.worker.is_none() {
            let begun = state.begun.take().and_then(Begun::worker);
            let mut worker = Process::start(launch, limits.answer, begun)?;
            let time = limits.time;
            worker.send(&ToWorker::Time(time), Instant::now() + time).map_err(|end| ended(end, time))?;
            state.generation = number();
            state.worker = Some(Arc::new(Mutex::new(worker)));
        }
        Ok(state.generation)
    }

    /// What the system does not provide for the sandbox of the running worker.
    pub(crate) fn gaps(&self) -> Option<String> {
        let worker = self.lock().worker.clone()?;
        let worker = worker.lock();
        worker.confinement.gaps()
    }

    /// Gives the worker up, because a conversation with it ended with an error.
    pub(crate) fn give_up(&self, generation: u64, error: &EvalError) {
        let mut state = self.lock();
        if state.generation == generation && state.worker.take().is_some() {
            state.lost = Some(error.clone());
        }
    }

    /// Whether the time of the outermost conversation is over.
    pub(crate) fn is_over(&self) -> bool {
        self.lock().until.is_some_and(|until| Instant::now() >= until)
    }

    /// Sends a message to the worker of this generation, which has `time` to read it.
    pub(crate) fn send(&self, generation: u64, message: &ToWorker<'_>, time: Duration) -> Result<(), EvalError> {
        let deadline = Instant::now() + time;
        self.with_worker(generation, time, |worker, until| {
            worker.send(message, until.map_or(deadline, |until| deadline.min(until)))
        })
    }

    /// The next message of the worker of this generation; None if there is none after a while. `time` is what an
    /// evaluation may take, for messages.
    pub(crate) fn receive(
        &self,
        generation: u64,
        deadline: Instant,
        time: Duration,
    ) -> Result<Option<FromWorker>, EvalError> {
        self.with_worker(generation, time, |worker, until| {
            let last = until.map_or(deadline, |until| deadline.min(until));
            let look = Instant::now() + LOOK;
            if look < last { worker.receive_until(look) } else { worker.receive(last).map(Some) }
        })
    }

    fn with_worker<T>(
        &self,
        generation: u64,
        time: Duration,
        speak: impl FnOnce(&mut Process, Option<Instant>) -> Result<T, End>,
    ) -> Result<T, EvalError> {
        let (worker, until) = {
            let state = self.lock();
            let worker = state.worker.clone().filter(|_| state.generation == generation);
            (worker.ok_or_else(|| lost(&state))?, state.until)
        };
        speak(&mut worker.lock(), until).map_err(|end| ended(end, time))
    }

    /// Sends the worker the portions in the arguments of a batch of calls that it does not keep yet.
    pub(crate) fn tell_portions(
        &self,
        generation: u64,
        shared: &[Data],
        calls: &[Call],
        limits: &Limits,
    ) -> Result<(), EvalError> {
        let told = self.portions.lock().before(generation, shared, calls, limits.kept);
        told.map_or(Ok(()), |told| self.send(generation, &told, limits.time))
    }

    /// The worker does not keep what it was to keep, so that everything is sent again.
    pub(crate) fn lose_portions(&self) {
        self.portions.lock().lose();
    }

    /// Notes that an evaluation is no longer needed.
    pub(crate) fn release(&self, evaluation: EvaluationId) {
        self.released.lock().push(evaluation);
    }

    /// The evaluations that are no longer needed, each of them once.
    pub(crate) fn take_released(&self) -> Vec<EvaluationId> {
        std::mem::take(&mut *self.released.lock())
    }

    /// Tells the worker that it need not keep an evaluation. Call it only with the turn.
    pub(crate) fn tell_released(&self, inner: EvaluationId, time: Duration) {
        let worker = self.lock().worker.clone();
        if worker.is_some_and(|worker| worker.lock().send(&ToWorker::Release(inner), Instant::now() + time).is_err()) {
            self.lock().worker = None;
        }
    }
}

const KILLED: &str = "evaluation was stopped: the evaluation worker was killed";

fn lost(state: &State) -> EvalError {
    state.lost.clone().unwrap_or_else(|| interrupted(KILLED))
}

/// Why a worker gives no answer. `time` is what an evaluation may take.
fn ended(end: End, time: Duration) -> EvalError {
    match end {
        End::Silent => stopped_after(time),
        End::Killed(None) => interrupted(KILLED),
        End::Killed(Some(signal)) => interrupted(&format!("{KILLED} (signal {signal})")),
        End::Confused => confused(),
        End::Bounded(why) => EvalError::new(EvalErrorKind::Limit, format!("evaluation was stopped: {why}")),
    }
}

/// The error for a message that is not a valid answer.
pub(crate) fn confused() -> EvalError {
    EvalError::new(EvalErrorKind::Limit, "evaluation was stopped: the evaluation worker gave no valid answer")
}
