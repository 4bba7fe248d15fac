//! `lofting`: language server and command line.
//!
//! The only crate that knows the protocol, the terminal and threads. It calls `ide` and `workspace`, converts data, and
//! decides when work is done. It must not know anything about YAML or ytt itself.
#![forbid(unsafe_code)]

mod answers;
mod cancel;
mod capabilities;
mod cli;
mod client_process;
mod code;
mod disk_looks;
mod editor_settings;
mod elsewhere;
mod evaluator;
mod event;
mod facade;
mod fetching;
mod from_proto;
mod input_sets;
mod languages;
mod log;
mod main_loop;
mod notifications;
mod outbox;
mod outputs;
mod pool;
mod publish;
mod pulled;
mod render;
mod rendering;
mod requests;
mod scans;
mod schemas;
mod server;
mod session;
mod settings;
mod to_proto;
mod transport;
mod trust;
mod typing;
mod unopened;
mod uri;
mod view;
mod virtual_documents;
mod watched_files;
mod workspace_problems;

fn main() -> std::process::ExitCode {
    cli::run()
}
