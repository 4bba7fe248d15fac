//! One worker process: its pipes, and why it ended.

use std::any::Any;
use std::fmt;
use std::io::Read;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use crate::exit;
use crate::launch::{Confinement, Launch, spawn};
use crate::pipes::Pipes;
use crate::wire::{self, FromWorker, ToWorker, VERSION};
use lofting_eval::{EvalError, EvalErrorKind};

/// How long a worker may take until its first message.
const START: Duration = Duration::from_secs(10);
/// How long a worker may take to exit once its output is closed.
const END: Duration = Duration::from_secs(2);
/// How many bytes of a dead worker's error output are read.
const LAST_WORDS: u64 = 4096;

/// A running worker.
pub(crate) struct Process {
    child: Child,
    pipes: Pipes,
    pub(crate) confinement: Confinement,
    /// Ties the worker to this process; dropped after the worker's end.
    _held: Box<dyn Any + Send>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be in a computation that never ends.
        self.kill();
        let _ = self.child.wait();
    }
}

/// Why a message was not sent or received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The worker has closed its end.
    Closed,
    /// It did not read or write in time.
    Late,
    /// It writes more than it may.
    #[cfg_attr(not(unix), expect(dead_code, reason = "the thread that reads closes the pipe"))]
    TooLong,
}

/// Why there is no answer from a worker.
#[derive(Debug)]
pub(crate) enum End {
    /// It sent nothing in time.
    Silent,
    /// It ended itself, or the system ended it for what it did. The same request would end the next worker as well.
    Bounded(Bound),
    /// What it sent is not a message.
    Confused,
    /// Something else on the machine ended it, with this signal if that is known.
    Killed(Option<i32>),
}

/// What a worker did for which it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// A request is too large to be sent to it.
    Input,
    /// An answer of it is.
    Result,
    /// It wanted more memory.
    Memory,
    /// It went too deep.
    Stack,
    /// It computed for too long.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there is no such limit"))]
    Time,
    /// It made a system call that nothing makes by accident.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there is no filter of system calls"))]
    Forbidden,
    /// It crashed. Code is not to be able to do this, so it is a mistake of ours.
    Crash(Crash),
}

/// What a crash left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crash {
    /// The signal that ended it.
    #[cfg(unix)]
    Signal(i32),
    /// The exception that ended it.
    #[cfg(not(unix))]
    Exception(i32),
    /// The code that it ended with.
    Code(i32),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Silent => f.write_str("it sent nothing in time"),
            End::Bounded(bound) => bound.fmt(f),
            End::Confused => f.write_str("what it sent is not a message"),
            End::Killed(None) => f.write_str("something else ended it"),
            End::Killed(Some(signal)) => write!(f, "something else ended it with signal {signal}"),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Input => "it cannot be given its input",
            Bound::Result => "its result is too large",
            Bound::Memory => "it needed more memory than a worker may have",
            Bound::Stack => "it was nested too deeply for the stack of a worker",
            Bound::Time => "it used more processor time than a worker may have",
            Bound::Forbidden => "it tried something that is forbidden",
            Bound::Crash(crash) => {
                return write!(
                    f,
                    "the evaluation worker crashed ({crash}), which is a defect of Lofting; please report it"
                );
            }
        })
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(unix)]
            Crash::Signal(signal) => write!(f, "signal {signal}"),
            #[cfg(not(unix))]
            Crash::Exception(code) => write!(f, "exception {code:#x}"),
            Crash::Code(code) => write!(f, "exit code {code}"),
        }
    }
}

impl std::error::Error for End {}

impl Process {
    /// Starts a worker and reads its first message. `limit` is the size of one answer in bytes; `begun` is a worker that
    /// was started already.
    pub(crate) fn start(launch: &dyn Launch, limit: usize, begun: Option<Process>) -> Result<Process, EvalError> {
        let first = match begun {
            Some(begun) => begun,
            None => Self::begin(launch, limit, true)?,
        };
        match first.ready(launch)? {
            Ok(ready) => Ok(ready),
            // A confinement that is too tight can end the worker before its first message.
            Err(_) => {
                let begun = Self::begin(launch, limit, false)?.ready(launch)?;
                begun.map_err(|end| refused(format_args!("it ended before it was ready: {end}")))
            }
        }
    }

    /// Starts a worker, and does not wait for it.
    pub(crate) fn begin(launch: &dyn Launch, limit: usize, confined: bool) -> Result<Process, EvalError> {
        let ahead = if confined { launch.ahead() } else { None };
        let child = ahead.map_or_else(|| launch.command(confined).and_then(spawn), Ok).map_err(refused)?;
        Self::of(child, launch, limit)
    }

    /// A worker whose process was [started](spawn).
    pub(crate) fn of(mut child: Child, launch: &dyn Launch, limit: usize) -> Result<Process, EvalError> {
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(refused("it has no pipes"));
        };
        let pipes = Pipes::new(input, output, limit).map_err(refused)?;
        let mut process = Process { child, pipes, confinement: Confinement::default(), _held: Box::new(()) };
        process._held = launch.hold(&process.child).unwrap_or_else(|error| {
            process.confinement.missing.push(("end with the server".to_owned(), error.to_string()));
            Box::new(())
        });
        Ok(process)
    }

    /// Waits for the first message, or for the end without any.
    fn ready(mut self, launch: &dyn Launch) -> Result<Result<Process, End>, EvalError> {
        match self.receive(Instant::now() + START) {
            Ok(FromWorker::Ready { version, confinement }) if version == VERSION => {
                self.confinement.holds.extend(confinement.holds);
                self.confinement.missing.extend(confinement.missing);
                launch.ready(&self.confinement);
                Ok(Ok(self))
            }
            Ok(FromWorker::Ready { .. }) => Err(refused("the program was replaced by another version: restart it")),
            Ok(_) => Err(refused("it does not report that it is ready")),
            Err(end) => Ok(Err(end)),
        }
    }

    /// Kills the worker, and does not wait for its end.
    pub(crate) fn kill(&mut self) {
        // An error means that it is gone already.
        let _ = self.child.kill();
    }

    /// Sends a message. An error means that the worker no longer reads, or did not in time.
    pub(crate) fn send(&mut self, message: &ToWorker<'_>, deadline: Instant) -> Result<(), End> {
        let mut line = Vec::new();
        if wire::send(&mut line, message).is_err() {
            return Err(End::Bounded(Bound::Input));
        }
        self.pipes.send(line, deadline).map_err(|broken| self.broken(broken))
    }

    /// The next message of the worker.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Result<FromWorker, End> {
        self.receive_until(deadline)?.ok_or(End::Silent)
    }

    /// The next message of the worker; None if there is none by this time.
    pub(crate) fn receive_until(&mut self, time: Instant) -> Result<Option<FromWorker>, End> {
        match self.pipes.receive(time) {
            Ok(content) => wire::parse(&content).map(Some).map_err(|_| End::Confused),
            Err(Broken::Late) => Ok(None),
            Err(broken) => Err(self.broken(broken)),
        }
    }

    fn broken(&mut self, broken: Broken) -> End {
        match broken {
            Broken::Closed => self.end(),
            Broken::Late => End::Silent,
            Broken::TooLong => too_large(),
        }
    }

    /// Finds out why the worker ended.
    fn end(&mut self) -> End {
        let begin = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return ended(status, &self.last_words()),
                // It closed its output but runs on; where a thread reads, this happens after an answer that is too large.
                Ok(None) if begin.elapsed() > END => return too_large(),
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(_) => return End::Killed(None),
            }
        }
    }

    /// What the worker wrote last, now that it has ended. Only known phrases are looked for, as it is not trusted.
    fn last_words(&mut self) -> String {
        let mut words = Vec::new();
        if let Some(errors) = self.child.stderr.take() {
            let _ = errors.take(LAST_WORDS).read_to_end(&mut words);
        }
        String::from_utf8_lossy(&words).into_owned()
    }
}

fn too_large() -> End {
    End::Bounded(Bound::Result)
}

/// Why a process ended.
fn ended(status: ExitStatus, last_words: &str) -> End {
    // The words of Rust's runtime.
    if last_words.contains("memory allocation of") {
        return End::Bounded(Bound::Memory);
    }
    if last_words.contains("overflowed its stack") {
        return End::Bounded(Bound::Stack);
    }
    by_status(status)
}

#[cfg(unix)]
fn by_status(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        // Beyond its memory, where the runtime could say no more: SIGABRT, SIGBUS.
        Some(signal @ (4..=8 | 11)) => crashed(Crash::Signal(signal)),
        Some(24) => End::Bounded(Bound::Time),
        Some(31) if cfg!(target_os = "linux") => End::Bounded(Bound::Forbidden),
        Some(signal) => End::Killed(Some(signal)),
        None => by_code(status),
    }
}

/// Exception codes have the two highest bits set: a failed allocation, a stack overflow.
#[cfg(not(unix))]
fn by_status(status: ExitStatus) -> End {
    match status.code() {
        Some(code) if code as u32 >= 0xC000_0000 => crashed(Crash::Exception(code)),
        _ => by_code(status),
    }
}

fn by_code(status: ExitStatus) -> End {
    match status.code() {
        // After a stop that looked to it as if its server were gone.
        None | Some(exit::LEFT_ALONE | 0) => End::Killed(None),
        Some(exit::TOOK_TOO_LONG) => End::Silent,
        Some(code) => crashed(Crash::Code(code)),
    }
}

fn crashed(crash: Crash) -> End {
    End::Bounded(Bound::Crash(crash))
}

fn refused(why: impl fmt::Display) -> EvalError {
    EvalError::new(EvalErrorKind::Refused, format!("the evaluation worker could not be started: {why}"))
}
