//! The shorthand for schemas that releases before 1.0 use: `string | minLength=3 default=x`.
//!
//! A section is read into the same schema written in OpenAPI's words ([`section::read`]), with the place of each word
//! inside the scalar it comes from; custom types become `$defs`. From there it is read, exported and converted as a
//! schema that was written so.

pub mod expression;
mod fault;
pub mod inside;
pub mod literal;
pub mod marker;
mod place;
mod section;
mod typed;
pub mod write;

pub use fault::{Fault, FaultKind};
pub use place::{Place, Texts};
pub use section::{Section, read};

/// The key of an object's own default.
pub(crate) const OBJECT_DEFAULT: &str = "$default";

/// The key of custom types inside of a section.
pub(crate) const INLINE_TYPES: &str = "$types";

/// The key of custom types beside sections.
pub(crate) const TYPES: &str = "types";
