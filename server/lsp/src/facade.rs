//! What the router calls: turns every message into one event and, for requests, waits for the answer.
//!
//! **Invariant:** the event is in the channel when a function returns, and the router calls them in the order of the
//! messages, so the order in the channel is the order of the messages.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gen_lsp_types::{InitializeParams, Notification as _, Request as _};
use lofting_workspace::until_abandoned;
use tokio::sync::oneshot;

use crate::cancel::{CancelFlag, CancelOnDrop, Wanted};
use crate::client::Client;
use crate::client_process::ClientProcess;
use crate::code::CodeRunner;
use crate::jsonrpc;
use crate::lifecycle::Lifecycle;
use crate::notifications::{self, Listener, Notification};
use crate::out_queue::{self, Output, Queued};
use crate::outbox::{self, Outbox};
use crate::pool::Lane;
use crate::requests::{self, AnswerLane, Request, Service};
use crate::router::{Encoded, Methods, Router, Server, decoded};
use crate::session::{Dispatch, Events};
use crate::view::View;

/// The stateless server side of the transport.
pub(crate) struct Facade {
    events: Events,
    shutdown_asked: Arc<AtomicBool>,
    client_process: ClientProcess,
}

/// The service and what belongs to it.
pub(crate) struct Connection {
    /// Takes messages.
    pub(crate) router: Router<Facade>,
    /// The client, which gets its answers.
    pub(crate) client: Client,
    /// Takes what is for the client.
    pub(crate) out: Output,
    /// What is for the client.
    pub(crate) queued: Queued,
    /// Set once the client has asked to shut down: `exit` is then in order.
    pub(crate) shutdown_asked: Arc<AtomicBool>,
    /// The process that `initialize` names.
    pub(crate) client_process: ClientProcess,
}

/// Adds methods to a service.
pub(crate) type Register = fn(Methods<Facade>) -> Methods<Facade>;

/// Builds the service with the methods that `register` adds.
pub(crate) fn connect(events: Events, register: Register) -> (Connection, Outbox) {
    let lifecycle = Lifecycle::default();
    let (out, queued) = out_queue::queue();
    let client = Client::new(out.clone(), lifecycle.clone());
    let (outbox, asked) = outbox::channel(out.clone(), client.clone());
    tokio::spawn(asked.ask(client.clone()));
    let shutdown_asked = Arc::new(AtomicBool::new(false));
    let client_process = ClientProcess::default();
    let facade = Facade { events, shutdown_asked: shutdown_asked.clone(), client_process: client_process.clone() };
    let router = Router::new(facade, register(Methods::none()), lifecycle);
    (Connection { router, client, out, queued, shutdown_asked, client_process }, outbox)
}

impl Service for Methods<Facade> {
    fn answering<R: Request>(self) -> Self {
        self.request(R::Protocol::METHOD.as_str(), |facade, params| Ok(facade.ask::<R>(decoded(params)?)))
    }
}

impl Listener for Methods<Facade> {
    fn listening<N: Notification>(self) -> Self {
        self.notification(N::Protocol::METHOD.as_str(), |facade, params| {
            facade.tell::<N>(decoded(params)?);
            Ok(())
        })
    }
}

impl Facade {
    fn tell<N: Notification>(&self, params: ParamsOf<N>) {
        self.events.change(N::Protocol::METHOD.as_str(), move |session| N::apply(session, params));
    }

    /// The answer is encoded where it is computed: an outline of ten thousand symbols takes milliseconds to become JSON,
    /// and the transport has one task for reading and writing.
    fn ask<R: Request>(&self, params: requests::Params<R>) -> Encoded {
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
        Box::pin(async move {
            let _guard = guard;
            answer.await.unwrap_or_else(|_| Err(jsonrpc::Error::internal_error()))
        })
    }
}

impl Server for Facade {
    fn initialize(&self, params: InitializeParams) -> Encoded {
        let (reply, answer) = oneshot::channel();
        if let Some(number) = params.process_id {
            self.client_process.watch(number);
        }
        self.events.change("initialize", move |session| {
            let _ = reply.send(serde_json::to_string(&session.initialize(params)));
        });
        Box::pin(async move {
            let text = answer.await.ok().and_then(Result::ok);
            text.ok_or_else(jsonrpc::Error::internal_error)
        })
    }

    fn initialized(&self) {
        self.events.change("initialized", notifications::initialized::apply);
    }

    fn shutdown(&self) {
        self.shutdown_asked.store(true, Ordering::Relaxed);
    }
}

type ParamsOf<N> = <<N as Notification>::Protocol as gen_lsp_types::Notification>::Params;

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
        // It may be in the middle of a talk with the process that runs code, which only a template that has changed ends.
        Lane::Code if R::STALE_AFTER_EDITS => until_abandoned(answer).unwrap_or_else(|_| Err(R::stale())),
        Lane::Code => answer(),
        _ => cancel.work().until_cancelled(answer).unwrap_or_else(|_| Err(jsonrpc::Error::request_cancelled())),
    }));
    if let Some(error) = refusal() {
        return Err(error);
    }
    let failed = || {
        let message = format!("internal error in {}", R::Protocol::METHOD.as_str());
        jsonrpc::Error { message: message.into(), ..jsonrpc::Error::internal_error() }
    };
    serde_json::to_string(&answer.map_err(|_| failed())??).map_err(|_| failed())
}
