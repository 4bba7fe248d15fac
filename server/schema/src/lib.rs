//! The schema model, and the readers that lower schema languages into it.
//!
//! Every node keeps its place in the schema file. This crate reads no files, compares no values and
//! writes no messages for users: what is wrong with a schema is a [`Problem`], which a rule in
//! `check` puts into words.
#![forbid(unsafe_code)]

pub mod export;
mod hash;
mod lookup;
pub mod model;
pub mod problem;
pub mod semantics;
pub mod words;
pub mod ytt;

pub use lookup::PathStep;
pub use model::*;
pub use problem::{Problem, ProblemKind};
pub use semantics::Semantics;
