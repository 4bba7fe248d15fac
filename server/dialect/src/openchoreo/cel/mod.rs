//! CEL, the language of expressions in templates: read with the place of every word, half-typed or not.
//!
//! The crates there are read whole expressions, tell of the first fault alone, expand macros before anybody sees the tree,
//! and recurse as deep as the text does; an editor needs the opposite of each. Reading never fails here: what is missing is
//! a node of its own, and the first fault is told.

pub mod functions;
mod parse;
mod token;
pub mod types;
pub mod variables;

pub use parse::{Expression, NodeKind, parse};
