//! Applies moves of keys to YAML texts and to code that reads them: renamed, moved elsewhere, removed, with other values. What is not moved stays as it
//! is written: comments, order and layout.
//!
//! Nothing is trusted to have worked: the moves are applied to the data as well, and the new text has to mean exactly
//! that. Otherwise, and wherever a value would get lost, the text is refused. Applying moves again changes nothing.
#![forbid(unsafe_code)]

mod apply;
mod braces;
mod data;
mod edit;
mod path;
mod plan;
mod propose;
mod reads;
#[cfg(test)]
mod tests;

pub use apply::{IsMeant, Refused, migrated};
pub use path::{Path, Step};
pub use plan::{Move, Plan, SplitTarget, Wrong, WrongMove};
pub use propose::{Proposal, proposed, split};
pub use reads::{Left, Reads, Why, ends, moved_inside, moved_path, moved_reads, valued_otherwise};
