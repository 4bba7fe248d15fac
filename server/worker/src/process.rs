//! One worker process: its pipes, and why it ended.

use std::any::Any;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::launch::{Confinement, Launch};
use crate::wire::{FromWorker, ToWorker, VERSION};
use lofting_eval::{EvalError, EvalErrorKind};

/// How long a worker may take until its first message.
const START: Duration = Duration::from_secs(10);
/// How long a worker may take to exit once its output is closed.
const END: Duration = Duration::from_secs(2);

/// A running worker.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    pub(crate) confinement: Confinement,
    /// Ties the worker to this process; dropped after the worker's end.
    _held: Box<dyn Any + Send>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // The worker may be in a computation that never ends. An error means that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why there is no answer from a worker.
#[derive(Debug)]
pub(crate) enum End {
    /// It sent nothing in time.
    Silent,
    /// It ended itself, or the system ended it for what it did. The same request would end the next worker as well.
    Bounded(&'static str),
    /// Something else on the machine ended it.
    Killed,
}

impl Process {
    /// Starts a worker and reads its first message. `limit` is the size of one answer in bytes.
    pub(crate) fn start(launch: &dyn Launch, limit: usize) -> Result<Process, EvalError> {
        match Self::start_confined(launch, limit, true) {
            // A confinement that is too tight can end the worker before its first message.
            Ok(Err(_)) => Self::start_confined(launch, limit, false)?,
            other => other?,
        }
        .map_err(refused)
    }

    fn start_confined(launch: &dyn Launch, limit: usize, confined: bool) -> Result<Result<Process, String>, EvalError> {
        let mut command = launch.command(confined).map_err(refused)?;
        // Neither user code nor an escape from its sandbox sees the environment. What a dying worker prints is of no
        // use to anybody.
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
            Ok(_) => Err(refused("it does not report that it is ready")),
            Err(end) => Ok(Err(format!("it ended before it was ready ({end:?})"))),
        }
    }

    /// Sends a message. An error means that the worker no longer reads.
    pub(crate) fn send(&mut self, message: &ToWorker<'_>) -> Result<(), End> {
        let write = |input: &mut ChildStdin| {
            let mut line = serde_json::to_vec(message)?;
            line.push(b'\n');
            input.write_all(&line)?;
            input.flush()
        };
        write(&mut self.input).map_err(|_| self.end())
    }

    /// The next message of the worker.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Result<FromWorker, End> {
        match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| End::Bounded("its result is nested too deeply")),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
            Err(RecvTimeoutError::Timeout) => Err(End::Silent),
        }
    }

    /// Finds out why the worker ended.
    fn end(&mut self) -> End {
        let begin = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return read(status),
                // It closed its output but runs on. This happens after an answer that is too large.
                Ok(None) if begin.elapsed() > END => return End::Bounded("its result is too large"),
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(_) => return End::Killed,
            }
        }
    }
}

/// What ended a process: its own doing, or something else on the machine.
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

/// Exception codes have the two highest bits set: a failed allocation, a stack overflow.
#[cfg(not(unix))]
fn read(status: ExitStatus) -> End {
    match status.code() {
        Some(code) if code as u32 >= 0xC000_0000 => End::Bounded("it needed too much memory or depth"),
        _ => exited(status),
    }
}

/// A worker exits by itself only when its server is gone, or after a stop that looked to it as if it were.
fn exited(status: ExitStatus) -> End {
    match status.code() {
        Some(101) => End::Bounded("it needed too much memory or depth"),
        _ => End::Killed,
    }
}

fn refused(why: impl std::fmt::Display) -> EvalError {
    EvalError::new(EvalErrorKind::Refused, format!("the evaluation worker could not be started: {why}"))
}
