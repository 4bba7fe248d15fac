//! CEL, the language of expressions in templates, parsed with the place of every word, even when half-typed.
//!
//! Existing crates parse only whole expressions, report no more than the first error, expand macros before anybody sees
//! the tree, and recurse as deeply as the text nests. An editor needs the opposite. Here parsing never fails: something
//! missing is a node of its own, and the first error is reported.

pub mod functions;
mod parse;
pub(super) mod token;
pub mod types;
pub mod variables;

pub use parse::{Expression, Member, NodeKind, parse};
