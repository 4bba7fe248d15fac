//! ytt's overlay engine, which merges one document into another (docs/ytt.md 14).
//!
//! Schema documents, data values documents and plain values all merge through [`Overlay::apply`]. Nodes keep their
//! spans, so the result shows for every value where it was written and what it replaced. This crate knows nothing of
//! schemas. Functions in annotations (`by=`, `via=`, `expects=`) are called through [`Functions`]; without an
//! evaluator, everything that depends on them is unknown.
#![forbid(unsafe_code)]

mod annotations;
mod array;
mod documents;
mod engine;
mod functions;
mod map;
mod matching;
mod members;
mod order;
mod problem;
mod sequence;
mod via;

pub use annotations::{any_annotation, asks_functions, required_parts};
pub use engine::{Mode, Overlay};
pub use functions::{Argument, Called, Fault, Function, Functions, NoFunctions, Returned};
pub use matching::{contains, same_leaf};
pub use problem::{Problem, ProblemKind, Trace};

#[cfg(test)]
mod tests;
