//! The worker process: reads requests from its input, evaluates, answers on its output, and limits itself.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use lofting_eval::{
    Call, Caller, Data, EvalError, EvalErrorKind, Evaluated, EvaluationId, FileAnswer, FileQuestion, LibraryAnswer,
    LibraryFiles, LibraryRequest, STACK,
};
use lofting_sandbox::{Layer, Outcome, Sandbox};
use lofting_worker::Confinement;
use lofting_worker::exit::{LEFT_ALONE as ENDED, TOOK_TOO_LONG};
use lofting_worker::wire::{self, FromWorker, ToWorker, VERSION};

use crate::{Bounds, KeptPortions, LoadedModules, Session, evaluate_with};

/// A request that takes longer ends the process, in case the server is no longer there to do so.
const LONGEST: Duration = Duration::from_secs(10);
/// How often the watchdog looks at the clock.
const LOOK: Duration = Duration::from_millis(500);
/// How long the process goes on after the end of its input, so that a client that sends requests and closes its end
/// gets the answers.
const LINGER: Duration = Duration::from_secs(2);
/// How many evaluations are kept for calls.
const MAX_SESSIONS: usize = 64;
/// How many nested templates may wait for libraries.
pub(crate) const MAX_WAITING: usize = 8;

/// Serves requests until the input ends. It has to be the first and only thing that a process does: before it reads a
/// byte, it gives up all rights that evaluation does not need, in the given layers. Input and output must be the
/// standard ones.
pub fn run_worker<I, O>(layers: &[Layer], input: I, output: O) -> std::io::Result<()>
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
{
    let sandbox = Sandbox::open(layers);
    let busy_since = Arc::new(AtomicU64::new(0));
    // Both threads report that they run, then wait until the sandbox is closed.
    let (running, runs) = channel();
    let (go_on, closed) = channel();
    let watch_running = running.clone();
    let watched = Arc::clone(&busy_since);
    std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
        drop(watch_running);
        // Ends at once if the sandbox could not be closed, because then nothing is evaluated either.
        if closed.recv().is_ok() {
            watch(&watched);
        }
    })?;
    let (begin, begun) = channel::<Vec<Outcome>>();
    let worker = std::thread::Builder::new().name("evaluation".to_owned()).stack_size(STACK).spawn(move || {
        drop::<Sender<()>>(running);
        let Ok(outcomes) = begun.recv() else { return Ok(()) };
        Worker {
            io: RefCell::new(Io { input, output }),
            sessions: RefCell::default(),
            portions: RefCell::default(),
            busy_since,
            requests: Cell::new(0),
            waiting: Cell::new(0),
            time: Cell::new(LONGEST),
            deadline: Cell::new(Instant::now()),
            loaded: LoadedModules::default(),
        }
        .serve(outcomes)
    })?;
    // Returns when both threads have dropped their ends.
    let _ = runs.recv();
    let outcomes = sandbox.close();
    let _ = go_on.send(());
    let _ = begin.send(outcomes);
    match worker.join() {
        Ok(result) => result,
        Err(_) => Err(std::io::Error::other("the worker panicked")),
    }
}

/// Ends the process when a request takes too long or when the server is gone, even in the middle of a computation,
/// which never looks at its input.
fn watch(busy_since: &AtomicU64) {
    // The number of the current request, and when it was first seen here.
    let mut seen = (0, Instant::now());
    loop {
        if lofting_sandbox::hung_up(LOOK) {
            std::thread::sleep(LINGER);
            std::process::exit(ENDED);
        }
        let request = busy_since.load(Ordering::Relaxed);
        if request != seen.0 {
            seen = (request, Instant::now());
        } else if request != 0 && seen.1.elapsed() > LONGEST {
            std::process::exit(TOOK_TOO_LONG);
        }
    }
}

struct Io<I, O> {
    input: I,
    output: O,
}

impl<I: BufRead, O: Write> Io<I, O> {
    /// The next message; None at the end of the input.
    fn receive(&mut self) -> std::io::Result<Option<ToWorker<'static>>> {
        wire::receive(&mut self.input, usize::MAX)?.map(|content| wire::parse(&content)).transpose()
    }

    fn send(&mut self, message: &FromWorker) -> std::io::Result<()> {
        wire::send(&mut self.output, message)
    }
}

/// Requests files and libraries from the server while a template runs.
struct Worker<I, O> {
    io: RefCell<Io<I, O>>,
    sessions: RefCell<Sessions>,
    /// What the server wants to be kept of long values.
    portions: RefCell<KeptPortions>,
    /// The number of the current request; 0 if there is none.
    busy_since: Arc<AtomicU64>,
    requests: Cell<u64>,
    /// Nested templates that wait for a library.
    waiting: Cell<usize>,
    /// How long a request may take, and when the current one has to end.
    time: Cell<Duration>,
    deadline: Cell<Instant>,
    loaded: LoadedModules,
}

/// The evaluations that are kept for calls.
#[derive(Default)]
struct Sessions {
    by_id: HashMap<u64, Rc<Session>>,
    order: VecDeque<u64>,
    last: u64,
}

impl Sessions {
    fn keep(&mut self, session: Session) -> EvaluationId {
        if self.order.len() >= MAX_SESSIONS
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_id.remove(&oldest);
        }
        self.last += 1;
        self.by_id.insert(self.last, Rc::new(session));
        self.order.push_back(self.last);
        EvaluationId(self.last)
    }

    fn release(&mut self, id: EvaluationId) {
        self.by_id.remove(&id.0);
        self.order.retain(|known| *known != id.0);
    }
}

impl<I: BufRead, O: Write> LibraryFiles for Worker<I, O> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        let answer = self.ask(&FromWorker::LookUp(question.clone()), &mut no_functions, |answer| match answer {
            ToWorker::Found(answer) => Ok(answer),
            other => Err(other),
        });
        answer.unwrap_or_else(|| question.nothing())
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        if self.waiting.get() >= MAX_WAITING {
            return Err(nested_too_deeply());
        }
        self.waiting.set(self.waiting.get() + 1);
        let answer = self.ask(&FromWorker::Run(Box::new(request.clone())), caller, |answer| match answer {
            ToWorker::Ran(answer) => Ok(*answer),
            other => Err(other),
        });
        self.waiting.set(self.waiting.get() - 1);
        answer.unwrap_or_else(|| Err(EvalError::new(EvalErrorKind::Unavailable, "the server does not answer")))
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        let question = FromWorker::Call { evaluation, calls: calls.to_vec() };
        let answer = self.ask(&question, &mut no_functions, |answer| match answer {
            ToWorker::CalledThere(answers) if answers.len() == calls.len() => Ok(answers),
            other => Err(other),
        });
        answer.unwrap_or_else(|| no_functions(calls))
    }
}

/// Refuses calls: only a template that waits for a library has functions to call.
fn no_functions(calls: &[Call]) -> Vec<Result<Data, EvalError>> {
    let unknown = EvalError::new(EvalErrorKind::Unavailable, "this function is not known; evaluate again");
    calls.iter().map(|_| Err(unknown.clone())).collect()
}

impl<I: BufRead, O: Write> Worker<I, O> {
    fn serve(self, outcomes: Vec<Outcome>) -> std::io::Result<()> {
        let ready = FromWorker::Ready { version: VERSION.to_owned(), confinement: confinement(outcomes) };
        self.io.borrow_mut().send(&ready)?;
        loop {
            let message = self.io.borrow_mut().receive()?;
            let Some(message) = message else { return Ok(()) };
            self.busy();
            self.waiting.set(0);
            let answer = self.answer(message);
            self.busy_since.store(0, Ordering::Relaxed);
            if let Some(answer) = answer {
                self.io.borrow_mut().send(&answer)?;
            }
        }
    }

    /// Restarts the watchdog's clock.
    fn busy(&self) {
        self.requests.set(self.requests.get() + 1);
        self.busy_since.store(self.requests.get(), Ordering::Relaxed);
    }

    /// Sends a request and does what the server asks for in the meantime: it may evaluate files of a library, and call
    /// functions of the waiting template through `caller`.
    fn ask<T>(
        &self,
        question: &FromWorker,
        caller: &mut Caller<'_>,
        accept: impl Fn(ToWorker<'static>) -> Result<T, ToWorker<'static>>,
    ) -> Option<T> {
        let (asked, deadline) = (Instant::now(), self.deadline.get());
        self.io.borrow_mut().send(question).ok()?;
        loop {
            let message = self.io.borrow_mut().receive().ok().flatten()?;
            self.busy();
            let reply = match accept(message) {
                Ok(answer) => {
                    // The time of the server is not that of the code.
                    self.deadline.set(deadline + asked.elapsed());
                    return Some(answer);
                }
                Err(ToWorker::Call { evaluation: EvaluationId::CALLER, shared, calls }) => {
                    let calls: Vec<Call> = calls.iter().map(|call| call.unshared(&shared)).collect();
                    Some(FromWorker::Called(caller(&calls)))
                }
                Err(other) => self.answer(other),
            };
            if let Some(reply) = reply {
                self.io.borrow_mut().send(&reply).ok()?;
            }
        }
    }

    fn answer(&self, message: ToWorker<'_>) -> Option<FromWorker> {
        self.deadline.set(Instant::now() + self.time.get());
        let stop = || Instant::now() >= self.deadline.get();
        match message {
            ToWorker::Evaluate(evaluation) => {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    evaluate_with(&evaluation, self, &self.loaded, Bounds::default(), Some(&stop))
                }));
                let (mut evaluated, session) = result
                    .unwrap_or_else(|_| (Evaluated { result: Err(panicked()), id: None, printed: Vec::new() }, None));
                evaluated.id = session.map(|session| self.sessions.borrow_mut().keep(session));
                Some(FromWorker::Evaluated(Box::new(evaluated)))
            }
            ToWorker::Call { evaluation, shared, calls } => {
                let session = self.sessions.borrow().by_id.get(&evaluation.0).cloned();
                let results = match session {
                    None => {
                        let gone = EvalError::new(EvalErrorKind::Unavailable, "this evaluation is no longer kept");
                        calls.iter().map(|_| Err(gone.clone())).collect()
                    }
                    Some(session) => {
                        let portions = self.portions.borrow();
                        catch_unwind(AssertUnwindSafe(|| session.call(&portions, &shared, &calls, Some(&stop))))
                            .unwrap_or_else(|_| calls.iter().map(|_| Err(panicked())).collect())
                    }
                };
                Some(FromWorker::Called(results))
            }
            ToWorker::Release(evaluation) => {
                self.sessions.borrow_mut().release(evaluation);
                None
            }
            ToWorker::Keep { forgotten, portions } => {
                let mut kept = self.portions.borrow_mut();
                forgotten.iter().for_each(|number| kept.forget(*number));
                // One that cannot be kept is missed by the call that needs it.
                let _ = catch_unwind(AssertUnwindSafe(|| portions.iter().for_each(|portion| kept.keep(portion))));
                None
            }
            ToWorker::Time(time) => {
                self.time.set(time.min(LONGEST));
                None
            }
            // An answer to a question that was not asked.
            ToWorker::Found(_) | ToWorker::Ran(_) | ToWorker::CalledThere(_) => None,
        }
    }
}

fn confinement(outcomes: Vec<Outcome>) -> Confinement {
    let mut confinement = Confinement::default();
    for Outcome { layer, missing } in outcomes {
        let name = layer.name().to_owned();
        match missing {
            None => confinement.holds.push(name),
            Some(why) => confinement.missing.push((name, why)),
        }
    }
    confinement
}

pub(crate) fn nested_too_deeply() -> EvalError {
    EvalError::new(EvalErrorKind::Limit, "libraries are nested too deeply to be evaluated")
}

pub(crate) fn panicked() -> EvalError {
    EvalError::new(EvalErrorKind::Limit, "evaluation was stopped: it needed too much memory")
}
