//! Serves one client over two byte streams: cuts and decodes messages, passes them to the service in their order, and
//! writes its answers.
//!
//! `tower-lsp-server` has its own transport, which ends at the first message it cannot decode, and which reads no
//! cancellations while it handles its maximum number of requests.
//!
//! **Invariant:** nothing a client sends ends the connection except `exit` and the end of the stream.

mod frames;
mod message;

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::Either;
use futures_util::stream::FuturesUnordered;
use futures_util::{SinkExt, StreamExt, poll};
use serde::Serialize;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp_server::{ClientSocket, LspService};
use tower_service::Service;

use crate::answers::Answers;
use crate::facade::Facade;
use frames::{Frame, Frames};
use message::Message;

/// How long answers are still computed and written for a client that has stopped sending.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves until the client sends `exit`, closes one of the streams, or `gone` is ready.
pub(crate) async fn serve(
    input: impl AsyncRead,
    output: impl AsyncWrite,
    service: LspService<Facade>,
    socket: ClientSocket,
    answers: Answers,
    gone: impl Future<Output = ()>,
) {
    let (mut questions, replies) = socket.split();
    // Unbounded: a client that first writes everything and then reads must not make both sides wait.
    let (queue, queued) = unbounded_channel();
    let out = Out { queue, answers };
    let (tasks, waiting) = unbounded_channel();
    let to_client = out.clone();
    let ask = async move {
        while let Some(question) = questions.next().await {
            to_client.put(&question);
        }
    };
    let write = write(output, queued);
    let listen = listen(input, service, replies, out.clone(), tasks);
    let (mut write, mut gone) = (pin!(write), pin!(gone));
    {
        // A single task, so that any progress wakes all of it: a service that is not ready does not signal when it is.
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

type Task = <LspService<Facade> as Service<Request>>::Future;

/// Reads messages and starts their handlers, in their order.
async fn listen(
    input: impl AsyncRead,
    mut service: LspService<Facade>,
    mut replies: impl futures_util::Sink<Response> + Unpin,
    out: Out,
    tasks: UnboundedSender<Task>,
) {
    let (mut input, mut frames) = (pin!(input), Frames::default());
    loop {
        while let Some(frame) = frames.next() {
            let message = match frame {
                Frame::Body(body) => message::decode(&body),
                Frame::Broken(why) => {
                    Message::Undecodable { id: Value::Null, code: message::PARSE_ERROR, why: why.to_owned() }
                }
            };
            match message {
                Message::Call { id, method, params } => {
                    if poll_fn(|context| service.poll_ready(context)).await.is_err() {
                        return;
                    }
                    let is_exit = method == "exit";
                    let mut task = service.call(request(id, method, params));
                    // Started immediately: messages take effect in their order.
                    match poll!(&mut task) {
                        std::task::Poll::Ready(result) => out.answered(result),
                        std::task::Poll::Pending => drop(tasks.send(task)),
                    }
                    if is_exit {
                        return;
                    }
                }
                Message::Answer { id, result } => {
                    let result = result
                        .map_err(|error| serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error()));
                    let _ = replies.send(Response::from_parts(as_id(id), result)).await;
                }
                Message::Undecodable { id, code, why } => {
                    tracing::warn!(%id, why, "a message could not be decoded");
                    let error = Error { code: ErrorCode::from(code), message: why.into(), data: None };
                    out.put(&Response::from_error(as_id(id), error));
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
async fn answer(mut waiting: UnboundedReceiver<Task>, out: Out) {
    let mut running = FuturesUnordered::new();
    loop {
        tokio::select! {
            Some(task) = waiting.recv() => running.push(task),
            Some(result) = running.next() => out.answered(result),
            else => return,
        }
    }
}

/// Where messages go that are ready to be written.
#[derive(Clone)]
struct Out {
    queue: UnboundedSender<String>,
    /// What the numbers that the service returns stand for.
    answers: Answers,
}

impl Out {
    fn answered<E>(&self, result: Result<Option<Response>, E>) {
        if let Ok(Some(response)) = result {
            self.send(self.answers.message(response));
        }
    }

    fn put(&self, message: &impl Serialize) {
        self.send(serde_json::to_string(message));
    }

    fn send(&self, message: serde_json::Result<String>) {
        match message {
            Ok(text) => drop(self.queue.send(text)),
            Err(error) => tracing::error!(%error, "a message could not be encoded"),
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

fn request(id: Option<Value>, method: String, params: Option<Value>) -> Request {
    let mut request = Request::build(method);
    if let Some(id) = id {
        request = request.id(as_id(id));
    }
    if let Some(params) = params {
        request = request.params(params);
    }
    request.finish()
}

fn as_id(value: Value) -> Id {
    match value {
        Value::String(text) => Id::String(text),
        value => value.as_i64().map_or(Id::Null, Id::Number),
    }
}
