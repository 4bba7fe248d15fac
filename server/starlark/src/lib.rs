//! Evaluates ytt's templates and their code; its interface are the data types of `lofting_eval`.
//!
//! Templates become programs of `lofting_interpreter`, to which this crate adds ytt's modules and the nodes that
//! templates build. It reads neither files nor the clock: everything that code may see is part of the evaluation or
//! requested through [`lofting_eval::LibraryFiles`].
#![forbid(unsafe_code)]

mod compile;
mod context;
mod convert;
mod failure;
mod host;
mod in_process;
mod kept_portions;
mod line;
mod loaded;
mod loader;
mod mapped;
mod messages;
mod modules;
mod names;
mod nesting;
mod object;
mod plain;
mod programs;
mod rewrite;
mod run;
mod session;
mod text_template;
mod worker;

pub use in_process::InProcess;
pub use kept_portions::KeptPortions;
pub use loaded::LoadedModules;
pub use session::{Bounds, Session, evaluate, evaluate_with, rewritten};
pub use worker::run_worker;

#[cfg(test)]
mod tests;
