//! The schema model into which all schema languages are lowered, its navigator, its words and its exports.
//!
//! Every node keeps its place in the schema file. This crate knows no schema language, reads no files, checks no values
//! and words no messages.
#![forbid(unsafe_code)]

mod choices;
pub mod compare;
mod defaults;
pub mod export;
mod facets;
mod fitted;
pub mod format;
mod judge;
pub mod model;
mod navigate;
mod pattern;
mod places;
pub mod re2;
pub mod semantics;
#[cfg(test)]
mod tests;
mod tries;
pub mod words;
mod written;

pub use choices::Choices;
pub use facets::{
    Admits, ArrayShape, Asked, Clause, DeclaredKey, Expected, Facet, FreeKeys, Kinds, MapShape, Rest, Shape,
};
pub use judge::{Breach, BrokenRule, Judge, Judged};
pub use model::*;
pub use navigate::{Child, Joined, KeyChild, Step, Via};
pub use pattern::{Pattern, PatternDialect};
pub use places::Moves;
pub use semantics::Semantics;
pub use tries::within_a_document;
pub use written::{WrittenKeys, WrittenPath};
