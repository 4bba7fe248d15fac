//! Connects transport, loop and workers.

#[cfg(test)]
mod tests;

use std::io::{PipeReader, PipeWriter, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;

use crate::facade::{Facade, Register};
use crate::main_loop::MainLoop;
use crate::pool::Pool;
use crate::router::Methods;
use crate::session::Session;
use crate::{event, facade, notifications, requests, transport};

/// Serves the client on stdin and stdout until it says `exit`, closes one of them, or its process ends.
pub(crate) fn serve_stdio() -> std::io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let (input, output) = streams()?;
    let in_order = runtime.block_on(serve(input, output, register))?;
    // A thread may still be blocked in stdin or stdout, which cannot be interrupted; the process ends with this one.
    Ok(if in_order { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Standard input and output without the buffers of the standard library, which would cut messages. They need not be
/// pipes.
#[cfg(unix)]
fn streams() -> std::io::Result<(PipeReader, PipeWriter)> {
    use std::os::fd::AsFd;
    let input = std::io::stdin().as_fd().try_clone_to_owned()?;
    Ok((input.into(), std::io::stdout().as_fd().try_clone_to_owned()?.into()))
}

/// Standard input and output without the buffers of the standard library, which would cut messages. They need not be
/// pipes.
#[cfg(windows)]
fn streams() -> std::io::Result<(PipeReader, PipeWriter)> {
    use std::os::windows::io::AsHandle;
    let input = std::io::stdin().as_handle().try_clone_to_owned()?;
    Ok((input.into(), std::io::stdout().as_handle().try_clone_to_owned()?.into()))
}

/// Every method of this server.
fn register(methods: Methods<Facade>) -> Methods<Facade> {
    notifications::register(requests::register(methods))
}

/// Serves one client with the methods that `register` adds. Returns whether the client requested a shutdown before it
/// left, as the protocol demands.
async fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    register: Register,
) -> std::io::Result<bool> {
    let (events, incoming) = event::channel();
    let (connection, outbox) = facade::connect(events.clone(), register);
    let session = Session::new(events, outbox, Pool::start()?);
    thread::Builder::new()
        .name("session".to_owned())
        .stack_size(lofting_eval::STACK)
        .spawn(move || MainLoop::new(session, incoming).run())?;
    let shutdown_asked = connection.shutdown_asked.clone();
    transport::serve(input, output, connection).await?;
    Ok(shutdown_asked.load(Ordering::Relaxed))
}
