//! Serves one client over two byte streams: cuts and decodes messages, passes them to the router in their order, and
//! writes the answers.
//!
//! Each stream has a thread of its own, which talks to the session's without a detour: a key takes the way of as few threads
//! as possible, because waking one takes longer than checking a line. Only what waits for an answer is a task of the runtime.
//!
//! **Invariant:** nothing a client sends ends the connection except `exit` and the end of the stream.

mod frames;
mod message;

use std::io::{ErrorKind, Read, Write};
use std::pin::pin;
use std::thread;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use crate::client::Client;
use crate::facade::Connection;
use crate::jsonrpc::{self, Error, ErrorCode, Id};
use crate::out_queue::Output;
use crate::router::{Router, Server, Task};
use frames::{Frame, Frames};
use message::Message;

/// How long answers are still computed and written for a client that has stopped sending.
const FAREWELL: Duration = Duration::from_secs(5);

/// How many bytes are read at a time: as many as a pipe holds.
const PIECE: usize = 64 << 10;

/// Serves until the client sends `exit`, closes one of the streams, or its process has ended.
///
/// # Errors
///
/// There is no thread for one of the streams.
pub(crate) async fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    connection: Connection,
) -> std::io::Result<()> {
    let Connection { router, client, out, queued, client_process, .. } = connection;
    let (tasks, waiting) = unbounded_channel();
    let (broke, broken) = oneshot::channel();
    let write = move || {
        if let Err(error) = queued.write_to(output) {
            let _ = broke.send(error);
        }
    };
    thread::Builder::new().name("output".to_owned()).spawn(write)?;
    // Dropped at the end of the input.
    let (listens, left) = oneshot::channel::<()>();
    let listening = out.clone();
    let listen = move || {
        listen(input, &router, &client, &listening, &tasks);
        drop(listens);
    };
    thread::Builder::new().name("input".to_owned()).spawn(listen)?;
    let mut work = pin!(answer(waiting, out.clone()));
    // The work ends only after the input has.
    let mut is_done = false;
    tokio::select! {
        _ = left => {}
        () = &mut work => is_done = true,
        Ok(error) = broken => {
            tracing::debug!(%error, "the client no longer reads");
            return Ok(());
        }
        () = client_process.ended() => {
            tracing::warn!("the client's process has ended without a word");
            return Ok(());
        }
    }
    if !is_done {
        let _ = tokio::time::timeout(FAREWELL, work).await;
    }
    let _ = tokio::time::timeout(FAREWELL, out.end()).await;
    Ok(())
}

/// Reads messages, and lets them take effect in their order.
fn listen(
    mut input: impl Read,
    router: &Router<impl Server>,
    client: &Client,
    out: &Output,
    tasks: &UnboundedSender<Task>,
) {
    let (mut frames, mut piece) = (Frames::default(), vec![0; PIECE]);
    loop {
        while let Some(frame) = frames.next() {
            let message = match frame {
                Frame::Body(body) => message::decode(&body),
                Frame::Broken(why) => {
                    Message::Undecodable { id: Value::Null, code: ErrorCode::PARSE_ERROR, why: why.to_owned() }
                }
            };
            match message {
                Message::Call { method, .. } if method == "exit" => return router.cancel_all(),
                Message::Call { id, method, params } => {
                    if let Some(task) = router.call(id.map(Id::from), &method, params) {
                        let _ = tasks.send(task);
                    }
                }
                Message::Answer { id, result } => {
                    let error = |error| serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error());
                    client.answered(&Id::from(id), result.map_err(error));
                }
                Message::Undecodable { id, code, why } => {
                    tracing::warn!(%id, why, "a message could not be decoded");
                    out.text(jsonrpc::answer(&Id::from(id), Err(Error::new(code, why))));
                }
            }
        }
        match input.read(&mut piece) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
            Ok(count) => frames.buffer().extend_from_slice(piece.get(..count).unwrap_or_default()),
        }
    }
}

/// Completes started tasks.
async fn answer(mut waiting: UnboundedReceiver<Task>, out: Output) {
    let mut running = FuturesUnordered::new();
    loop {
        tokio::select! {
            Some(task) = waiting.recv() => running.push(task),
            Some(message) = running.next() => out.text(message),
            else => return,
        }
    }
}
