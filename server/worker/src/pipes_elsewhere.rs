//! The pipes of a worker, where a process cannot wait for a pipe for a limited time: one thread writes and one reads.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

use crate::process::Broken;
use crate::wire;

/// The two pipes to a worker.
pub(crate) struct Pipes {
    /// Bytes for the thread that writes: a worker that does not read keeps only that thread waiting.
    lines: Sender<Vec<u8>>,
    /// Hears of every message that was written.
    written: Receiver<()>,
    answers: Receiver<Vec<u8>>,
}

impl Pipes {
    /// # Errors
    ///
    /// The system starts no more threads.
    pub(crate) fn new(mut input: ChildStdin, output: ChildStdout, limit: usize) -> std::io::Result<Pipes> {
        let (sender, answers) = channel();
        std::thread::Builder::new().name("eval-worker-reader".to_owned()).spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(content)) = wire::receive(&mut output, limit) {
                if sender.send(content).is_err() {
                    return;
                }
            }
        })?;
        let (lines, next) = channel::<Vec<u8>>();
        let (done, written) = channel();
        std::thread::Builder::new().name("eval-worker-writer".to_owned()).spawn(move || {
            for line in next {
                if input.write_all(&line).and_then(|()| input.flush()).is_err() || done.send(()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Pipes { lines, written, answers })
    }

    /// Writes all bytes of a message.
    pub(crate) fn send(&mut self, message: Vec<u8>, deadline: Instant) -> Result<(), Broken> {
        self.lines.send(message).map_err(|_| Broken::Closed)?;
        self.written.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(broken)
    }

    /// The content of the next message. A message that is too long ends the pipe.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Result<Vec<u8>, Broken> {
        self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(broken)
    }
}

fn broken(error: RecvTimeoutError) -> Broken {
    match error {
        RecvTimeoutError::Disconnected => Broken::Closed,
        RecvTimeoutError::Timeout => Broken::Late,
    }
}
