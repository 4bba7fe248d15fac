//! One worker process: its pipes, and how it ended.

use std::any::Any;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::launch::{Confinement, Launch};
use crate::wire::{FromWorker, ToWorker, VERSION};
use lofting_eval::{EvalError, EvalErrorKind};

/// How long a worker may take to its first word.
const START: Duration = Duration::from_secs(10);
/// How long a worker may take to end once its output has.
const END: Duration = Duration::from_secs(2);

/// A worker that runs.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    pub(crate) confinement: Confinement,
    /// Lets go after the end.
    _held: Box<dyn Any + Send>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // The worker may be deep in a computation that never ends. Errors mean that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum End {
    /// Nothing was said in time.
    Silent,
    /// It ended itself, or the system did so for what it did: asked again it would end again.
    Bounded(&'static str),
    /// Somebody or something else ended it.
    Killed,
}

impl Process {
    /// Starts a worker and hears its first word. `limit`: bytes of one answer.
    pub(crate) fn start(launch: &dyn Launch, limit: usize) -> Result<Process, EvalError> {
        match Self::start_confined(launch, limit, true) {
            // Started in a cage that is too tight it says nothing.
            Ok(Err(_)) => Self::start_confined(launch, limit, false)?,
            other => other?,
        }
        .map_err(refused)
    }

    fn start_confined(launch: &dyn Launch, limit: usize, confined: bool) -> Result<Result<Process, String>, EvalError> {
        let mut command = launch.command(confined).map_err(refused)?;
        // Code sees nothing of the environment, and neither does what it might break out into. What the worker says
        // when it dies helps nobody.
        command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(refused)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(refused("it has no pipes"));
        };
        let (sender, answers) = channel();
        let mut process = Process { child, input, answers, confinement: Confinement::default(), _held: Box::new(()) };
        process._held = launch.hold(&process.child).unwrap_or_else(|error| {
            process.confinement.missing.push(("end with the server".to_owned(), error.to_string()));
            Box::new(())
        });
        std::thread::Builder::new()
            .name("eval-worker-reader".to_owned())
            .spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = String::new();
                    let mut bounded = std::io::Read::take(&mut output, limit as u64);
                    match bounded.read_line(&mut line) {
                        Ok(1..) if line.ends_with('\n') && sender.send(line).is_ok() => {}
                        _ => return,
                    }
                }
            })
            .map_err(refused)?;
        match process.receive(Instant::now() + START) {
            Ok(FromWorker::Ready { version, confinement }) if version == VERSION => {
                process.confinement.holds.extend(confinement.holds);
                process.confinement.missing.extend(confinement.missing);
                launch.ready(&process.confinement);
                Ok(Ok(process))
            }
            Ok(FromWorker::Ready { .. }) => Err(refused("the program was replaced by another version: restart it")),
            Ok(_) => Err(refused("it does not say that it is ready")),
            Err(end) => Ok(Err(format!("it ended before it was ready ({end:?})"))),
        }
    }

    /// Says something. An error means that nobody listens any more.
    pub(crate) fn send(&mut self, message: &ToWorker<'_>) -> Result<(), End> {
        let write = |input: &mut ChildStdin| {
            let mut line = serde_json::to_vec(message)?;
            line.push(b'\n');
            input.write_all(&line)?;
            input.flush()
        };
        write(&mut self.input).map_err(|_| self.end())
    }

    /// The next answer.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Result<FromWorker, End> {
        match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| End::Bounded("its result is nested too deeply")),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
            Err(RecvTimeoutError::Timeout) => Err(End::Silent),
        }
    }

    /// Why it no longer speaks.
    fn end(&mut self) -> End {
        let begin = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return read(status),
                // It closed its output and goes on, as after an answer that is too large: that is no way to behave.
                Ok(None) if begin.elapsed() > END => return End::Bounded("it gave a result that is too large"),
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(_) => return End::Killed,
            }
        }
    }
}

/// What ended a process: its own doing, or somebody else's.
#[cfg(unix)]
fn read(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        // Aborted, or beyond its memory or stack: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
        Some(4..=8 | 11) => End::Bounded("it needed too much memory or depth"),
        Some(31) if cfg!(target_os = "linux") => End::Bounded("it tried something that is forbidden"),
        Some(_) => End::Killed,
        None => exited(status),
    }
}

/// Exceptions have the two highest bits: a failed allocation, a full stack.
#[cfg(not(unix))]
fn read(status: ExitStatus) -> End {
    match status.code() {
        Some(code) if code as u32 >= 0xC000_0000 => End::Bounded("it needed too much memory or depth"),
        _ => exited(status),
    }
}

/// The worker ends itself only without a server, or after a stop that looked like that.
fn exited(status: ExitStatus) -> End {
    match status.code() {
        Some(101) => End::Bounded("it needed too much memory or depth"),
        _ => End::Killed,
    }
}

fn refused(why: impl std::fmt::Display) -> EvalError {
    EvalError::new(EvalErrorKind::Refused, format!("the evaluation worker could not be started: {why}"))
}
