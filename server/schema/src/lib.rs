//! The schema model, and the readers that lower schema languages into it.
//!
//! Every node keeps its place in the schema file. This crate reads no files, compares no values and
//! writes no messages for users: what is wrong with a schema is a [`Problem`], which a rule in
//! `check` puts into words.
#![forbid(unsafe_code)]

mod defaults;
pub mod export;
mod facets;
mod hash;
pub mod model;
mod navigate;
mod pattern;
pub mod problem;
pub mod semantics;
pub mod words;
pub mod ytt;

pub use facets::{ArrayShape, Clause, DeclaredKey, Facet, Kinds, MapShape, Rest, Shape};
pub use model::*;
pub use navigate::{Child, KeyChild, Step, Via};
pub use pattern::{Pattern, PatternDialect};
pub use problem::{Problem, ProblemKind};
pub use semantics::Semantics;
