//! The client, as the server calls it: notifications, and requests with their answers.
//!
//! **Invariant:** before `initialize` was answered, only messages to the user are sent.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use gen_lsp_types::{Notification, Request};
use parking_lot::Mutex;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::jsonrpc::{Error, ErrorCode, Id, Result};
use crate::lifecycle::Lifecycle;

/// What the protocol allows before `initialize` is answered.
const EARLY: [&str; 2] = ["window/showMessage", "window/logMessage"];

/// The server's end; its copies are the same client.
#[derive(Clone)]
pub(crate) struct Client(Arc<Inner>);

struct Inner {
    /// The transport takes one message after the other.
    messages: mpsc::Sender<String>,
    lifecycle: Lifecycle,
    last: AtomicI64,
    waiting: Mutex<HashMap<i64, oneshot::Sender<Result<Value>>>>,
}

/// Makes a client, and the end from which the transport takes what is for it.
pub(crate) fn channel(lifecycle: Lifecycle) -> (Client, mpsc::Receiver<String>) {
    let (messages, taken) = mpsc::channel(1);
    let inner = Inner { messages, lifecycle, last: AtomicI64::new(0), waiting: Mutex::default() };
    (Client(Arc::new(inner)), taken)
}

impl Client {
    /// Tells it something.
    pub(crate) async fn tell<N: Notification>(&self, params: N::Params) {
        let method = N::METHOD.as_str();
        if self.0.lifecycle.has_begun() || EARLY.contains(&method) {
            let _ = self.put(&format!(r#""method":"{method}""#), &params).await;
        }
    }

    /// Asks it something.
    pub(crate) async fn ask<R: Request>(&self, params: R::Params) -> Result<R::Result> {
        if !self.0.lifecycle.has_begun() {
            return Err(Error::new(ErrorCode::SERVER_NOT_INITIALIZED, "the connection has not begun"));
        }
        let number = self.0.last.fetch_add(1, Ordering::Relaxed);
        let (answered, answer) = oneshot::channel();
        self.0.waiting.lock().insert(number, answered);
        let question = format!(r#""id":{number},"method":"{}""#, R::METHOD.as_str());
        if self.put(&question, &params).await.is_err() {
            self.0.waiting.lock().remove(&number);
            return Err(Error::internal_error());
        }
        let result = answer.await.unwrap_or_else(|_| Err(Error::internal_error()))?;
        serde_json::from_value(result).map_err(|error| Error::new(ErrorCode::INVALID_REQUEST, error.to_string()))
    }

    /// Passes on its answer to a question.
    pub(crate) fn answered(&self, id: &Id, result: Result<Value>) {
        let waiting = match id {
            Id::Number(number) => self.0.waiting.lock().remove(number),
            _ => None,
        };
        match waiting {
            // The task that asked may have ended.
            Some(waiting) => drop(waiting.send(result)),
            None => tracing::warn!(?id, "the client answered a question that was not asked"),
        }
    }

    /// Sends a message with these members and parameters. The error is that the connection has ended.
    async fn put(&self, members: &str, params: &impl Serialize) -> std::result::Result<(), ()> {
        let params = serde_json::to_string(params).map_err(|error| tracing::error!(%error, "a message has no JSON"))?;
        // Null stands for none, and the protocol wants the member left out then.
        let message = match params.as_str() {
            "null" => format!(r#"{{"jsonrpc":"2.0",{members}}}"#),
            params => format!(r#"{{"jsonrpc":"2.0",{members},"params":{params}}}"#),
        };
        self.0.messages.send(message).await.map_err(|_| tracing::debug!("the connection has ended"))
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{
        CodeLensRefreshRequest, LogMessageNotification, LogMessageParams, MessageType, ProgressNotification,
        ProgressParams, ProgressToken,
    };
    use serde_json::{Value, json};
    use tokio::sync::mpsc::Receiver;

    use super::channel;
    use crate::jsonrpc::{ErrorCode, Id};
    use crate::lifecycle::{Lifecycle, Phase};

    async fn next(taken: &mut Receiver<String>) -> Value {
        serde_json::from_str(&taken.recv().await.expect("a message")).expect("JSON")
    }

    #[tokio::test]
    async fn only_messages_to_the_user_come_before_the_beginning_and_answers_find_their_questions() {
        let lifecycle = Lifecycle::default();
        let (client, mut taken) = channel(lifecycle.clone());
        let refused = client.ask::<CodeLensRefreshRequest>(()).await.expect_err("too early");
        assert_eq!(refused.code, ErrorCode::SERVER_NOT_INITIALIZED);
        let progress = || ProgressParams { token: ProgressToken::Int(1), value: Value::Null };
        client.tell::<ProgressNotification>(progress()).await;
        let log = LogMessageParams { kind: MessageType::Info, message: "a".to_owned() };
        client.tell::<LogMessageNotification>(log).await;
        assert_eq!(next(&mut taken).await["method"], "window/logMessage");
        lifecycle.enter(Phase::Running);
        client.tell::<ProgressNotification>(progress()).await;
        let told = next(&mut taken).await;
        assert_eq!((&told["method"], told.get("id")), (&json!("$/progress"), None));
        let asking = tokio::spawn({
            let client = client.clone();
            async move { client.ask::<CodeLensRefreshRequest>(()).await }
        });
        let asked = next(&mut taken).await;
        assert_eq!((&asked["method"], asked.get("params")), (&json!("workspace/codeLens/refresh"), None));
        client.answered(&Id::Number(99), Ok(Value::Null));
        client.answered(&Id::from(asked["id"].clone()), Ok(Value::Null));
        asking.await.expect("no panic").expect("an answer");
    }
}
