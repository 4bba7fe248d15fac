//! What the transport calls: turns every message into one event and, for requests, waits for the answer.
//!
//! **Invariant:** no handler does anything before its event is in the channel, and none awaits before that. The
//! transport starts handlers in the order of the messages, so the order in the channel is the order of the messages.
//! No handler calls the client: that would wait for a message which may be queued after this very handler.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;
use tower_lsp_server::gen_lsp_types::{
    InitializeParams, InitializeResult, InitializedParams, Notification as _, Request as _,
};
use tower_lsp_server::{ClientSocket, LanguageServer, LspService, LspServiceBuilder, jsonrpc};

use crate::answers::Answers;
use crate::cancel::{CancelFlag, CancelOnDrop, Wanted};
use crate::client_process::ClientProcess;
use crate::code::CodeRunner;
use crate::notifications::{self, Listener, Notification};
use crate::outbox;
use crate::pool::Lane;
use crate::requests::{self, AnswerLane, Request, Service};
use crate::session::{Dispatch, Events};
use crate::view::View;

/// The stateless server side of the transport.
pub(crate) struct Facade {
    events: Events,
    shutdown_asked: Arc<AtomicBool>,
    client_process: ClientProcess,
    answers: Answers,
}

/// The service and what belongs to it.
pub(crate) struct Connection {
    /// Handles messages.
    pub(crate) service: LspService<Facade>,
    /// The client's side of the service.
    pub(crate) socket: ClientSocket,
    /// Set once the client has asked to shut down: `exit` is then in order.
    pub(crate) shutdown_asked: Arc<AtomicBool>,
    /// The process that `initialize` names.
    pub(crate) client_process: ClientProcess,
    /// The answers that the service returns the numbers of.
    pub(crate) answers: Answers,
}

/// Adds methods to a service.
pub(crate) type Register = fn(LspServiceBuilder<Facade>) -> LspServiceBuilder<Facade>;

/// Builds the service with the methods that `register` adds.
pub(crate) fn connect(events: Events, outgoing: outbox::Receiver, register: Register) -> Connection {
    let shutdown_asked = Arc::new(AtomicBool::new(false));
    let asked = shutdown_asked.clone();
    let client_process = ClientProcess::default();
    let watched = client_process.clone();
    let answers = Answers::default();
    let kept = answers.clone();
    let builder = LspService::build_with_lifecycle_methods(move |client| {
        tokio::spawn(outgoing.deliver(client));
        Facade { events, shutdown_asked: asked, client_process: watched, answers: kept }
    });
    let (service, socket) = register(builder).finish();
    Connection { service, socket, shutdown_asked, client_process, answers }
}

/// Makes the service answer the requests of `R`.
pub(crate) fn answering<R: Request>(builder: LspServiceBuilder<Facade>) -> LspServiceBuilder<Facade> {
    builder.custom_method(R::Protocol::METHOD.as_str(), Facade::ask::<R>)
}

impl Service for LspServiceBuilder<Facade> {
    fn answering<R: Request>(self) -> Self {
        answering::<R>(self)
    }
}

impl Listener for LspServiceBuilder<Facade> {
    fn listening<N: Notification>(self) -> Self {
        listening::<N>(self)
    }
}

/// Makes the service listen to the notifications of `N`.
pub(crate) fn listening<N: Notification>(builder: LspServiceBuilder<Facade>) -> LspServiceBuilder<Facade> {
    builder.custom_method(N::Protocol::METHOD.as_str(), Facade::tell::<N>)
}

impl Facade {
    fn tell<N: Notification>(&self, params: ParamsOf<N>) -> std::future::Ready<()> {
        self.events.change(N::Protocol::METHOD.as_str(), move |session| N::apply(session, params));
        std::future::ready(())
    }

    /// The number of the answer in [`Answers`].
    fn ask<R: Request>(&self, params: requests::Params<R>) -> impl Future<Output = jsonrpc::Result<u64>> + use<R> {
        let method = R::Protocol::METHOD.as_str();
        let (reply, answer) = oneshot::channel();
        let cancel = CancelFlag::default();
        let flag = cancel.clone();
        let uri = R::uri(&params);
        let run = move |view: &View, code: &CodeRunner| {
            // There is no receiver any more if the client has cancelled.
            let _ = reply.send(perform::<R>(R::Lane::view(view, code), params, &flag));
        };
        let guard = CancelOnDrop(cancel.clone());
        let request = Dispatch {
            method,
            uri,
            stale_after_edits: R::STALE_AFTER_EDITS,
            lane: R::Lane::LANE,
            cancel,
            run: Box::new(run),
        };
        self.events.change(method, move |session| session.dispatch(request));
        let answers = self.answers.clone();
        async move {
            let _guard = guard;
            let text = answer.await.unwrap_or_else(|_| Err(jsonrpc::Error::internal_error()))?;
            Ok(answers.keep(text))
        }
    }
}

type ParamsOf<N> = <<N as Notification>::Protocol as tower_lsp_server::gen_lsp_types::Notification>::Params;

/// Answers a request on a worker thread, as JSON.
fn perform<R: Request>(
    view: requests::ViewOf<'_, R>,
    params: requests::Params<R>,
    cancel: &CancelFlag,
) -> jsonrpc::Result<String> {
    let refusal = || match cancel.wanted() {
        Wanted::Yes => None,
        Wanted::Cancelled => Some(jsonrpc::Error::request_cancelled()),
        Wanted::Stale => Some(R::stale()),
    };
    if let Some(error) = refusal() {
        return Err(error);
    }
    let answer = || R::answer_or_refuse(view, params, cancel);
    let answer = catch_unwind(AssertUnwindSafe(|| match R::Lane::LANE {
        // It may be in the middle of a talk with the process that runs code.
        Lane::Code => answer(),
        _ => cancel.work().until_cancelled(answer).unwrap_or_else(|_| Err(jsonrpc::Error::request_cancelled())),
    }));
    if let Some(error) = refusal() {
        return Err(error);
    }
    let failed = || {
        let mut error = jsonrpc::Error::internal_error();
        error.message = format!("internal error in {}", R::Protocol::METHOD.as_str()).into();
        error
    };
    serde_json::to_string(&answer.map_err(|_| failed())??).map_err(|_| failed())
}

impl LanguageServer for Facade {
    fn initialize(&self, params: InitializeParams) -> impl Future<Output = jsonrpc::Result<InitializeResult>> + Send {
        let (reply, answer) = oneshot::channel();
        if let Some(number) = params.process_id {
            self.client_process.watch(number);
        }
        self.events.change("initialize", move |session| {
            let _ = reply.send(Ok(session.initialize(params)));
        });
        async move { answer.await.unwrap_or_else(|_| Err(jsonrpc::Error::internal_error())) }
    }

    fn initialized(&self, _: InitializedParams) -> impl Future<Output = ()> + Send {
        self.events.change("initialized", notifications::initialized::apply);
        std::future::ready(())
    }

    fn shutdown(&self) -> impl Future<Output = jsonrpc::Result<()>> + Send {
        self.shutdown_asked.store(true, Ordering::Relaxed);
        std::future::ready(Ok(()))
    }
}
