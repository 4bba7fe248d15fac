//! Logs go to stderr or a file, never to stdout: that is the protocol's channel.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

/// The environment variable that chooses what is logged, for instance `debug` or `lofting::main_loop=trace`.
pub(crate) const VARIABLE: &str = "LOFTING_LOG";

/// Starts logging; warnings and worse unless [`VARIABLE`] says otherwise.
pub(crate) fn start(file: Option<&Path>) -> std::io::Result<()> {
    let filter = std::env::var(VARIABLE).ok().and_then(|directives| EnvFilter::try_new(directives).ok());
    // The transport logs every cancelled request, which is everyday business.
    let filter = filter.unwrap_or_else(|| EnvFilter::new("warn,tower_lsp_server=error"));
    let writer = match file {
        Some(path) => BoxMakeWriter::new(Mutex::new(OpenOptions::new().create(true).append(true).open(path)?)),
        None => BoxMakeWriter::new(std::io::stderr),
    };
    let started = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).with_ansi(false).try_init();
    if started.is_ok() {
        std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    }
    Ok(())
}
