//! Connects transport, loop and workers.

#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;

use tokio::io::{AsyncRead, AsyncWrite};

use crate::facade::{Facade, Register};
use crate::main_loop::MainLoop;
use crate::pool::Pool;
use crate::router::Methods;
use crate::session::Session;
use crate::{event, facade, notifications, outbox, requests, transport};

/// Serves the client on stdin and stdout until it says `exit`, closes one of them, or its process ends.
pub(crate) fn serve_stdio() -> std::io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let in_order = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), register))?;
    // A thread may still be blocked reading stdin, which cannot be interrupted; it must not keep the process alive.
    runtime.shutdown_background();
    Ok(if in_order { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Every method of this server.
fn register(methods: Methods<Facade>) -> Methods<Facade> {
    notifications::register(requests::register(methods))
}

/// Serves one client with the methods that `register` adds. Returns whether the client requested a shutdown before it
/// left, as the protocol demands.
async fn serve(input: impl AsyncRead, output: impl AsyncWrite, register: Register) -> std::io::Result<bool> {
    let (events, incoming) = event::channel();
    let (outbox, outgoing) = outbox::channel();
    let session = Session::new(events.clone(), outbox, Pool::start()?);
    thread::Builder::new()
        .name("session".to_owned())
        .stack_size(lofting_eval::STACK)
        .spawn(move || MainLoop::new(session, incoming).run())?;
    let connection = facade::connect(events, outgoing, register);
    let shutdown_asked = connection.shutdown_asked.clone();
    transport::serve(input, output, connection).await;
    Ok(shutdown_asked.load(Ordering::Relaxed))
}
