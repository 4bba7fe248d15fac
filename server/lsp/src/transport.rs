//! Serves one client over two byte streams: cuts and decodes messages, passes them to the router in their order, and
//! writes the answers.
//!
//! **Invariant:** nothing a client sends ends the connection except `exit` and the end of the stream.

mod frames;
mod message;

use std::io;
use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::Either;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::client::Client;
use crate::facade::Connection;
use crate::jsonrpc::{self, Error, ErrorCode, Id};
use crate::router::{Router, Server, Task};
use frames::{Frame, Frames};
use message::Message;

/// How long answers are still computed and written for a client that has stopped sending.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves until the client sends `exit`, closes one of the streams, or its process has ended.
pub(crate) async fn serve(input: impl AsyncRead, output: impl AsyncWrite, connection: Connection) {
    let Connection { router, client, mut questions, client_process, .. } = connection;
    // Unbounded: a client that first writes everything and then reads must not make both sides wait.
    let (out, queued) = unbounded_channel();
    let (tasks, waiting) = unbounded_channel();
    let to_client = out.clone();
    let ask = async move {
        while let Some(question) = questions.recv().await {
            let _ = to_client.send(question);
        }
    };
    let write = write(output, queued);
    let listen = listen(input, router, client, out.clone(), tasks);
    let (mut write, mut gone) = (pin!(write), pin!(client_process.ended()));
    {
        // A single task: its parts share the connection, and none of them computes anything.
        let talk = async move {
            let mut work = pin!(answer(waiting, out));
            let mut listen = pin!(listen);
            tokio::select! {
                () = &mut listen => {}
                () = &mut work => {}
            }
            let _ = tokio::time::timeout(FAREWELL, work).await;
        };
        // The questions end when the service has; that is not a reason to stop. They are looked at first: what was sent
        // before an answer, such as parts of it, is written before it.
        let talk = async move {
            match futures_util::future::select(pin!(ask), pin!(talk)).await {
                Either::Left(((), talk)) => talk.await,
                Either::Right(_) => {}
            }
        };
        tokio::select! {
            () = talk => {}
            error = &mut write => return tracing::debug!(?error, "the client no longer reads"),
            () = &mut gone => return tracing::warn!("the client's process has ended without a word"),
        }
    }
    // All senders are gone now, so this ends when everything is written.
    let _ = tokio::time::timeout(FAREWELL, write).await;
}

/// Reads messages, and lets them take effect in their order.
async fn listen(
    input: impl AsyncRead,
    router: Router<impl Server>,
    client: Client,
    out: UnboundedSender<String>,
    tasks: UnboundedSender<Task>,
) {
    let (mut input, mut frames) = (pin!(input), Frames::default());
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
                    let _ = out.send(jsonrpc::answer(&Id::from(id), Err(Error::new(code, why))));
                }
            }
        }
        match input.read_buf(frames.buffer()).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// Completes started tasks.
async fn answer(mut waiting: UnboundedReceiver<Task>, out: UnboundedSender<String>) {
    let mut running = FuturesUnordered::new();
    loop {
        tokio::select! {
            Some(task) = waiting.recv() => running.push(task),
            Some(message) = running.next() => drop(out.send(message)),
            else => return,
        }
    }
}

/// Writes messages until all are written, or the client stops reading.
async fn write(output: impl AsyncWrite, mut queued: UnboundedReceiver<String>) -> io::Result<()> {
    let mut output = pin!(output);
    while let Some(text) = queued.recv().await {
        output.write_all(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes()).await?;
        if queued.is_empty() {
            output.flush().await?;
        }
    }
    output.flush().await
}
