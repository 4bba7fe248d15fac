//! Logs go to the client, to stderr or to a file, never to stdout: that is the protocol's channel.
//!
//! Editors show all of stderr as errors. So only errors are written there, which must be seen even when the client no longer reads the
//! protocol, and what was asked for with [`VARIABLE`]; the rest is sent as messages that say their level.

use std::fmt::{Debug, Write as _};
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use gen_lsp_types::MessageType;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt, registry};

use crate::outbox::{Outbox, Said};

/// The environment variable that chooses what is logged, for instance `debug` or `lofting::main_loop=trace`.
pub(crate) const VARIABLE: &str = "LOFTING_LOG";

/// The way to the client, once there is one.
static CLIENT: OnceLock<Outbox> = OnceLock::new();

/// Starts logging; warnings and worse unless [`VARIABLE`] says otherwise.
pub(crate) fn start(file: Option<&Path>) -> std::io::Result<()> {
    let filter = std::env::var(VARIABLE).ok().and_then(|directives| EnvFilter::try_new(directives).ok());
    // The transport logs every cancelled request, which is everyday business.
    let filter = filter.unwrap_or_else(|| EnvFilter::new("warn"));
    let to_file = file.is_some();
    let writer = match file {
        Some(path) => BoxMakeWriter::new(Mutex::new(lofting_disk::append(path).map_err(std::io::Error::other)?)),
        None => BoxMakeWriter::new(std::io::stderr),
    };
    let goes_to_client = move |event: &Metadata<'_>| !to_file && level(event).is_some() && CLIENT.get().is_some();
    let written = fmt::layer().with_writer(writer).with_ansi(false);
    let started = registry()
        .with(filter)
        .with(written.with_filter(filter_fn(move |event| !goes_to_client(event))))
        .with(ToClient.with_filter(filter_fn(goes_to_client)))
        .try_init();
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    }
    Ok(())
}

/// From now on the client gets messages.
pub(crate) fn connect(client: &Outbox) {
    let _ = CLIENT.set(client.clone());
}

/// The level in the protocol of what is sent to the client.
fn level(event: &Metadata<'_>) -> Option<MessageType> {
    match *event.level() {
        Level::WARN => Some(MessageType::Warning),
        Level::INFO => Some(MessageType::Info),
        _ => None,
    }
}

/// Sends events to the client.
struct ToClient;

impl<S: Subscriber> Layer<S> for ToClient {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let (Some(client), Some(level)) = (CLIENT.get(), level(event.metadata())) else { return };
        let mut line = Line::default();
        event.record(&mut line);
        client.say(Said::Log(level, line.message + &line.fields));
    }
}

/// An event in one line.
#[derive(Default)]
struct Line {
    message: String,
    /// ` name=value` for each field.
    fields: String,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
