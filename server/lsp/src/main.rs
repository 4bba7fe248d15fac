//! `lofting`: language server and command line.
//!
//! The only crate that knows the protocol, the terminal and threads. It calls `ide` and `workspace`, converts data, and
//! decides when work is done. It must not know anything about YAML or ytt itself.
#![forbid(unsafe_code)]

mod awaited;
mod build_info;
mod built_in;
mod built_in_documents;
mod cancel;
mod capabilities;
mod cli;
mod client;
mod client_process;
mod closed_files;
mod code;
mod editor_settings;
mod evaluation;
mod evaluator;
mod event;
mod facade;
mod fetching;
mod forms;
mod jsonrpc;
mod languages;
mod last_pull;
mod lifecycle;
mod log;
mod main_loop;
mod mcp;
mod notifications;
mod out_queue;
mod outbox;
mod outputs;
mod pool;
mod positions;
mod proposal;
mod release;
mod report;
mod requests;
mod revision;
mod rewrite;
mod router;
mod server;
mod session;
mod settings;
mod terminal;
mod to_proto;
mod token_results;
mod transport;
mod trust;
mod typing;
mod uri;
mod view;
mod virtual_documents;

/// Trees and documents are many small pieces; systems' own allocators spend a tenth of the time of a rendering on them, and
/// that of musl, with which static programs are made, has one lock for all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run()
}
