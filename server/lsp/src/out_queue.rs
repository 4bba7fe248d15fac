//! The queue of what is written to the client, and the thread that writes it.
//!
//! A thread that has a message puts it here and goes on: a client that does not read keeps only the writing thread waiting.

use std::io::Write;
use std::sync::mpsc::{self, TryRecvError};

use tokio::sync::oneshot;

/// A message that is made when its turn comes, and nothing if it is no longer due.
type Letter = Box<dyn FnOnce() -> Vec<String> + Send>;

enum Piece {
    Text(String),
    Letter(Letter),
    /// Nothing more is written; the sender hears when everything before is.
    End(oneshot::Sender<()>),
}

/// Takes messages in their order; its copies are the same queue.
#[derive(Clone)]
pub(crate) struct Output(mpsc::Sender<Piece>);

/// The messages that wait to be written.
pub(crate) struct Queued(mpsc::Receiver<Piece>);

/// Makes the queue.
pub(crate) fn queue() -> (Output, Queued) {
    // Unbounded: a client that first writes everything and then reads must not make both sides wait.
    let (pieces, queued) = mpsc::channel();
    (Output(pieces), Queued(queued))
}

impl Output {
    /// Puts a message at the end. Nothing happens when the connection has ended.
    pub(crate) fn text(&self, message: String) {
        let _ = self.0.send(Piece::Text(message));
    }

    /// Puts messages at the end that are made when their turn comes.
    pub(crate) fn letter(&self, make: impl FnOnce() -> Vec<String> + Send + 'static) {
        let _ = self.0.send(Piece::Letter(Box::new(make)));
    }

    /// Returns when everything before is written, or can no longer be.
    pub(crate) async fn end(&self) {
        let (done, written) = oneshot::channel();
        let _ = self.0.send(Piece::End(done));
        let _ = written.await;
    }
}

impl Queued {
    /// Writes everything, until the end.
    ///
    /// # Errors
    ///
    /// The client no longer reads.
    pub(crate) fn write_to(self, mut output: impl Write) -> std::io::Result<()> {
        let mut next = self.0.recv().ok();
        while let Some(piece) = next {
            match piece {
                Piece::Text(text) => write(&mut output, &text)?,
                Piece::Letter(make) => make().iter().try_for_each(|text| write(&mut output, text))?,
                Piece::End(done) => {
                    output.flush()?;
                    let _ = done.send(());
                    return Ok(());
                }
            }
            next = match self.0.try_recv() {
                Ok(piece) => Some(piece),
                Err(TryRecvError::Disconnected) => None,
                Err(TryRecvError::Empty) => {
                    output.flush()?;
                    self.0.recv().ok()
                }
            };
        }
        output.flush()
    }

    /// The next message, made if its turn has come; None if nothing waits.
    #[cfg(test)]
    pub(crate) fn next(&self, patience: std::time::Duration) -> Option<String> {
        loop {
            match self.0.recv_timeout(patience).ok()? {
                Piece::Text(text) => return Some(text),
                Piece::Letter(make) => {
                    if let Some(text) = make().pop() {
                        return Some(text);
                    }
                }
                Piece::End(_) => return None,
            }
        }
    }
}

/// One call of the system for a message.
fn write(output: &mut impl Write, text: &str) -> std::io::Result<()> {
    output.write_all(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes())
}
