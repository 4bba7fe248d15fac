//! The worker process for the tests of this crate: the server starts itself with a hidden sub-command.
#![forbid(unsafe_code)]

use lofting_sandbox::{Layer, Output};

fn main() -> std::io::Result<()> {
    lofting_starlark::run_worker(&Layer::ALL, std::io::BufReader::new(std::io::stdin()), Output::default())
}
