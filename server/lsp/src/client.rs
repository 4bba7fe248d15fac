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
use tokio::sync::oneshot;

use crate::jsonrpc::{Error, ErrorCode, Id, Result};
use crate::lifecycle::Lifecycle;
use crate::out_queue::Output;

/// What the protocol allows before `initialize` is answered.
const EARLY: [&str; 2] = ["window/showMessage", "window/logMessage"];

/// The server's end; its copies are the same client.
#[derive(Clone)]
pub(crate) struct Client(Arc<Inner>);

struct Inner {
    out: Output,
    lifecycle: Lifecycle,
    last: AtomicI64,
    waiting: Mutex<HashMap<i64, oneshot::Sender<Result<Value>>>>,
}

impl Client {
    /// The client that reads this output.
    pub(crate) fn new(out: Output, lifecycle: Lifecycle) -> Client {
        Client(Arc::new(Inner { out, lifecycle, last: AtomicI64::new(0), waiting: Mutex::default() }))
    }

    /// Tells it something.
    pub(crate) fn tell<N: Notification>(&self, params: &N::Params) {
        if let Some(message) = self.notification::<N>(params) {
            self.0.out.text(message);
        }
    }

    /// The message that tells it something; None if it is too early for that.
    pub(crate) fn notification<N: Notification>(&self, params: &N::Params) -> Option<String> {
        let method = N::METHOD.as_str();
        let is_in_order = self.0.lifecycle.has_begun() || EARLY.contains(&method);
        if is_in_order { encoded(&format!(r#""method":"{method}""#), params) } else { None }
    }

    /// Asks it something.
    pub(crate) async fn ask<R: Request>(&self, params: R::Params) -> Result<R::Result> {
        if !self.0.lifecycle.has_begun() {
            return Err(Error::new(ErrorCode::SERVER_NOT_INITIALIZED, "the connection has not begun"));
        }
        let number = self.0.last.fetch_add(1, Ordering::Relaxed);
        let (answered, answer) = oneshot::channel();
        self.0.waiting.lock().insert(number, answered);
        let Some(question) = encoded(&format!(r#""id":{number},"method":"{}""#, R::METHOD.as_str()), &params) else {
            self.0.waiting.lock().remove(&number);
            return Err(Error::internal_error());
        };
        self.0.out.text(question);
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
}

/// The message with these members and parameters.
fn encoded(members: &str, params: &impl Serialize) -> Option<String> {
    let params =
        serde_json::to_string(params).map_err(|error| tracing::error!(%error, "a message has no JSON")).ok()?;
    // Null stands for none, and the protocol wants the member left out then.
    Some(match params.as_str() {
        "null" => format!(r#"{{"jsonrpc":"2.0",{members}}}"#),
        params => format!(r#"{{"jsonrpc":"2.0",{members},"params":{params}}}"#),
    })
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{
        CodeLensRefreshRequest, LogMessageNotification, LogMessageParams, MessageType, ProgressNotification,
        ProgressParams, ProgressToken,
    };
    use serde_json::{Value, json};

    use super::Client;
    use crate::jsonrpc::{ErrorCode, Id};
    use crate::lifecycle::{Lifecycle, Phase};
    use crate::out_queue::{Queued, queue};

    /// The next message. It is waited for where another thread can run meanwhile.
    async fn next(queued: &Queued) -> Value {
        loop {
            match queued.next(std::time::Duration::ZERO) {
                Some(text) => return serde_json::from_str(&text).expect("JSON"),
                None => tokio::task::yield_now().await,
            }
        }
    }

    #[tokio::test]
    async fn only_messages_to_the_user_come_before_the_beginning_and_answers_find_their_questions() {
        let lifecycle = Lifecycle::default();
        let (out, taken) = queue();
        let client = Client::new(out, lifecycle.clone());
        let refused = client.ask::<CodeLensRefreshRequest>(()).await.expect_err("too early");
        assert_eq!(refused.code, ErrorCode::SERVER_NOT_INITIALIZED);
        let progress = || ProgressParams { token: ProgressToken::Int(1), value: Value::Null };
        client.tell::<ProgressNotification>(&progress());
        let log = LogMessageParams { kind: MessageType::Info, message: "a".to_owned() };
        client.tell::<LogMessageNotification>(&log);
        assert_eq!(next(&taken).await["method"], "window/logMessage");
        lifecycle.enter(Phase::Running);
        client.tell::<ProgressNotification>(&progress());
        let told = next(&taken).await;
        assert_eq!((&told["method"], told.get("id")), (&json!("$/progress"), None));
        let asking = tokio::spawn({
            let client = client.clone();
            async move { client.ask::<CodeLensRefreshRequest>(()).await }
        });
        let asked = next(&taken).await;
        assert_eq!((&asked["method"], asked.get("params")), (&json!("workspace/codeLens/refresh"), None));
        client.answered(&Id::Number(99), Ok(Value::Null));
        client.answered(&Id::from(asked["id"].clone()), Ok(Value::Null));
        asking.await.expect("no panic").expect("an answer");
    }
}
