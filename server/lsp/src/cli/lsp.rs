//! `lofting lsp`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

// Arguments of `lofting lsp`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Accepted because many editors pass it; stdin and stdout are always used.
    #[arg(long)]
    stdio: bool,
    /// Append the log to this file instead of sending it to the client and to stderr. LOFTING_LOG chooses what is logged, such as
    /// LOFTING_LOG=debug.
    #[arg(long, value_name = "PATH")]
    log_file: Option<PathBuf>,
}

/// Serves until the client says `exit` or closes stdin.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let _ = arguments.stdio;
    if let Err(error) = crate::log::start(arguments.log_file.as_deref()) {
        return super::could_not_run(format_args!("cannot write the log file: {error}"));
    }
    match crate::server::serve_stdio() {
        Ok(code) => code,
        Err(error) => super::could_not_run(format_args!("cannot start the server: {error}")),
    }
}
