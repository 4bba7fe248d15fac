//! All fuzz targets in one program, so that they are linked once. `LOFTING_FUZZ_TARGET` names the one to run: libFuzzer
//! has the command line for itself.
#![no_main]

/// Where messages of clients look for it.
#[path = "../../../server/lsp/src/jsonrpc.rs"]
#[allow(dead_code, reason = "answers use more of it")]
mod jsonrpc;
mod measured;
mod questions;

use std::env;
use std::sync::OnceLock;

use measured::Target;

/// The only target of this run.
static CHOSEN: OnceLock<Target> = OnceLock::new();

/// A module below `targets` for each target, and their table.
macro_rules! targets {
    ($($name:ident)*) => {
        mod targets {
            $(pub mod $name;)*
        }

        const TARGETS: &[(&str, Target)] = &[$((stringify!($name), targets::$name::TARGET)),*];
    };
}

targets! {
    cel
    check
    commands
    config
    diff
    evaluate
    export
    format
    governed
    messages
    modules
    overlay
    parse
    read_arguments
    read_comment
    reparse
    rewrite
    wire
}

libfuzzer_sys::fuzz_target!(
    init: {
        let name = env::var("LOFTING_FUZZ_TARGET").unwrap_or_default();
        let found = TARGETS.iter().find(|(target, _)| *target == name);
        let Some((_, target)) = found else { panic!("LOFTING_FUZZ_TARGET names no target: `{name}`") };
        CHOSEN.get_or_init(|| *target);
    },
    |data: &[u8]| {
        CHOSEN.get().expect("a target is chosen before anything runs").run(data);
    }
);
