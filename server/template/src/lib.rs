//! YAML templates between the syntax tree and the evaluator: compiles a file into a program (docs/ytt.md 7.1), and
//! converts the result of running it back into documents in which every node has its place.
//!
//! This crate runs nothing itself and knows neither schemas nor files on disk.
#![forbid(unsafe_code)]

mod argument;
mod compile;
mod data_values;
mod leave_out;
mod need;
mod result;
#[cfg(test)]
mod tests;

pub use argument::{FromLibraries, Passed, Shared, key_data, node_data, portioned_data};
pub use compile::{Compiled, NodePlace, compile};
pub use data_values::data_values;
pub use need::needs_evaluation;
pub use result::{Places, documents, value_node};
