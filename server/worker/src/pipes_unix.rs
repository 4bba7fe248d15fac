//! The pipes of a worker, where a process can wait for a pipe for a limited time: the thread that has something to say
//! writes it, and reads the answer, and no other thread has to be woken.

use std::io::{ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::process::Broken;
use crate::wire;

/// How much is read at once, in bytes. A pipe holds as much.
const PIECE: usize = 64 * 1024;

/// The two pipes to a worker.
pub(crate) struct Pipes {
    input: ChildStdin,
    output: ChildStdout,
    /// The longest message of the worker, in bytes.
    limit: usize,
    /// What was read beyond the last message.
    read: Vec<u8>,
    /// Where a piece is read to. It is kept, as most messages are much shorter than a piece, which costs more to clear.
    piece: Vec<u8>,
}

impl Pipes {
    /// # Errors
    ///
    /// The system cannot make writing return when a pipe is full.
    pub(crate) fn new(input: ChildStdin, output: ChildStdout, limit: usize) -> std::io::Result<Pipes> {
        // Only this end: the worker may wait for what it reads.
        rustix::io::ioctl_fionbio(&input, true)?;
        Ok(Pipes { input, output, limit, read: Vec::new(), piece: vec![0; PIECE] })
    }

    /// Writes all bytes of a message.
    pub(crate) fn send(&mut self, message: Vec<u8>, deadline: Instant) -> Result<(), Broken> {
        let mut rest = message.as_slice();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(&mut [PollFd::new(&self.input, PollFlags::OUT)], deadline)?;
                }
                Err(_) => return Err(Broken::Closed),
            }
        }
        Ok(())
    }

    /// The content of the next message.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Result<Vec<u8>, Broken> {
        loop {
            if let Some(length) = wire::length(&self.read) {
                if length > self.limit {
                    return Err(Broken::TooLong);
                }
                if self.read.len() - wire::HEAD >= length {
                    let rest = self.read.split_off(wire::HEAD + length);
                    let mut message = std::mem::replace(&mut self.read, rest);
                    message.drain(..wire::HEAD);
                    return Ok(message);
                }
            }
            wait(&mut [PollFd::new(&self.output, PollFlags::IN)], deadline)?;
            // The buffer grows with what arrives: a length alone reserves nothing.
            match self.output.read(&mut self.piece) {
                Ok(0) => return Err(Broken::Closed),
                Ok(length) => self.read.extend_from_slice(self.piece.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Broken::Closed),
            }
        }
    }
}

/// Waits until a pipe is ready, or its other end is closed.
fn wait(pipe: &mut [PollFd<'_>], deadline: Instant) -> Result<(), Broken> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(|_| Broken::Late)?;
        match poll(pipe, Some(&timeout)) {
            Ok(0) => return Err(Broken::Late),
            Ok(_) => return Ok(()),
            // A signal, after which the rest of the time is waited for.
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Err(Broken::Closed),
        }
    }
}
