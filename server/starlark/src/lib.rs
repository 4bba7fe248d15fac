//! Evaluates ytt's Starlark dialect with the `starlark` crates; its interface are the data types of `lofting_eval`.
//!
//! The only crate of the workspace that may name a type of those crates. It reads neither files nor the clock:
//! everything that code may see is part of the evaluation or requested through [`lofting_eval::LibraryFiles`].
#![deny(unsafe_code)]

mod bytes;
mod compile;
mod context;
mod convert;
mod failure;
mod format;
mod host;
mod in_process;
mod integers;
mod line;
mod loaded;
mod loader;
mod loads;
mod lower;
mod mapped;
mod messages;
mod modules;
mod nesting;
mod object;
mod plain;
mod rewrite;
mod session;
mod text_template;
mod words;
mod worker;

pub use in_process::InProcess;
pub use loaded::LoadedModules;
pub use session::{Bounds, Session, evaluate, evaluate_with, rewritten};
pub use worker::run_worker;

#[cfg(test)]
mod tests;
