//! The worker process: reads requests from its input, evaluates, answers on its output, and keeps bounds on itself.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lofting_eval::wire::{FromWorker, ToWorker};
use lofting_eval::{EvalError, EvalErrorKind, Evaluated, EvaluationId, LibraryFile, LibraryFiles};

use crate::{Bounds, Session, evaluate};

/// Stack of the thread that evaluates: the parser behind us recurses as deep as [`crate::nesting`] allows.
const STACK: usize = 64 << 20;
/// Address space of the whole process, where the system can bound it.
#[cfg(unix)]
const ADDRESS_SPACE: u64 = 768 << 20;
/// A request that takes longer ends the process, should nobody be there any more to do it.
const LONGEST: Duration = Duration::from_secs(10);
/// How many evaluations are kept for calls.
const MAX_SESSIONS: usize = 64;

/// Serves until the input ends. Meant to be all that a process does: it bounds the memory of the whole process.
pub fn run_worker<I, O>(input: I, output: O) -> std::io::Result<()>
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
{
    #[cfg(unix)]
    {
        // Where it is not supported (macOS) the bounds inside the evaluator and the client's clock remain.
        let _ = rlimit::Resource::AS.set(ADDRESS_SPACE, ADDRESS_SPACE);
        let _ = rlimit::Resource::CORE.set(0, 0);
    }
    let busy_since = Arc::new(AtomicU64::new(0));
    watch(Arc::clone(&busy_since))?;
    let worker = std::thread::Builder::new().name("evaluation".to_owned()).stack_size(STACK).spawn(move || {
        Worker {
            io: Pipes(RefCell::new(Io { input, output })),
            sessions: HashMap::new(),
            order: VecDeque::new(),
            next: 0,
        }
        .serve(&busy_since)
    })?;
    match worker.join() {
        Ok(result) => result,
        Err(_) => Err(std::io::Error::other("the worker panicked")),
    }
}

/// Ends the process when one request takes too long.
fn watch(busy_since: Arc<AtomicU64>) -> std::io::Result<()> {
    let start = Instant::now();
    std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(500));
            // The number of the request, and when it was first seen here.
            let request = busy_since.load(Ordering::Relaxed);
            if request == 0 {
                continue;
            }
            let seen = start.elapsed();
            while busy_since.load(Ordering::Relaxed) == request {
                if start.elapsed().saturating_sub(seen) > LONGEST {
                    std::process::exit(3);
                }
                std::thread::sleep(Duration::from_millis(500));
            }
        }
    })?;
    Ok(())
}

struct Io<I, O> {
    input: I,
    output: O,
}

impl<I: BufRead, O: Write> Io<I, O> {
    /// The next message; None at the end of the input.
    fn receive(&mut self) -> std::io::Result<Option<ToWorker>> {
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(serde_json::from_str(&line)?))
    }

    fn send(&mut self, message: &FromWorker) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.output.write_all(&line)?;
        self.output.flush()
    }
}

struct Worker<I, O> {
    io: Pipes<I, O>,
    sessions: HashMap<u64, Session>,
    order: VecDeque<u64>,
    next: u64,
}

/// The pipes, shared by the loop and the files it asks the server for.
struct Pipes<I, O>(RefCell<Io<I, O>>);

impl<I: BufRead, O: Write> LibraryFiles for Pipes<I, O> {
    fn library(&self, path: &str) -> LibraryFile {
        match ask(&self.0, &FromWorker::Library(path.to_owned())) {
            Some(ToWorker::Library(file)) => file,
            _ => LibraryFile::Missing,
        }
    }

    fn read(&self, path: &str) -> Option<String> {
        match ask(&self.0, &FromWorker::Read(path.to_owned())) {
            Some(ToWorker::Read(text)) => text,
            _ => None,
        }
    }

    fn list(&self, path: &str) -> Vec<String> {
        match ask(&self.0, &FromWorker::List(path.to_owned())) {
            Some(ToWorker::List(paths)) => paths,
            _ => Vec::new(),
        }
    }
}

fn ask<I: BufRead, O: Write>(io: &RefCell<Io<I, O>>, question: &FromWorker) -> Option<ToWorker> {
    let mut io = io.borrow_mut();
    io.send(question).ok()?;
    io.receive().ok().flatten()
}

impl<I: BufRead, O: Write> Worker<I, O> {
    fn serve(mut self, busy_since: &AtomicU64) -> std::io::Result<()> {
        let mut requests = 0;
        loop {
            let message = self.io.0.borrow_mut().receive()?;
            let Some(message) = message else { return Ok(()) };
            requests += 1;
            busy_since.store(requests, Ordering::Relaxed);
            let answer = self.answer(message);
            busy_since.store(0, Ordering::Relaxed);
            if let Some(answer) = answer {
                self.io.0.borrow_mut().send(&answer)?;
            }
        }
    }

    fn answer(&mut self, message: ToWorker) -> Option<FromWorker> {
        match message {
            ToWorker::Evaluate(evaluation) => {
                let result = catch_unwind(AssertUnwindSafe(|| evaluate(&evaluation, &self.io, Bounds::default())));
                let (mut evaluated, session) = result
                    .unwrap_or_else(|_| (Evaluated { result: Err(panicked()), id: None, printed: Vec::new() }, None));
                evaluated.id = session.map(|session| self.keep(session));
                Some(FromWorker::Evaluated(Box::new(evaluated)))
            }
            ToWorker::Call { evaluation, calls } => {
                let results = match self.sessions.get(&evaluation.0) {
                    None => {
                        let gone = EvalError::new(EvalErrorKind::Unavailable, "this evaluation is no longer kept");
                        calls.iter().map(|_| Err(gone.clone())).collect()
                    }
                    Some(session) => catch_unwind(AssertUnwindSafe(|| session.call(&calls)))
                        .unwrap_or_else(|_| calls.iter().map(|_| Err(panicked())).collect()),
                };
                Some(FromWorker::Called(results))
            }
            ToWorker::Release(evaluation) => {
                self.sessions.remove(&evaluation.0);
                self.order.retain(|id| *id != evaluation.0);
                None
            }
            // Answers without a question.
            ToWorker::Library(_) | ToWorker::Read(_) | ToWorker::List(_) => None,
        }
    }

    fn keep(&mut self, session: Session) -> EvaluationId {
        if self.order.len() >= MAX_SESSIONS
            && let Some(oldest) = self.order.pop_front()
        {
            self.sessions.remove(&oldest);
        }
        self.next += 1;
        self.sessions.insert(self.next, session);
        self.order.push_back(self.next);
        EvaluationId(self.next)
    }
}

fn panicked() -> EvalError {
    EvalError::new(EvalErrorKind::Limit, "evaluation was stopped: it needed too much memory")
}
