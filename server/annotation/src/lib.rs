//! Reads ytt's comments: which are annotations, which are code, which have no meaning, and what each annotation is for.
//!
//! Works on the text of one comment and knows nothing of nodes: `document` decides which node owns a comment. The
//! [`catalog`] describes all annotations for completion, hover and rules.
#![forbid(unsafe_code)]

pub mod catalog;
mod comment;
mod lookalike;

pub use comment::{Annotation, Comment, CommentKind, read_comment};
pub use lookalike::{Lookalike, looks_like_annotation};

#[cfg(test)]
mod tests;
