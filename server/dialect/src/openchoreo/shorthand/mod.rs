//! The shorthand for schemas in releases before 1.0: `string | minLength=3 default=x`.
//!
//! A section is converted into the same schema in OpenAPI ([`section::read`]), where each word keeps its place in the
//! scalar it comes from; custom types become `$defs`. The result is read, exported and converted like any schema in
//! OpenAPI.

pub mod expression;
mod fault;
pub mod inside;
pub mod literal;
pub mod marker;
mod section;
pub(super) mod typed;
pub mod words;
pub mod write;

pub use crate::texts::{PartSpans, Texts};
pub use fault::{Fault, FaultKind};
pub use section::{Section, read};

/// The key of an object's own default.
pub(crate) const OBJECT_DEFAULT: &str = "$default";

/// The key of custom types inside a section.
pub(crate) const INLINE_TYPES: &str = "$types";

/// The key of custom types beside sections.
pub(crate) const TYPES: &str = "types";
