//! Calls of the client on their way to the server: who takes which method, what is in order before `initialize` is answered
//! and after `shutdown`, and what the client takes back.
//!
//! **Invariant:** a call takes effect before the next one is looked at; only its answer comes later.

use std::collections::HashMap;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use futures_util::future::{AbortHandle, abortable};
use gen_lsp_types::InitializeParams;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::jsonrpc::{self, Error, ErrorCode, Id};
use crate::lifecycle::{Lifecycle, Phase};

/// The result of a request as JSON, when it is there.
pub(crate) type Encoded = Pin<Box<dyn Future<Output = jsonrpc::Result<String>> + Send>>;

/// The message that answers a call, when it is there.
pub(crate) type Task = Pin<Box<dyn Future<Output = String> + Send>>;

/// What takes the messages of the protocol's beginning and end.
pub(crate) trait Server {
    /// The answer comes when there is one.
    fn initialize(&self, params: InitializeParams) -> Encoded;

    /// The client has the answer.
    fn initialized(&self);

    /// Only `exit` comes now.
    fn shutdown(&self);
}

/// Who takes a method.
enum Method<S> {
    /// It is answered. The error is about the parameters.
    Request(fn(&S, Option<Value>) -> jsonrpc::Result<Encoded>),
    /// It is not.
    Notification(fn(&S, Option<Value>) -> jsonrpc::Result<()>),
}

/// Methods by their names.
pub(crate) struct Methods<S>(HashMap<&'static str, Method<S>>);

impl<S> Methods<S> {
    /// None.
    pub(crate) fn none() -> Methods<S> {
        Methods(HashMap::new())
    }

    /// Adds a method that is answered.
    pub(crate) fn request(
        mut self,
        name: &'static str,
        take: fn(&S, Option<Value>) -> jsonrpc::Result<Encoded>,
    ) -> Methods<S> {
        self.0.insert(name, Method::Request(take));
        self
    }

    /// Adds a method that is not answered.
    pub(crate) fn notification(
        mut self,
        name: &'static str,
        take: fn(&S, Option<Value>) -> jsonrpc::Result<()>,
    ) -> Methods<S> {
        self.0.insert(name, Method::Notification(take));
        self
    }
}

/// The parameters of a method.
pub(crate) fn decoded<P: DeserializeOwned>(params: Option<Value>) -> jsonrpc::Result<P> {
    let invalid = |why: String| Error::new(ErrorCode::INVALID_PARAMS, why);
    let params = params.ok_or_else(|| invalid("the parameters are missing".to_owned()))?;
    serde_json::from_value(params).map_err(|error| invalid(error.to_string()))
}

/// Takes the calls of one client.
pub(crate) struct Router<S> {
    server: S,
    methods: Methods<S>,
    lifecycle: Lifecycle,
    running: Running,
}

/// Requests that are not answered yet.
type Running = Arc<Mutex<HashMap<Id, AbortHandle>>>;

impl<S: Server> Router<S> {
    pub(crate) fn new(server: S, methods: Methods<S>, lifecycle: Lifecycle) -> Router<S> {
        Router { server, methods, lifecycle, running: Running::default() }
    }

    /// Takes a call other than `exit`; a notification has no ID. Nothing comes back where there is no answer.
    pub(crate) fn call(&self, id: Option<Id>, method: &str, params: Option<Value>) -> Option<Task> {
        let Some(id) = id else {
            self.notify(method, params);
            return None;
        };
        Some(self.ask(&id, method, params).unwrap_or_else(|error| {
            let message = jsonrpc::answer(&id, Err(error));
            Box::pin(ready(message))
        }))
    }

    /// Takes back everything that is not answered.
    pub(crate) fn cancel_all(&self) {
        self.running.lock().values().for_each(AbortHandle::abort);
    }

    fn notify(&self, method: &str, params: Option<Value>) {
        if method == "$/cancelRequest" {
            let id = params.and_then(|mut params| params.get_mut("id").map(Value::take)).map(Id::from);
            // It may be answered already.
            if let Some(running) = id.and_then(|id| self.running.lock().get(&id).cloned()) {
                running.abort();
            }
            return;
        }
        if self.lifecycle.allows_ordinary().is_err() {
            return tracing::debug!(method, "a notification that is not in order");
        }
        if method == "initialized" {
            return self.server.initialized();
        }
        match self.methods.0.get(method) {
            Some(Method::Notification(take)) => {
                if let Err(error) = take(&self.server, params) {
                    tracing::warn!(method, %error, "a notification could not be read");
                }
            }
            Some(Method::Request(_)) => tracing::warn!(method, "a request without an ID"),
            None => tracing::debug!(method, "an unknown notification"),
        }
    }

    fn ask(&self, id: &Id, method: &str, params: Option<Value>) -> jsonrpc::Result<Task> {
        match method {
            "initialize" => self.initialize(id.clone(), params),
            "shutdown" => {
                self.lifecycle.allows_ordinary()?;
                self.lifecycle.enter(Phase::Ending);
                self.server.shutdown();
                Ok(Box::pin(ready(jsonrpc::answer(id, Ok("null".to_owned())))))
            }
            method => {
                self.lifecycle.allows_ordinary()?;
                match self.methods.0.get(method) {
                    Some(Method::Request(take)) => self.start(id.clone(), || take(&self.server, params)),
                    Some(Method::Notification(_)) => {
                        Err(Error::new(ErrorCode::INVALID_REQUEST, format!("`{method}` is not answered")))
                    }
                    None => Err(Error::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method `{method}`"))),
                }
            }
        }
    }

    fn initialize(&self, id: Id, params: Option<Value>) -> jsonrpc::Result<Task> {
        if self.lifecycle.phase() != Phase::New {
            return Err(Error::new(ErrorCode::INVALID_REQUEST, "`initialize` comes once"));
        }
        let answer = self.server.initialize(decoded(params)?);
        self.lifecycle.enter(Phase::Beginning);
        let lifecycle = self.lifecycle.clone();
        Ok(Box::pin(async move {
            let result = answer.await;
            lifecycle.enter(if result.is_ok() { Phase::Running } else { Phase::New });
            jsonrpc::answer(&id, result)
        }))
    }

    /// Starts a request that the client can take back.
    fn start(&self, id: Id, take: impl FnOnce() -> jsonrpc::Result<Encoded>) -> jsonrpc::Result<Task> {
        if self.running.lock().contains_key(&id) {
            return Err(Error::new(ErrorCode::INVALID_REQUEST, "a request with this ID is not answered yet"));
        }
        let (answer, handle) = abortable(take()?);
        self.running.lock().insert(id.clone(), handle);
        let running = self.running.clone();
        Ok(Box::pin(async move {
            let result = answer.await.unwrap_or_else(|_| Err(Error::request_cancelled()));
            running.lock().remove(&id);
            jsonrpc::answer(&id, result)
        }))
    }
}
