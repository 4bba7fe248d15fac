//! The evaluator within the current process: for one that is confined as a whole, and for tests.

use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_eval::{
    Batch, Call, Caller, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, FileAnswer,
    FileQuestion, LibraryAnswer, LibraryFiles, LibraryRequest,
};
use lofting_worker::{Limits, SlowTime, stopped_after};

use crate::worker::{MAX_WAITING, nested_too_deeply, panicked};
use crate::{Bounds, KeptPortions, LoadedModules, Session, evaluate_with};

/// How much longer than its time code may run before it counts as overdue: at each of its steps it is asked to end.
const GRACE: Duration = Duration::from_secs(1);

thread_local! {
    /// How many templates of this thread wait for libraries.
    static WAITING: Cell<usize> = const { Cell::new(0) };
    /// When the outermost evaluation of this thread has to end, with all libraries that it waits for.
    static UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Evaluates in this process, with the limits of a command. Whether the process may run code of a workspace is for its
/// owner to know.
///
/// Functions in values that a template passes to a library cannot be called: they belong to the waiting template, to
/// which only a worker can return.
pub struct InProcess {
    limits: Limits,
    sessions: Mutex<Sessions>,
    loaded: LoadedModules,
    slow: SlowTime,
    /// When code has to end that runs now, by the number of the evaluation or batch of calls.
    ends: Mutex<(u64, HashMap<u64, Instant>)>,
}

/// The evaluations whose functions can be called.
#[derive(Default)]
struct Sessions {
    last: u64,
    by_id: HashMap<u64, Arc<Session>>,
}

impl Default for InProcess {
    fn default() -> Self {
        InProcess {
            limits: Limits::OF_COMMANDS,
            sessions: Mutex::default(),
            loaded: LoadedModules::default(),
            slow: SlowTime::default(),
            ends: Mutex::default(),
        }
    }
}

impl InProcess {
    /// An evaluator with these limits, of which only those of time count.
    pub fn with_limits(limits: Limits) -> InProcess {
        InProcess { limits, ..InProcess::default() }
    }

    /// Whether code is still running that should have ended: an operation that cannot be interrupted. Only the end of
    /// the process stops it.
    pub fn is_overdue(&self) -> bool {
        let now = Instant::now();
        self.ends.lock().1.values().any(|end| *end + GRACE < now)
    }

    /// Runs code within the time for it, which `time` extends.
    fn timed<T>(&self, time: &Time<'_>, run: impl FnOnce() -> T) -> Result<T, EvalError> {
        let is_outer = WAITING.get() == 0;
        let begin = Instant::now();
        if is_outer {
            self.slow.is_left(&self.limits)?;
            UNTIL.set(Some(begin + self.limits.whole));
        }
        time.begins();
        let result = catch_unwind(AssertUnwindSafe(run));
        time.ends();
        if is_outer {
            self.slow.counts(begin.elapsed(), &self.limits);
        }
        result.map_err(|_| panicked())
    }

    /// The error of code that was interrupted by `time`.
    fn interrupted(&self, time: &Time<'_>, error: &EvalError) -> Option<EvalError> {
        let is_late = error.kind == EvalErrorKind::Interrupted && time.is_over();
        is_late.then(|| stopped_after(if is_all_over() { self.limits.whole } else { self.limits.time }))
    }
}

/// The time of one evaluation or one batch of calls.
struct Time<'e> {
    evaluator: &'e InProcess,
    number: u64,
    end: Cell<Instant>,
}

impl<'e> Time<'e> {
    fn of(evaluator: &'e InProcess) -> Time<'e> {
        let number = {
            let mut ends = evaluator.ends.lock();
            ends.0 += 1;
            ends.0
        };
        Time { evaluator, number, end: Cell::new(Instant::now() + evaluator.limits.time) }
    }

    /// It begins, or goes on.
    fn begins(&self) {
        self.evaluator.ends.lock().1.insert(self.number, self.end.get());
    }

    /// It ends, or waits.
    fn ends(&self) {
        self.evaluator.ends.lock().1.remove(&self.number);
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.end.get() || is_all_over()
    }

    /// Waits for something that takes no time of the code.
    fn waits<T>(&self, work: impl FnOnce() -> T) -> T {
        self.ends();
        let begin = Instant::now();
        let result = work();
        self.end.set(self.end.get() + begin.elapsed());
        self.begins();
        result
    }
}

/// Whether the time for the outermost evaluation of this thread is over.
fn is_all_over() -> bool {
    UNTIL.get().is_some_and(|until| Instant::now() >= until)
}

/// The files of an evaluation, whose time goes on only while its own code runs.
struct Timed<'f> {
    files: &'f dyn LibraryFiles,
    time: &'f Time<'f>,
}

impl LibraryFiles for Timed<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        self.time.waits(|| self.files.look_up(question))
    }

    fn is_wanted(&self) -> bool {
        self.files.is_wanted()
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        let waiting = WAITING.get();
        if waiting >= MAX_WAITING {
            return Err(nested_too_deeply());
        }
        WAITING.set(waiting + 1);
        let answer = self.time.waits(|| catch_unwind(AssertUnwindSafe(|| self.files.run(request, caller))));
        WAITING.set(waiting);
        answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        self.time.waits(|| self.files.call(evaluation, calls))
    }
}

impl Evaluator for InProcess {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let time = Time::of(self);
        let timed = Timed { files, time: &time };
        let stop = || time.is_over() || !files.is_wanted();
        let evaluated =
            self.timed(&time, || evaluate_with(evaluation, &timed, &self.loaded, Bounds::default(), Some(&stop)));
        let (mut evaluated, session) = match evaluated {
            Ok(evaluated) => evaluated,
            Err(error) => (Evaluated { result: Err(error), id: None, printed: Vec::new() }, None),
        };
        if let Some(late) = evaluated.result.as_ref().err().and_then(|error| self.interrupted(&time, error)) {
            evaluated.result = Err(late);
        }
        if let Some(session) = session {
            let mut sessions = self.sessions.lock();
            sessions.last += 1;
            let id = sessions.last;
            sessions.by_id.insert(id, Arc::new(session));
            evaluated.id = Some(EvaluationId(id));
        }
        evaluated
    }

    fn call_batch(&self, evaluation: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        let Batch { shared, calls, is_wanted } = *batch;
        let all = |error: EvalError| calls.iter().map(|_| Err(error.clone())).collect();
        let shared: Vec<Data> = shared.iter().map(Data::unfolded).collect();
        let unfolded: Vec<Call> = calls.iter().map(Call::unfolded).collect();
        let time = Time::of(self);
        let stop = || time.is_over() || !is_wanted();
        let session = self.sessions.lock().by_id.get(&evaluation.0).cloned();
        let Some(session) = session else {
            return all(EvalError::new(EvalErrorKind::Unavailable, "this evaluation is no longer kept"));
        };
        let call = || session.call(&KeptPortions::default(), &shared, &unfolded, Some(&stop));
        let answers = self.timed(&time, call).unwrap_or_else(all);
        let mut errors = answers.iter().filter_map(|answer| answer.as_ref().err());
        match errors.find_map(|error| self.interrupted(&time, error)) {
            Some(late) => all(late),
            None => answers,
        }
    }

    fn release(&self, evaluation: EvaluationId) {
        // A session is dropped after the lock is.
        let _session = self.sessions.lock().by_id.remove(&evaluation.0);
    }
}
